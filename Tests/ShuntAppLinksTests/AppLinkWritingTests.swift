import SeededRandom
import Shunt
import ShuntAppLinks
import ShuntInterfaces
import ShuntLinks
import ShuntModules
import ShuntRouting
import Testing

/// Association files from routes: exact where the formats can express it, and named where they cannot.
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
            ("/item/:id", ["no /item/*/?*", "/item/?*"]),
            ("/item/:id/reviews", ["no /item/*/*/?*", "/item/?*/reviews"]),
            ("/v:major/:file.tar.gz", ["no /v*/*/?*", "/v?*/?*.tar.gz"]),
            ("/:lang(en|de)/about", ["/$(lang1)/about"]),
            ("/:kind(^(?:news|sport)$)/x", ["/$(kind)/x"]),
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
        #expect(components.map { ($0.isExcluded == true ? "no " : "") + ($0.path ?? "-") } == expected)
    }

    @Test("A file that is written has nothing to report", arguments: ["/files/*path", "/*all", "/:l(en|de)/*rest"])
    func silence(pattern: String) throws {
        #expect(try AppSiteAssociation(reading: Self.file([pattern]).json()).warnings.isEmpty)
        #expect(try AssetLinks(reading: Self.androidFile([pattern]).json()).warnings.isEmpty)
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
        "Routes that cannot be expressed are refused with the nearest pattern, or written and named",
        arguments: [
            ("/item/:id(uint)", "a wildcard takes more than the type uint", "/item/?*"),
            ("/code/:code([A-Z]{2})", "a wildcard takes more than an expression", "/code/?*"),
            ("/x\\*y", "\"*\" can only be expressed as any character", "/x?y"),
            ("/u/:id/x/*rest", "a wildcard before the rest takes slashes", "/u/?*/x/*"),
            ("/v:id/*rest", "a wildcard before the rest takes slashes", "/v?*/*"),
        ]
    )
    func wider(pattern: String, reason: String, nearest: String) throws {
        let error = try #require(throws: AppLinksError.self) { try Self.file([pattern]) }
        let diagnostic = try #require(error.diagnostics.first)
        #expect(diagnostic.message == "\"\(pattern)\" cannot be expressed exactly: \(reason)")
        #expect(diagnostic.suggestion?.contains("\"\(nearest)\"") == true)
        let file = try Self.file([pattern], wider: .written)
        #expect(file.details[0].components.contains { $0.path == nearest })
        #expect(file.warnings.map(\.message) == [diagnostic.message] && file.warnings[0].severity == .warning)
    }

    @Test(
        "Android's file has decoded texts, both spellings of the end, and no variables",
        arguments: [
            ("/", ["/"]),
            ("/about", ["/about", "/about/"]),
            ("/caf%C3%A9/:id", ["no /caf\u{e9}/*/?*", "/caf\u{e9}/?*"]),
            ("/a.b", ["/a.b", "/a.b/"]),
            ("/item/:id/reviews", ["no /item/*/*/?*", "/item/?*/reviews", "/item/?*/reviews/"]),
            ("/u/:id/x/*rest", ["/u/?*/x/*", "no /u/*/*/?*", "/u/?*/x"]),
            ("/*all", ["/*"]), ("/:l(en|de)/*rest", ["/en/*", "/de/*", "/en", "/de"]),
            ("/v:x", ["no /v*/?*", "no /v/", "/v?*"]),
            ("/x(/v:y)", ["no /x/v*/?*", "no /x/v/", "/x/v?*", "/x", "/x/"]),
            ("/x-:l(en|de)", ["/x-en", "/x-en/", "/x-de", "/x-de/"]),
            ("/:lang(en|de)/x", ["/en/x", "/en/x/", "/de/x", "/de/x/"]),
        ] as [(String, [String])]
    )
    func androidComponents(pattern: String, expected: [String]) throws {
        let components = try Self.androidFile([pattern]).statements[0].components ?? []
        #expect(components.map { ($0.isExcluded == true ? "no " : "") + ($0.path ?? "-") } == expected)
    }

    @Test("On Android a slash alone is not a value: lines with a shorter beginning are first")
    func stems() throws {
        let file = try Self.androidFile(["/v", "/ver:x", "/v:x", "/:a", "/:a/ve:x"])
        let components = file.statements[0].components ?? []
        let paths = components.map { ($0.isExcluded == true ? "no " : "") + ($0.path ?? "-") }
        let deep = ["no /*/*/?*", "no /?*/ve/", "/?*/ve?*"]
        let longer = ["no /ver*/?*", "no /v*/?*", "no /*/?*"]
        #expect(paths == deep + longer + ["/v", "/v/", "/?*", "no /v/", "/v?*", "no /ver/", "/ver?*"])
    }

    @Test(
        "Routes that Android's patterns cannot express are refused with the nearest",
        arguments: [
            ("/p/:id.html", "on Android a wildcard ends at the first place of what follows it", "/p/?*"),
            ("/:a-:b", "on Android a wildcard ends at the first place of what follows it", "/?*"),
            ("/v:id/*rest", "a wildcard before the rest takes slashes", "/v?*/*"),
            ("/v1.2/:id", "\".\" can only be expressed as any character", "/v1.2/?*"),
            (
                "/u/:u(uuid)", "Android has no pattern for the digits of the type uuid",
                "/u/????????-????-????-????-????????????"
            ),
            ("/n/:id(uint)", "a wildcard takes more than the type uint", "/n/?*"),
        ]
    )
    func androidWider(pattern: String, reason: String, nearest: String) throws {
        let error = try #require(throws: AppLinksError.self) { try Self.androidFile([pattern]) }
        let diagnostic = try #require(error.diagnostics.first)
        #expect(diagnostic.message == "\"\(pattern)\" cannot be expressed exactly: \(reason)")
        #expect(diagnostic.suggestion?.contains("\"\(nearest)\"") == true)
        let file = try Self.androidFile([pattern], wider: .written)
        #expect(file.statements[0].components?.contains { $0.path == nearest } == true)
        let fingerprints = ["AB"]
        #expect(throws: AppLinksError.self) {
            try AssetLinks(routes: [], package: "app", fingerprints: fingerprints, host: "example.com")
        }
    }

    private static func androidFile(_ patterns: [String], wider: WiderPatterns = .refused) throws -> AssetLinks {
        try AssetLinks(
            routes: AppLinkRoute.all(of: try table(patterns)),
            package: "com.example.app",
            fingerprints: [AssetLinksTests.print],
            host: "example.com",
            wider: wider
        )
    }

    // MARK: From modules

    struct Item: Codable, Sendable { var id: Int }
    static let show = ModuleAction<Item, NoValue>("Shop.show", at: "https://example.com/item/:id", for: .links)
    static let buy = ModuleAction<Item, NoValue>(
        "Shop.buy",
        method: "POST",
        at: "https://example.com/buy/:id",
        for: .links
    )
    static let inside = ModuleAction<Item, NoValue>("Shop.inside", at: "https://example.com/inside/:id")
    static let old = ModuleAction<Item, NoValue>("Shop.old", at: "shop://item/:id", for: .links)

    static let actions = [show, buy, inside, old]

    struct Shop: ProgramModule {
        func define(_ definition: inout ModuleDefinition<NoValue>) {
            for action in AppLinkWritingTests.actions {
                definition.handle(action) { _, _ in NoValue() }
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
        #expect(file.details[0].components.map(\.path) == ["/item/*/?*", "/item/?*"])
        #expect(file.details[0].components.last?.comment == "Shop.show")

        let files = AppLinkFiles(apple: file)
        #expect(files.file(at: "/.well-known/apple-app-site-association") == file.json())
        #expect(files.file(at: "/apple-app-site-association") == file.json())
        #expect(files.file(at: "/.well-known/assetlinks.json") == nil)
        #expect(files.file(at: "/.well-known/apple-app-site-association.json") == nil)
    }
}
