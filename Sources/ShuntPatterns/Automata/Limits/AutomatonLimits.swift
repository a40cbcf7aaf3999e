/// Bounds on the work of making an automaton, or of a walk through several.
///
/// What would pass a bound is refused with the bound as the reason; it never runs on. The bounds count work, not time, so
/// that the same input is refused or not on every machine.
public struct AutomatonLimits: Sendable, Hashable {
    /// The most nodes of the graph of one expression; counted repetitions are copied.
    public var nodes: Int
    /// The most states.
    public var states: Int
    /// The most steps: nodes visited and letters followed.
    public var steps: Int

    /// Makes limits; every bound is at least 1.
    public init(nodes: Int = 20_000, states: Int = 10_000, steps: Int = 5_000_000) {
        self.nodes = max(1, nodes)
        self.states = max(1, states)
        self.steps = max(1, steps)
    }

    /// For one expression: 20,000 nodes, 10,000 states, 5,000,000 steps.
    public static let expression = AutomatonLimits()
    /// For a question about several automata: 50,000 states, 5,000,000 steps.
    public static let proof = AutomatonLimits(states: 50_000)
}

struct StepCounter {
    private let limit: Int
    private var taken = 0

    init(_ limits: AutomatonLimits) { limit = limits.steps }

    @inline(__always) mutating func take(_ count: Int = 1) throws(AutomatonRefusal) {
        taken &+= count
        if taken > limit { throw .steps(limit) }
    }
}
