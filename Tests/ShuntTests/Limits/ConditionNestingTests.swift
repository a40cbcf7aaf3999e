import Shunt
import ShuntCore
import Testing

@testable import ShuntRules

/// Conditions of more parentheses than nest.
@Suite("Parentheses of conditions")
struct ConditionNestingTests {
    @Test(
        "A word with more than may nest is cut no further, each time with a copy of the word",
        arguments: [("(", ""), ("(", "$host"), ("!(", "$host"), ("", "$host"), ("!", "$host")]
    )
    func tokens(before: String, after: String) {
        let text = String(repeating: before, count: 10_000) + after + String(repeating: ")", count: 10_000)
        let word = Word(bytes: Array(text.utf8), isQuoted: false, position: .none, sourceLength: Int32(text.utf8.count))
        let tokens = ConditionReader([word]).tokens
        #expect(tokens.count <= 70)
        #expect(throws: RuleSetError.self) { try RuleSet(text: "if (\(text)) { block ~ .; }") }
    }

    @Test("As many as nest are read", arguments: [1, 31])
    func deep(count: Int) throws {
        let text =
            "if (" + String(repeating: "(", count: count) + "$host = a.test" + String(repeating: ")", count: count)
            + ") { block ~ .; }"
        let decision = Engine(try RuleSet(text: text)).decide(RuleRequest(url: "http://a.test/"))
        #expect(decision.kind == .block)
    }
}
