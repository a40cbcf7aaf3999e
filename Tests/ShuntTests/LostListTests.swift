import Shunt
import ShuntCore
import ShuntRules
import Testing

/// Lists of `block`, `allow` and `blocklist` without an entry.
struct LostListTests {
    @Test(
        "A list that was lost on its way is an error, and one of comments is not",
        arguments: [
            "", "<!DOCTYPE html>\n<p>404 Not Found</p>\n", "{}", "\n404: Not Found\n", "\n", "# none", "\n; none\n\n",
        ]
    )
    func lost(text: String) throws {
        for directive in ["block networks n;", "block agents n;", "block urls n;", "allow networks n;", "blocklist n;"]
        {
            // Any text is an agent, and only networks have comments after a semicolon.
            if directive.contains("agents"), text.contains("404: ") || text.contains(";") { continue }
            if text.contains(";"), directive.contains("urls") || directive.contains("blocklist") { continue }
            let isMeant = text.contains("none") || text == "\n"
            do throws(RuleSetError) {
                let rules = try RuleSet(
                    path: "/r",
                    from: InMemoryFileSystem(["/r/a.conf": directive, "/r/n": text])
                )
                #expect(isMeant && rules.diagnostics.map(\.code) == ["empty-list"], "\(directive)")
            } catch {
                let code = text.hasPrefix("<") ? "invalid-list" : "empty-list"
                #expect(!isMeant && error.diagnostics.contains { $0.code == code }, "\(directive)")
                #expect(error.diagnostics.contains { $0.suggestion?.hasPrefix("restore the list") == true })
            }
        }
    }
}
