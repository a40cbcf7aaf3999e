import ShuntCore
import ShuntRules
import Testing

/// The warning about `$upstream_status`, which has a value once an upstream has answered.
@Suite struct AnswerVariableWarningTests {
    private static let map = "map $upstream_status $late { default a; 404 b; }"

    @Test(
        "It is given where the variable is read before an upstream answers, also by a map",
        arguments: [
            ("server { add_header A $upstream_status; }", []), ("\(map) server { add_header A $late; }", []),
            ("server { add_header A $upstream_status; } \(map)", []), ("\(map) server { expires $late; }", []),
            ("\(map) map $late $later { default $host; } server { add_header A $later; }", []),
            ("server { if ($upstream_status) { return 403; } }", [14]),
            ("server { add_header A $upstream_status; return 200 $upstream_status; }", [52]),
            ("\(map) server { if ($late) { return 403; } }", [5]),
            ("\(map) map $late $later { default a; } server { add_header A $late; rewrite ^ /$later; }", [5]),
            ("server { rewrite ^ /$upstream_http_a$sent_http_a$status; }", []),
        ] as [(String, [Int])]
    )
    func columns(text: String, columns: [Int]) throws {
        let found = try RuleSet(text: text).diagnostics.filter { $0.code == "external-variable" }
        #expect(found.map(\.location.column) == columns)
    }
}
