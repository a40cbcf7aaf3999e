import Foundation
import SeededRandom
import Shunt
import ShuntAppLinks
import ShuntRouting
import TestSettings
import Testing

/// Files for random tables: the app opens exactly the URLs that have a route, on both platforms and by every reading.
///
/// `SHUNT_APP_LINK_URLS` asks for more URLs than usual, `SHUNT_APP_LINK_SEED` for other ones.
@Suite struct RandomTableTests {
    private static let urls = TestSettings.appLinkURLs
    /// The paths for each table: more of them for a long run, since making files takes longer than comparing URLs.
    private static let pathsOfTable = max(60, urls / 2_000)

    private static let items = [
        "a", "b", "caf%C3%A9", "x.y", ":x", ":y", "v:z", ":p-:q", "*", "(/c)", "(/:o)", ":f(bool)", ":l(en|de)",
        ":w.tar.gz", "v-:x", "vx:y", "@:u", "@:l(en|de)", "@:l(en|de)-:m",
    ]
    private static let words = [
        "a", "b", "c", "v1", "v", "x-y", "--z", "true", "en", "de", "fr", "x.y", "x_y", "caf%C3%A9", "q.tar.gz",
        "q.r.tar.gz", "v-", "vx", "vxy", "v-1", "@", "@en", "@en-", "@de-x", "@ann",
    ]

    private static func patterns(_ random: inout SeededGenerator) -> [String] {
        var patterns: Set<String> = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            var pattern = ""
            for place in 0..<Int.random(in: 1...4, using: &random) {
                // Names are used once in a pattern.
                let item = (items.randomElement(using: &random) ?? "a").replacing(":", with: ":n\(place)")
                pattern += item.hasPrefix("(") ? item : "/" + item
            }
            if Int.random(in: 0..<5, using: &random) == 0 { pattern = "/r\(patterns.count)/*rest" }
            if Int.random(in: 0..<12, using: &random) == 0 { pattern = "/s/:n/*rest" }
            if Int.random(in: 0..<24, using: &random) == 0 { pattern = "/s/v:n/*rest" }
            patterns.insert(pattern)
        }
        return patterns.sorted()
    }

    private static func path(_ random: inout SeededGenerator) -> String {
        let first = ["", "", "", "/r0", "/s"].randomElement(using: &random) ?? ""
        let count = Int.random(in: 1...5, using: &random)
        let path = first + (0..<count).map { _ in "/" + (words.randomElement(using: &random) ?? "a") }.joined()
        // A slash at the end does not count in routes, on Apple's devices as recorded, and in Android's files.
        return Int.random(in: 0..<8, using: &random) == 0 ? path + "/" : path
    }

    /// The file; nil if its format cannot express the routes, which is the only reason.
    private static func made<File>(_ body: () throws(AppLinksError) -> File) -> File? {
        do throws(AppLinksError) {
            return try body()
        } catch {
            #expect(error.diagnostics.allSatisfy { $0.code == "pattern" }, "\(error)")
            return nil
        }
    }

    @Test("The app opens exactly the URLs that have a route")
    func random() throws {
        var random = SeededGenerator(seed: UInt64(TestSettings.appLinkSeed))
        var tried = 0
        var files = (apple: 0, android: 0)
        while tried < Self.urls {
            var builder = RouteTableBuilder()
            for pattern in Self.patterns(&random) { builder.add(pattern, name: pattern) }
            guard let table = try? builder.build() else { continue }
            let routes = AppLinkRoute.all(of: table)
            let apple = Self.made { () throws(AppLinksError) in
                try AppSiteAssociation(routes: routes, apps: ["ABCDE12345.a.b"], host: "example.com")
            }
            let android = Self.made { () throws(AppLinksError) in
                let prints = [AssetLinksTests.print]
                return try AssetLinks(routes: routes, package: "a.b", fingerprints: prints, host: "example.com")
            }
            if apple != nil { files.apple += 1 }
            if android != nil { files.android += 1 }
            let readings = [
                apple.map { ("Apple", AppLinkMatcher($0)) },
                apple.map { ("Apple, each slash", AppLinkMatcher($0, countsSlashes: true)) },
                android.map { ("Android", AppLinkMatcher($0)) },
            ]
            for _ in 0..<Self.pathsOfTable {
                let path = Self.path(&random)
                for (name, matcher) in readings.compactMap(\.self) where name != "Apple, each slash" || path.last != "/"
                {
                    let opens = try matcher.answers("https://example.com\(path)")[0].outcome == .opens
                    #expect(opens == (table.match(path) != nil), "\(name): \(table.routes.map(\.pattern)) \(path)")
                    tried += 1
                }
            }
        }
        // What cannot be expressed is refused; most tables can be.
        #expect(files.apple > 10 && files.android > 3, "\(files)")
    }
}
