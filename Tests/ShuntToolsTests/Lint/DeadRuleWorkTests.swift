import Shunt
import ShuntCore
import ShuntTools
import TestSettings
import Testing

/// `SHUNT_DEAD_RULES` asks for more rules.
@Suite("Proofs that rules are dead: how their work grows")
struct DeadRuleWorkTests {
    /// Rules that take everything of the rules after them, each one of these.
    struct Form: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var begin = ""
        var cover: @Sendable (Int) -> String
        var dead: @Sendable (Int) -> String
        var end = ""

        func rules(_ count: Int) -> String {
            ([begin] + (1...count).map(cover) + (1...count).map(dead) + [end]).joined(separator: "\n")
        }
    }

    static let forms = [
        Form(
            testDescription: "rewrites",
            begin: "server {",
            cover: { "rewrite ^/old-\($0)/(.*)$ /new/\($0)/$1 last;" },
            dead: { "rewrite ^/old-\($0)/page\\.html$ /page last;" },
            end: "}"
        ),
        Form(
            testDescription: "locations",
            begin: "server {",
            cover: { "location ~ ^/old-\($0)/ { return 302 /new/\($0); }" },
            dead: { "location ~ ^/old-\($0)/page { return 302 /page; }" },
            end: "}"
        ),
        Form(
            testDescription: "hosts",
            cover: { "block host .ads-\($0).example;" },
            dead: { "block host www.ads-\($0).example 410;" }
        ),
        Form(
            testDescription: "URLs",
            begin: "match_spelling exact;",
            cover: { "block ~ ^https?://[^/]*/old-\($0)/;" },
            dead: { "block ~ ^https://a\\.example/old-\($0)/x 410;" }
        ),
    ]

    private func run(_ form: Form, _ count: Int) throws -> LintRun {
        var options = LintOptions(asOf: Timestamp(seconds: LintStatement.time))
        options.checks = ["unreachable-rule", "unreachable-location"]
        return LintRun(try RuleSet(text: form.rules(count), named: "r"), options)
    }

    @Test("Each dead rule is found with the same small work, however many there are", arguments: forms)
    func growth(form: Form) throws {
        let count = TestSettings.deadRules
        let (few, many) = (try run(form, count / 2), try run(form, count))
        #expect(few.findings.count == count / 2)
        #expect(many.findings.count == count)
        #expect(few.work > 0)
        #expect(many.work <= 2 * few.work)
        // The rule and its cover: an automaton each, and three sets that are compared.
        #expect(many.work <= 10 * count, "\(many.work)")
    }
}
