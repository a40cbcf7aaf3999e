import ShuntPatterns

/// Bounds on the work of analysing rules.
///
/// They count work, not time, so that the same rules have the same answers on every machine. What would pass a bound is
/// reported as not proved.
public struct AnalysisLimits: Sendable, Hashable {
    /// The most states of the automaton of one expression.
    public var statesPerExpression = 10_000
    /// The most states that one question about several automata may reach.
    public var statesPerProof = 50_000
    /// The most letters that one question may follow.
    public var stepsPerProof = 5_000_000
    /// The most transitions of automata that are kept for reuse, 4 bytes each.
    public var transitionsKept = 16_000_000
    /// The most bytes of a value that the solver builds.
    public var witnessBytes = 4096
    /// The most requests that are tried for one question.
    public var requestsPerQuestion = 32

    /// The usual limits.
    public init() {}

    var expression: AutomatonLimits { AutomatonLimits(states: statesPerExpression, steps: stepsPerProof) }
    /// For a question about several.
    var proof: AutomatonLimits { AutomatonLimits(states: statesPerProof, steps: stepsPerProof) }
}
