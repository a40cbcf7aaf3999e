public import ShuntRules

/// The result of one test.
public struct TestOutcome: Sendable {
    /// The way a test ended.
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
        /// The subject: the decision, a header and so on.
        package var kind: String
        package var expected: String
        package var found: String
        /// The URL that was asked, where it is not that of the test.
        package var url: String?
    }

    /// The test.
    public var test: TestCase
    /// The result.
    public var result: Result
    /// The decision; nil for a test that was not run.
    public var decision: Decision?
    /// The expectations that did not hold.
    package var problems: [Problem] = []
    /// The test of a condition that decided, where one did.
    package var reason: String?
    /// The assertions that were not checked, by kind.
    public var notChecked: [String] = []
    /// The time of the decision.
    public var nanoseconds = 0

    /// True if the test waits for its decision to be written after its request.
    package var isUnrecorded: Bool { test.expectation == nil && result == .failed }

    /// The expected result in a few words.
    package var expected: String {
        problems.first?.expected ?? test.expectation?.decision?.text ?? test.status.map { "status \($0)" } ?? ""
    }

    /// The decision in a few words.
    package var decided: String {
        if let first = problems.first, first.kind != "decision" { return first.found }
        return decision.map { ExpectedDecision.text(of: $0) } ?? ""
    }

    /// The problem on one line.
    package var message: String {
        problems.map { problem in
            let asked = problem.url.map { ", for the URL \($0)" } ?? ""
            return "expected \(problem.expected), but got \(problem.found)\(asked)"
        }
        .joined(separator: "; ")
    }
}
