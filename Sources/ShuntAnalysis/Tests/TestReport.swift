import ShuntCore
public import ShuntRules

/// What came of many tests.
public struct TestReport: Sendable {
    /// What came of each test, in their order.
    public var outcomes: [TestOutcome] = []
    /// The rules.
    public let ruleSet: RuleSet
    /// What of the rules was reached; nil where nobody asked.
    package var counts: CoverageRecorder.Counts?

    package init(_ ruleSet: RuleSet) {
        self.ruleSet = ruleSet
    }

    /// How many tests ended in a way.
    public func count(_ result: TestOutcome.Result) -> Int {
        outcomes.count { $0.result == result }
    }

    /// Whether no test failed.
    public var isPassed: Bool { !outcomes.indices.contains { outcomes[$0].result == .failed } }

    /// What was asserted and not checked, each kind with how often, the most frequent first.
    public var notChecked: [(kind: String, count: Int)] {
        var counts: [String: Int] = [:]
        for index in outcomes.indices { for kind in outcomes[index].notChecked { counts[kind, default: 0] += 1 } }
        return counts.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.map { ($0.key, $0.value) }
    }

    /// The files of the tests in the order of their first test, each with its tests.
    package var files: [(name: String, outcomes: [TestOutcome])] {
        var names: [String] = []
        var groups: [String: [TestOutcome]] = [:]
        for outcome in outcomes {
            let name = outcome.test.location.file
            if groups[name] == nil { names.append(name) }
            groups[name, default: []].append(outcome)
        }
        return names.map { ($0, groups[$0] ?? []) }
    }

    /// Adds the tests that others made behind these.
    public mutating func append(_ other: TestReport) {
        outcomes += other.outcomes
        if let more = other.counts {
            if counts == nil { counts = more } else { counts?.formUnion(more) }
        }
    }

    /// What of the rules the tests reached; nil where nobody asked.
    public var coverage: RuleCoverage? { counts.map { RuleCoverage(ruleSet, $0) } }
}
