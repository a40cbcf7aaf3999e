import ShuntRules
import Testing

@testable import ShuntConvert

@Suite("Words of rule files")
struct RuleWordTests {
    private static let table: [(text: String, word: String)] = [
        ("^http:(.*)", "^http:(.*)"),
        ("", "\"\""),
        ("^http://a\\.b/(\\d+)$", "^http://a\\.b/(\\d+)$"),
        ("a b", "\"a b\""),
        ("\\d{2}", "\"\\d{2}\""),
        ("[;?]", "\"[;?]\""),
        ("say \"no\"", "\"say \\\"no\\\"\""),
        ("\"", "\"\\\"\""),
        ("'", "\"'\""),
        ("it's", "it's"),
        ("#a", "\"#a\""),
        ("a#b", "a#b"),
        ("[^\\n]", "[^\\\\n]"),
        ("\\t\\r\\'", "\\\\t\\\\r\\\\'"),
        ("a\\\\.b", "a\\\\\\.b"),
        ("a\\\\\\.b", "a\\\\\\\\\\.b"),
        ("end\\", "end\\\\"),
        ("a}b", "\"a}b\""),
        ("例", "例"),
    ]

    @Test("a word is quoted and escaped only where it has to be, and is read as the text", arguments: table)
    func quoting(text: String, word: String) {
        #expect(RuleWord.quoting(text) == word)
        for written in [word, RuleWord.quoting(text, always: true)] {
            let source = RuleFiles.load(text: "input $x \(written);", named: "a.conf")
            #expect(source.directives.first?.arguments.last?.text == text, "\(written)")
        }
    }

    @Test("an escaped text matches itself only")
    func escaping() {
        #expect(
            RuleWord.escapingExpression("a.b|c(d)*[e]{2}^$\\+?") == "a\\.b\\|c\\(d\\)\\*\\[e\\]\\{2\\}\\^\\$\\\\\\+\\?"
        )
    }
}
