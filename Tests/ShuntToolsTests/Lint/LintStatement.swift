import Shunt
import ShuntCore
import ShuntTools
import Testing

/// Rules, and what is to be found in them.
struct LintStatement: Sendable, CustomTestStringConvertible {
    /// Lines with the checks that find something there, such as `2 unreachable-rule`.
    var found: [String]
    /// Checks that find nothing.
    var absent: [String]
    /// Texts that the remarks, messages and suggestions have somewhere.
    var says: [String]
    var rules: String
    var target: LintOptions.Target
    var asOf: Int64

    static let time: Int64 = 1_793_491_200  // 2026-11-01T00:00:00Z

    init(
        _ rules: String,
        finds found: [String] = [],
        notFinding absent: [String] = [],
        says: [String] = [],
        for target: LintOptions.Target = .shunt,
        asOf: Int64 = time
    ) {
        self.rules = rules
        self.found = found
        self.absent = absent
        self.says = says
        self.target = target
        self.asOf = asOf
    }

    var testDescription: String { rules }

    /// The findings of all checks.
    func findings(_ change: (inout LintOptions) -> Void = { _ in }) throws -> [LintFinding] {
        var options = LintOptions(asOf: Timestamp(seconds: asOf))
        options.target = target
        options.checks = Set(LintCheck.all.map(\.id))
        options.tests = try tests()
        change(&options)
        return LintRun(try RuleSet(text: rules, named: "r"), options).findings
    }

    /// The tests that the rules bring along.
    private func tests() throws -> [TestCase] {
        guard rules.contains("expect ") else { return [] }
        let files = InMemoryFileSystem(["/r": rules])
        return try RuleSet(collectingTestsAt: "/r", from: files).tests
            .map {
                var test = TestCase($0)
                test.location.file = "r"
                return test
            }
    }

    func hold(_ location: SourceLocationOfTest = #_sourceLocation) throws {
        let findings = try findings()
        let places = findings.map { "\($0.diagnostic.location.line) \($0.check)" }
        for wanted in found { #expect(places.contains(wanted), "\(places)", sourceLocation: location) }
        for check in absent {
            let of = findings.filter { $0.check == check }.map { ($0.diagnostic.message, $0.remarks) }
            #expect(of.isEmpty, "\(of)", sourceLocation: location)
        }
        let text = findings.flatMap { $0.remarks + [$0.diagnostic.message, $0.diagnostic.suggestion ?? ""] }
            .joined(separator: "\n")
        for wanted in says { #expect(text.contains(wanted), "\(text)", sourceLocation: location) }
    }

    typealias SourceLocationOfTest = Testing.SourceLocation
}
