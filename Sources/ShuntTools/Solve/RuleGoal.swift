import ShuntCore
import ShuntRules

/// The goal of a search for a request.
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

/// The engine's steps for a request, as far as the solver reads them.
struct Sighting {
    var request: RequestDescription
    var decision: Decision
    var steps: [Trace.Step]
    var positions: [SourcePosition]
}
