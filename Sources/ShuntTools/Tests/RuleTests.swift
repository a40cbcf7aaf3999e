public import Shunt

/// The tests of a rule set, and how they are made.
public struct RuleTests: Sendable {
    /// The options of test runs.
    public struct Options: Sendable {
        /// The time of requests that name none; nil is now.
        public var time: Timestamp?
        /// The folder that requests for files are looked up in; with it files are looked for on the disk.
        public var documentRoot: String?
        /// True if rules are tried one after another.
        public var isLinear = false
        /// True if it is noted what of the rules the tests reach.
        public var collectsCoverage = false
        /// True if the first test that fails is the last.
        public var stopsAtFailure = false

        /// Makes the usual options.
        public init() {}
    }

    /// The rules.
    public let ruleSet: RuleSet
    /// The tests, in the order in which they are reported.
    public let cases: [TestCase]
    /// The options of the run.
    public let options: Options
    private let names: [SourcePosition: String]

    /// Prepares tests.
    public init(_ ruleSet: RuleSet, _ cases: [TestCase], options: Options = Options()) {
        self.ruleSet = ruleSet
        self.cases = cases
        self.options = options
        names = ruleSet.document.notes.compactMapValues { $0["name"] }
    }

    /// Runs all tests.
    public func run() -> TestReport { run(cases.indices) }

    /// Makes some of the tests.
    public func run(_ range: Range<Int>) -> TestReport {
        var runner = TestRunner(ruleSet, options: options, names: names)
        var report = TestReport(ruleSet)
        var hasFailed = false
        for test in cases[range] {
            if hasFailed, options.stopsAtFailure {
                report.outcomes.append(TestOutcome(test: test, result: .skipped))
                continue
            }
            let outcome = runner.run(test)
            hasFailed = hasFailed || outcome.result == .failed
            report.outcomes.append(outcome)
        }
        report.counts = runner.counts
        return report
    }
}
