package import Shunt

/// The goal of a search for a request.
package enum RuleGoal: Sendable, Hashable {
    /// To make this rule decide or change.
    case step(RuleModel.Step)
    /// To reach this test of an `if`, with this result.
    case test(RuleModel.Step, Bool)
    /// To be in this location.
    case location(RuleModel.Location)
    /// To be for this server.
    case server(RuleModel.Server)

    /// The place where it is.
    var position: SourcePosition {
        switch self {
        case .step(let step), .test(let step, _): step.position
        case .location(let location): location.position
        case .server(let server): server.position
        }
    }

    /// The location that it is in; nil where none is needed.
    var location: RuleModel.Location? {
        switch self {
        case .step(let step), .test(let step, _): step.sequence?.location
        case .location(let location): location
        case .server: nil
        }
    }
}

/// The engine's steps for a request, as far as the solver reads them.
struct Sighting {
    var request: RequestDescription
    var decision: Decision
    var steps: [Trace.Step]
    var positions: [SourcePosition]
    /// Finds the files that have to be named, and the decision with them; nil if the decision is the same where none exist.
    ///
    /// For requests that are shown only: it takes some decisions.
    var named: () -> (files: [String], decision: Decision)?
}
