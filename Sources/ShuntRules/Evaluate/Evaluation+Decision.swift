import ShuntCore
import ShuntRouting

/// Outcomes as values of their own.
extension Evaluation {
    /// The decision that the last evaluation came to, copied out of the arena.
    package var decision: Decision { Decision(DecisionStorage(of: self)) }

    /// The route of the outcome, without its values.
    var found: DecisionRoute? {
        @inline(__always)
        get {
            guard let lookup = answer.outcome.route, let routes = program.tables.routes else { return nil }
            return DecisionRoute(
                table: routes,
                lookup: lookup,
                parts: answer.outcome.parts,
                methods: routeMethods(routes)
            )
        }
    }

    /// What is wrong, for people; nil where nothing is.
    func reason(_ outcome: Outcome) -> String? {
        switch outcome.reason {
        case .none: nil
        case .malformedURL, .malformedResult:
            outcome.urlError.map { "\(outcome.reason.text): \($0.description)" } ?? outcome.reason.text
        default:
            outcome.reason.text
        }
    }
}
