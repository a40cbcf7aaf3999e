import ShuntCore
import ShuntRouting

/// Outcomes as values of their own.
extension Evaluation {
    /// The decision that the last evaluation came to, copied out of the arena.
    package func decision(_ outcome: Outcome) -> Decision {
        var decision = Decision(kind: outcome.action)
        if outcome.status != 0 || outcome.action == .respond { decision.status = Int(outcome.status) }
        if outcome.hasURL { decision.url = arena.array(outcome.url) }
        if outcome.hasBody { decision.body = arena.array(outcome.body) }
        if outcome.hasURI {
            decision.uri = arena.array(outcome.uri)
            decision.arguments = arena.array(outcome.arguments)
        }
        decision.headers = answer.headers.map { RuleRequest.Header(name: $0.name, value: arena.array($0.value)) }
        decision.successHeaders = answer.successHeaders.map {
            RuleRequest.Header(name: $0.name, value: arena.array($0.value))
        }
        if outcome.isUpstream {
            decision.upstreamHeaders = answer.upstreamHeaders.map {
                RuleRequest.Header(name: $0.name, value: arena.array($0.value))
            }
        }
        if !outcome.server.isNone { decision.server = program.tables.servers[outcome.server].name }
        if !outcome.location.isNone { decision.location = program.tables.locations[outcome.location].text }
        if let match = routeMatch(outcome) {
            decision.match = match
            decision.route = match.route.displayName
            decision.parameters = match.parameters.map { Decision.Parameter(name: $0.name, value: $0.value) }
            if let wildcard = match.wildcard, !match.capturedParameters.contains(where: { $0.value == wildcard }) {
                decision.parameters.append(Decision.Parameter(name: "*", value: wildcard))
            }
        }
        decision.isUpstream = outcome.isUpstream
        decision.rule = program.location(of: outcome.position)
        decision.position = outcome.position
        decision.version = program.tables.version
        decision.reason = reason(outcome)
        return decision
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
