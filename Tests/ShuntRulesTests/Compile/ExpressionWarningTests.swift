import Foundation
import ShuntCore
import ShuntRules
import Testing

/// Warnings of regular expressions, wherever they are.
@Suite struct ExpressionWarningTests {
    private static let rules = [
        "block ~ \"^kl://(a+)+$\";", "rename_host \"~^(a+)+$\" b.test;", "remove_args \"~(a+)+\";",
        "server { server_name a.test; remove_args utm_source \"~(a+)+\"; }",
        "server { server_name a.test; location ~ \"^/(a+)+$\" { } }",
    ]

    @Test("An expression that may reach the limit is warned of", arguments: rules)
    func slow(text: String) throws {
        #expect(try RuleSet(text: text).diagnostics.map(\.code) == ["slow-regex"])
    }

    @Test("A wrong expression is an error at its byte", arguments: rules)
    func wrong(text: String) throws {
        let wrong = text.replacing("(a+)+", with: "(a+]")
        let error = #expect(throws: RuleSetError.self) { try RuleSet(text: wrong) }
        #expect(error?.diagnostics.map(\.code) == ["invalid-regex"])
        let column = try #require(error?.diagnostics.first?.location.column)
        let word = try #require(wrong.range(of: "(a+]"))
        #expect(column > wrong.distance(from: wrong.startIndex, to: word.lowerBound))
    }
}
