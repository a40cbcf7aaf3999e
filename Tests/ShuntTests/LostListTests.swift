import Shunt
import ShuntCore
import ShuntRules
import Testing

/// Lists without an entry.
struct LostListTests {
    @Test(
        "A list that was lost on its way is an error, and one of comments is not",
        arguments: [
            "", "<!DOCTYPE html>\n<p>404 Not Found</p>\n", "{}", "\n404: Not Found\n", "\n", " \t\r\n", "\u{feff}",
            "[]",
            "# none", "\n; none\n\n",
        ]
    )
    func lost(text: String) throws {
        for directive in [
            "block networks n;", "block agents n;", "block urls n;", "allow networks n;", "blocklist n;",
            "redirects n;", "geo $g { include n 1; }", "map $host $m { include n 1; }",
        ] {
            // Any text is an agent or a key, and only networks have comments after a semicolon.
            if text.contains(";"), !directive.contains("networks"), !directive.contains("geo") { continue }
            if text == "{}" || text == "[]", directive.contains("map") { continue }
            let isMeant = text.contains("none")
            do throws(RuleSetError) {
                let rules = try RuleSet(
                    path: "/r",
                    from: InMemoryFileSystem(["/r/a.conf": directive, "/r/n": text])
                )
                #expect(isMeant && rules.diagnostics.map(\.code) == ["empty-list"], "\(directive)")
            } catch {
                let isPage = text.hasPrefix("<") || text.contains("404: ")
                let isJSON = ["{}", "[]"].contains(text) && directive.hasPrefix("redirects")
                let code = isPage || isJSON ? "invalid-list" : "empty-list"
                #expect(!isMeant && error.diagnostics.contains { $0.code == code }, "\(directive)")
                #expect(isJSON || error.diagnostics.contains { $0.suggestion?.hasPrefix("restore the list") == true })
            }
        }
    }
}
