import ShuntCore
import ShuntRouting

/// Outcomes as values of their own.
extension Evaluation {
    /// The decision that the last evaluation came to, copied out of the arena.
    package func decision(_ outcome: Outcome) -> Decision {
        Decision(
            outcome,
            names: program.names,
            found: found(outcome),
            values: DecisionValues(outcome, of: self)
        )
    }

    /// The route of the outcome, without its values.
    @inline(__always)
    private func found(_ outcome: Outcome) -> DecisionRoute? {
        guard let lookup = outcome.route, let routes = program.tables.routes else { return nil }
        return DecisionRoute(table: routes, lookup: lookup, parts: outcome.parts, methods: routeMethods(routes))
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
