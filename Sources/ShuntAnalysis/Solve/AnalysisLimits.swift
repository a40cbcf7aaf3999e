import ShuntAutomata

/// Bounds on the work of analysing rules.
///
/// They count work, not time, so that the same rules give the same answers on every machine. What would pass a bound is said
/// to be not proved.
public struct AnalysisLimits: Sendable, Hashable {
    /// How many states the automaton of one expression may have.
    public var statesPerExpression = 10_000
    /// How many states one question about several automata may reach.
    public var statesPerProof = 50_000
    /// How many letters one question may follow.
    public var stepsPerProof = 5_000_000
    /// How many transitions of automata are kept to be used again, of 4 bytes each.
    public var transitionsKept = 16_000_000
    /// How many bytes a value that is made up may have.
    public var witnessBytes = 4096
    /// How many requests are tried for one question.
    public var requestsPerQuestion = 32

    /// The usual limits.
    public init() {}

    /// For one expression.
    var expression: AutomatonLimits { AutomatonLimits(states: statesPerExpression, steps: stepsPerProof) }
    /// For a question about several.
    var proof: AutomatonLimits { AutomatonLimits(states: statesPerProof, steps: stepsPerProof) }
}
