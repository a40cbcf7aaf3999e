public import ShuntRules

/// The result of running tests against small changes of the rules.
public struct MutationReport: Sendable {
    /// The result of one change.
    @nonexhaustive
    public enum Outcome: Sendable {
        /// This test fails with it; nil is a test that the rules bring along.
        case killed(by: Int?)
        /// It changes nothing: the sets of subjects are the same, or nothing reaches it.
        case equal
        /// No test fails; with the request that would, if one was found.
        case survived(Suggestion?)
    }

    /// A request that shows a change.
    public struct Suggestion: Sendable {
        /// The request that is decided.
        public var request: RequestDescription
        /// The decision today, which may be the mistake.
        public var today: Decision
        /// The decision with the change.
        public var changed: Decision
    }

    /// The changes and what became of them, in the order of the files.
    public var mutants: [(mutation: Mutation, outcome: Outcome)] = []

    /// The number of changes that were left when the time was over.
    public var untried = 0

    /// A report on no changes.
    public init() {}

    /// Adds the changes that others tried after these.
    public mutating func append(_ other: MutationReport) {
        mutants += other.mutants
        untried += other.untried
    }

    /// Returns the numbers of changes of a kind, or of all, that tests found, that are equal, and that no test found.
    public func counts(of kind: Mutation.Kind? = nil) -> (killed: Int, equal: Int, survived: Int) {
        var counts = (killed: 0, equal: 0, survived: 0)
        for (mutation, outcome) in mutants where kind == nil || mutation.kind == kind {
            switch outcome {
            case .killed: counts.killed += 1
            case .equal: counts.equal += 1
            case .survived: counts.survived += 1
            }
        }
        return counts
    }

    /// The percentage of changes that tests find, without equal ones; 100 if there are none.
    public var score: Double {
        let counts = counts()
        let all = counts.killed + counts.survived
        return all == 0 ? 100 : Double(counts.killed) * 100 / Double(all)
    }

    /// The changes that no test found.
    public var survivors: [(mutation: Mutation, suggestion: Suggestion?)] {
        mutants.compactMap { mutant in
            if case .survived(let suggestion) = mutant.outcome { (mutant.mutation, suggestion) } else { nil }
        }
    }
}
