import SeededRandom
import Shunt
import ShuntAppLinks
import ShuntInterfaces
import ShuntLinks
import ShuntModules
import ShuntRouting
import Testing

/// Association files from routes: exact where the formats can say it, and named where they cannot.
@Suite struct AppLinkWritingTests {
    private static func table(_ patterns: [String]) throws -> RouteTable {
        var builder = RouteTableBuilder()
        for pattern in patterns { builder.add(pattern, name: pattern) }
        return try builder.build()
    }

    private static func file(_ patterns: [String], wider: WiderPatterns = .refused) throws -> AppSiteAssociation {
        try AppSiteAssociation(
            routes: AppLinkRoute.all(of: try table(patterns)),
            apps: ["ABCDE12345.com.example.app"],
            host: "example.com",
            wider: wider
        )
    }

    @Test(
        "Each kind of pattern has its components",
        arguments: [
            ("/", ["/"]),
            ("/about", ["/about"]),
            ("/item/:id", ["no /item/*/*", "/item/?*"]),
            ("/v:major/:file.tar.gz", ["no /v*/*/?*.tar.gz", "no /v?*/*/*.tar.gz", "/v?*/?*.tar.gz"]),
            ("/a(/b)", ["/a/b", "/a"]),
            ("/files/*path", ["/files/*", "/files"]),
            ("/on/:flag(bool)", ["/on/true", "/on/false"]),
            ("/caf%C3%A9/a b", ["/caf%C3%A9/a%20b"]),
            ("https://example.com/here", ["/here"]),
            ("https://*.com/here", ["/here"]),
        ] as [(String, [String])]
    )
    func components(pattern: String, expected: [String]) throws {
        let components = try Self.file([pattern]).details[0].components
        #expect(components.map { ($0.isExcluded ? "no " : "") + ($0.path ?? "-") } == expected)
    }

    @Test("Other hosts and schemes are left out; what is left may be nothing, which is an error")
    func hosts() throws {
        let patterns = ["https://other.test/a", "kl://example.com/b", "https://:tenant.example.com/c"]
        let file = try Self.file(patterns + ["/d"])
        #expect(file.details[0].components.map(\.path) == ["/d"])
        let error = try #require(throws: AppLinksError.self) { try Self.file(patterns) }
        #expect(error.diagnostics.map(\.message) == ["no route leads to https://example.com"])
    }

    @Test(
        "What cannot be said is refused with the nearest pattern, or written and named",
        arguments: [
            ("/item/:id(uint)", "a wildcard takes more than the type uint", "/item/?*"),
            ("/code/:code([A-Z]{2})", "a wildcard takes more than an expression", "/code/?*"),
            ("/x\\*y", "\"*\" cannot be said but as any character", "/x?y"),
            ("/u/:id/x/*rest", "a wildcard before the rest takes slashes", "/u/?*/x/*"),
        ]
    )
    func wider(pattern: String, reason: String, nearest: String) throws {
        let error = try #require(throws: AppLinksError.self) { try Self.file([pattern]) }
        let diagnostic = try #require(error.diagnostics.first)
        #expect(diagnostic.message == "\"\(pattern)\" cannot be said exactly: \(reason)")
        #expect(diagnostic.suggestion?.contains("\"\(nearest)\"") == true)
        let file = try Self.file([pattern], wider: .written)
        #expect(file.details[0].components.contains { $0.path == nearest })
        #expect(file.warnings.map(\.message) == [diagnostic.message] && file.warnings[0].severity == .warning)
    }

