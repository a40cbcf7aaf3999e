import ShuntCore
import ShuntRules

/// What a request is looked for to do.
package enum RuleGoal: Sendable, Hashable {
    /// To make this instruction decide or change.
    case instruction(Int)
    /// To come to this test of an `if`, and make it come out so.
    case test(Int, Bool)
    /// To be in this location.
    case location(Int)
    /// To be for this server.
    case server(Int)
}

/// What the engine did with a request, as far as the solver looks.
struct Sighting {
    var request: RequestDescription
    var decision: Decision
    var steps: [Trace.Step]
    var positions: [SourcePosition]
}
