import Shunt
import ShuntCore
import ShuntTools
import Testing

@Suite("shunt lint: how its work grows")
struct LintWorkTests {
    private static let forms: [(name: String, begin: String, rule: @Sendable (Int) -> String)] = [
        ("rewrites", "server {\nserver_name a.example;", { "rewrite ^/old-\($0)/(.*)$ /new/\($0)/$1 last;" }),
        ("tests", "server {\nserver_name a.example;", { "if ($arg_page ~ ^old-\($0)$) { return 302 /new/\($0); }" }),
        ("locations", "server {\nserver_name a.example;", { "location /old-\($0)/ { return 302 /new/\($0); }" }),
    ]

    @Test("Twice the rules are not more than twice the work, and all are judged", arguments: forms.map(\.name))
    func growth(form: String) throws {
        let form = try #require(Self.forms.first { $0.name == form })
        func run(_ count: Int) throws -> LintRun {
            let rules = [form.begin] + (1...count).map(form.rule) + ["}"]
            let ruleSet = try RuleSet(text: rules.joined(separator: "\n"), named: "r")
            return LintRun(ruleSet, LintOptions(asOf: Timestamp(seconds: LintStatement.time)))
        }
        let (few, many) = (try run(20), try run(40))
        #expect(few.work > 0)
        #expect(many.work <= 2 * few.work)
        #expect(few.judgedCount == 20)
        #expect(many.judgedCount == 40)
    }
}