    @Test("Random tables: the app opens exactly the URLs that have a route")
    func random() throws {
        var random = SeededGenerator(seed: 20)
        let items = ["a", "b", ":x", ":y", "v:z", ":p-:q", "*", "(/c)", "(/:o)", ":u(uuid)", ":f(bool)"]
        let words = ["a", "b", "c", "v1", "v", "x-y", "true", "6f1e0d0a-0000-4000-8000-00000000abcd", "q"]
        var tried = 0
        for _ in 0..<300 {
            var patterns: Set<String> = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                var pattern = ""
                for (place, item) in (0..<Int.random(in: 1...4, using: &random))
                    .map({ ($0, items.randomElement(using: &random) ?? "a") })
                {
                    // Names are used once in a pattern.
                    let item = item.replacing(":", with: ":n\(place)")
                    pattern += item.hasPrefix("(") ? item : "/" + item
                }
                if Int.random(in: 0..<5, using: &random) == 0 { pattern = "/r" + String(patterns.count) + "/*rest" }
                patterns.insert(pattern)
            }
            guard let table = try? Self.table(patterns.sorted()) else { continue }
            let file = try Self.file(patterns.sorted())
            for _ in 0..<60 {
                let count = Int.random(in: 1...5, using: &random)
                let first = Int.random(in: 0..<4, using: &random) == 0 ? "/r0" : ""
                let path = first + (0..<count).map { _ in "/" + (words.randomElement(using: &random) ?? "a") }.joined()
                let opens = try file.explain("https://example.com\(path)")[0].outcome == .opens
                #expect(opens == (table.match(path) != nil), "\(patterns) \(path)")
                tried += 1
            }
        }
        #expect(tried > 10_000)
    }

    @Test("Android gets the same components, with one character for each digit of a uuid")
    func android() throws {
        let routes = AppLinkRoute.all(of: try Self.table(["/item/:id", "/u/:u(uuid)"]))
        let file = try AssetLinks(
            routes: routes,
            package: "com.example.app",
            fingerprints: [AssetLinksTests.print],
            host: "example.com"
        )
        let answer: (String) throws -> AppLinkAnswer.Outcome = {
            try file.explain("https://example.com\($0)")[0].outcome
        }
        #expect(try answer("/item/7") == .opens)
        #expect(try answer("/item/7/x") == .excluded)
        #expect(try answer("/u/6f1e0d0a-0000-4000-8000-00000000abcd") == .opens)
        #expect(try answer("/u/7") == .unmatched)
        #expect(throws: AppLinksError.self) {
            try AssetLinks(routes: routes, package: "app", fingerprints: [], host: "example.com")
        }
    }

    // MARK: From modules

    struct Item: Codable, Sendable { var id: Int }
    static let show = Action<Item, Nothing>("Shop.show", at: "https://example.com/item/:id", for: .links)
    static let buy = Action<Item, Nothing>("Shop.buy", "POST", at: "https://example.com/buy/:id", for: .links)
    static let inside = Action<Item, Nothing>("Shop.inside", at: "https://example.com/inside/:id")
    static let old = Action<Item, Nothing>("Shop.old", at: "shop://item/:id", for: .links)

    static let actions = [show, buy, inside, old]

    struct Shop: Module {
        func define(_ definition: inout ModuleDefinition<Nothing>) {
            for action in AppLinkWritingTests.actions {
                definition.handle(action) { _, _ in Nothing() }
            }
        }
    }

    @Test("The actions that are exposed to links make the files that are served")
    func fromModules() throws {
        var assembly = Assembly()
        assembly.add(Shop())
        let links = try Links(try assembly.build(), rules: Engine(try RuleSet(text: "")))
        let file = try AppSiteAssociation(
            routes: links.appLinkRoutes,
            apps: ["ABCDE12345.com.example.app"],
            host: "example.com"
        )
        #expect(file.details[0].components.map(\.path) == ["/item/*/*", "/item/?*"])
        #expect(file.details[0].components.last?.comment == "Shop.show")

        let files = AppLinkFiles(apple: file)
        #expect(files.file(at: "/.well-known/apple-app-site-association") == file.json())
        #expect(files.file(at: "/apple-app-site-association") == file.json())
        #expect(files.file(at: "/.well-known/assetlinks.json") == nil)
        #expect(files.file(at: "/.well-known/apple-app-site-association.json") == nil)
    }
}
