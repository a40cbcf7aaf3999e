import ShuntCore

/// Outcomes as their own values.
extension Evaluation {
    /// The decision of the last evaluation, copied out of the arena.
    ///
    /// Where no one has the one before any more, it takes its place: a service that is done with a decision before it asks for
    /// the next one allocates none.
    package var decision: Decision {
        mutating get {
            if var storage = lastDecision.take(), storage.rewrite(of: self) {
                lastDecision = storage
                return Decision(storage)
            }
            let storage = DecisionStorage(of: self)
            // One that is large would stay as long as the evaluation.
            if storage.byteCount <= Self.keptBytes { lastDecision = storage }
            return Decision(storage)
        }
    }

    private static let keptBytes = 4096

    /// The decision as one that the evaluation does not keep.
    var separateDecision: Decision { Decision(DecisionStorage(of: self)) }

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

    /// The problem, for people; nil for none.
    var reason: String? {
        let reason = answer.outcome.reason
        return switch reason {
        case .none: nil
        case .malformedURL, .malformedResult:
            answer.outcome.urlError.map { "\(reason.text): \($0.description)" } ?? reason.text
        default: reason.text
        }
    }
}
