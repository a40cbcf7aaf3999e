import ShuntCore
public import ShuntRules

/// What came of one test.
public struct TestOutcome: Sendable {
    /// How a test can end.
    @nonexhaustive
    public enum Result: String, Sendable, Hashable {
        /// All came out as expected.
        case passed
        /// Something did not, or the test is not recorded yet.
        case failed
        /// The test was not made, because one before it failed.
        case skipped
        /// Nothing that the test asserts could be checked.
        case notChecked = "not-checked"
    }

    /// One thing that did not come out as expected.
    package struct Problem: Sendable, Hashable {
        /// What is looked at: the decision, a header and so on.
        package var kind: String
        package var expected: String
        package var found: String
        /// The URL that was asked, where it is not that of the test.
        package var url: String?
    }

    /// The test.
    public var test: TestCase
    /// How it ended.
    public var result: Result
    /// What was decided; nil for a test that was not made.
    public var decision: Decision?
    /// What did not come out as expected.
    package var problems: [Problem] = []
    /// The test of a condition that decided, where one did.
    package var reason: String?
    /// What was asserted and not checked, by kind.
    public var notChecked: [String] = []
    /// How long the decision took.
    public var nanoseconds = 0

    package init(_ test: TestCase, _ result: Result, decision: Decision? = nil) {
        self.test = test
        self.result = result
        self.decision = decision
    }

    /// Whether the test waits for its decision to be written behind its request.
    package var isUnrecorded: Bool { test.expectation == nil && result == .failed }

    /// What is expected, in a few words.
    package var expected: String {
        problems.first?.expected ?? test.expectation?.decision?.text ?? test.status.map { "status \($0)" } ?? ""
    }

    /// What is decided, in a few words.
    package var decided: String {
        if let first = problems.first, first.kind != "decision" { return first.found }
        return decision.map { ExpectedDecision.text(of: $0) } ?? ""
    }

    /// What is wrong, on one line.
    package var message: String {
        problems.map { problem in
            let asked = problem.url.map { ", asked for \($0)" } ?? ""
            return "expected \(problem.expected), but it is \(problem.found)\(asked)"
        }
        .joined(separator: "; ")
    }
}
