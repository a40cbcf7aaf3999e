public import ShuntRouting
public import ShuntRules

/// The request and its decision, for a handler.
public struct DispatchContext: Sendable {
    /// The request as the rules and filters left it.
    public let request: RuleRequest
    /// The action of the rules, the final URL, and the rule that changed it last.
    public let decision: Decision
    /// The route with its parameters and the query; nil for the handler of unmatched requests.
    public let match: RouteMatch?
    /// The values that the caller supplied.
    public let values: DispatchValues

    /// The URL after the rules, as text; empty if the decision has none.
    public var url: String { decision.url ?? "" }

    /// The decoded value of a parameter of the route; nil when it has none.
    public subscript(_ parameter: String) -> String? { match?[parameter] }
}

/// A value that ends the dispatch, or a reason to try the next route.
public enum HandlerAnswer<Value: Sendable>: Sendable {
    /// The request is handled.
    case handled(Value)
    /// Not this handler's: the search continues with the next route that matches. The reason is for traces.
    case declined(String)
}

/// The end of a dispatch: a value, a decision of the rules, a refusal, or no match.
@nonexhaustive
public enum DispatchOutcome<Value: Sendable>: Sendable {
    /// A handler handled it.
    case handled(Value)
    /// The rules decided it: a redirect, a degraded URL, a response, a block or a failure.
    case decided(Decision)
    /// A filter refused it.
    case refused(filter: String, reason: String)
    /// No route matches and there is no handler for that; nil when routes matched but every handler declined.
    case unmatched(RouteMiss?)

    /// The value of a handler; nil where none handled the request.
    public var value: Value? { if case .handled(let value) = self { value } else { nil } }
}

/// The filters, rules and handlers that ran, for people and tests.
public struct DispatchTrace: Sendable {
    /// A filter, the rules or a handler, with its result.
    @nonexhaustive
    public enum Step: Sendable {
        /// A filter ran.
        case filter(name: String, stage: DispatchFilter.Stage, verdict: String)
        /// The rules ran.
        case rules(Trace)
        /// A handler answered: that of a route, a fallback, or the one of unmatched requests.
        case route(name: String, answer: String?)
        /// No route matched, and the handler of unmatched requests ran.
        case fallback(name: String)
    }

    /// The steps, in the order in which they ran.
    public internal(set) var steps: [Step] = []
}
