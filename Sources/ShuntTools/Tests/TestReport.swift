public import Shunt

/// The result of many tests.
public struct TestReport: Sendable {
    /// The result of each test, in order.
    public var outcomes: [TestOutcome] = []
    /// The rules.
    public let ruleSet: RuleSet
    /// The parts of the rules that were reached; nil unless coverage was requested.
    package var counts: CoverageRecorder.Counts?

    package init(_ ruleSet: RuleSet) { self.ruleSet = ruleSet }

    /// Returns the number of tests with a result.
    public func count(_ result: TestOutcome.Result) -> Int { outcomes.count { $0.result == result } }

    /// True if no test failed.
    public var isPassed: Bool { !outcomes.indices.contains { outcomes[$0].result == .failed } }

    /// The assertions that were not checked, each kind with its count, the most frequent first.
    public var notChecked: [(kind: String, count: Int)] {
        var counts: [String: Int] = [:]
        for index in outcomes.indices { for kind in outcomes[index].notChecked { counts[kind, default: 0] += 1 } }
        return counts.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.map { ($0.key, $0.value) }
    }

    /// The files of the tests in the order of their first test, each with the numbers of its tests.
    package var files: [(name: String, tests: [Int])] {
        var names: [String] = []
        var groups: [String: [Int]] = [:]
        for index in outcomes.indices {
            let name = outcomes[index].test.location.file
            if groups[name] == nil { names.append(name) }
            groups[name, default: []].append(index)
        }
        return names.map { ($0, groups[$0] ?? []) }
    }

    /// Adds the tests that others made after these.
    public mutating func append(_ other: TestReport) {
        outcomes += other.outcomes
        if let more = other.counts {
            if counts == nil { counts = more } else { counts?.formUnion(more) }
        }
    }

    /// The coverage of the rules by the tests; nil unless requested.
    public var coverage: RuleCoverage? { counts.map { RuleCoverage(ruleSet, $0) } }
}
