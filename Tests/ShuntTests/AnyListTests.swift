import SeededRandom
import Shunt
import ShuntCore
import Testing

@testable import ShuntRules

/// Lists of any text end in rules or in messages, and their rules decide as they do one by one.
@Suite("Lists of any text")
struct AnyListTests {
    private static let pieces = [
        "/a", "/b", "/", "/*", "*", ":x", ":splat", " ", " ", "\t", ",", ";", "\"", "\n", "\n", "\r\n", "https://",
        "http://", "h.test", "h.test/a",
        "?", "x=1", "=:x", "&", "#", "%", "%2F", "%00", "301", "200", "410", "!", "{\"redirects\":[",
        "{\"source\":\"/a", "\",\"destination\":\"/b",
        "\"}", ",", "]}", "(", ")", "\\", "true", "false", "\0", "\u{e9}", "+", "->", "..", "//", "from,to,status\n",
        "source_url,target_url\n",
        "deny ", "allow ", "all;", "::ffff:", "::ffff:0:0/96", "2001:db8::1-2001:db8::5", "{\"a\":\"", "0.0.0.0/0",
        "192.0.2.0/24", "192.0.2.1-192.0.2.9", "bot", "|", "[", "$1", "\u{feff}",
    ]

    private static let directives =
        RedirectForm.allCases.map { "redirects l format=\($0.rawValue);" } + [
            "redirects l;", "redirects l slash=either case=either query=exact;",
            "redirects l query=drop base=https://b.test;",
            "server { server_name h.test; redirects l; return 200; }", "block networks l;", "block agents l;",
            "allow networks l;",
            "allow agents l; block urls l;",
            "geo $g { include l 1; } block host $g;",
        ]

    @Test("They end in rules or messages", arguments: 1...6)
    func anyText(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var loaded = 0
        for _ in 0..<35 {
            var text = ""
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                text += Self.pieces.randomElement(using: &random) ?? ""
            }
            for directive in Self.directives {
                let files = InMemoryFileSystem(["/r/a.conf": directive, "/r/l": text])
                do throws(RuleSetError) {
                    try decide(try RuleSet(path: "/r", from: files), text)
                    loaded += 1
                } catch {
                    #expect(!error.diagnostics.isEmpty)
                }
            }
        }
        #expect(loaded > 200)
    }

    private func decide(_ rules: RuleSet, _ text: String) throws(RuleSetError) {
        var options = Engine.Options()
        options.isLinear = true
        let (engine, linear) = (Engine(rules), Engine(rules, options: options))
        for line in text.split(separator: "\n").prefix(3) {
            var request = RuleRequest(url: "https://h.test" + line.filter { $0 > " " })
            request.remoteAddress = "192.0.2.1"
            request.headers = [.init("User-Agent", String(line))]
            let decision = engine.decide(request)
            #expect(decision == linear.decide(request) && decision == engine.explain(request).decision, "\(text)")
        }
    }
}
