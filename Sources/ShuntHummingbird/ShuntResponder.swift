#if Hummingbird
public import Hummingbird
public import Shunt

/// Puts a rule set in front of a router: what it rewrites reaches the router rewritten.
///
/// Hummingbird looks up the route of a request before any middleware runs, so a middleware comes too late to change the
/// path. This responder wraps the responder of the router:
///
/// ```swift
/// let router = Router(context: DecidedContext.self)
/// let engine = Engine(try RuleSet(path: "rules"))
/// let app = Application(responder: ShuntResponder(router.buildResponder(), rules: engine))
/// ```
///
/// Redirects, blocks, responses and failures are answered at once. Everything else continues with the path and the
/// arguments that the rules left, and with the decision in the context. A URL that is not an `http` or `https` URL any
/// more continues unchanged: a router knows paths only, and the decision has the URL.
public struct ShuntResponder<Wrapped: HTTPResponder>: HTTPResponder where Wrapped.Context: DecidedRequestContext {
    private let wrapped: Wrapped
    private let decider: RequestDecider<Wrapped.Context>

    /// Wraps a responder, usually `router.buildResponder()`.
    ///
    /// - Parameters:
    ///   - wrapped: The responder for requests that continue; usually `router.buildResponder()`.
    ///   - rules: The rules: a store, or an engine.
    ///   - inputs: The values of the `input` variables of the rules for a request, by name without the dollar sign.
    ///   - onDecision: Gets every decision, before the request continues or is answered: for metrics by kind and rule.
    ///   - onAnswer: Gets every answer of the rules or of a handler that throws no error, for a log; it may change the answer.
    public init(
        _ wrapped: Wrapped,
        rules: any EngineSource,
        inputs: (@Sendable (Hummingbird.Request, Wrapped.Context) -> RequestInputs)? = nil,
        onDecision: (@Sendable (Decision, Hummingbird.Request, Wrapped.Context) -> Void)? = nil,
        onAnswer: (@Sendable (inout Hummingbird.Response, Decision, Hummingbird.Request, Wrapped.Context) -> Void)? =
            nil
    ) {
        self.wrapped = wrapped
        decider = RequestDecider(rules: .shared(rules), inputs: inputs, onDecision: onDecision, onAnswer: onAnswer)
    }

    /// Wraps a responder, with rules that are chosen for each request: those of a tenant.
    ///
    /// - Parameters:
    ///   - wrapped: The responder for requests that continue; usually `router.buildResponder()`.
    ///   - choose: The rules for a request; with nil it is answered with 404.
    ///   - inputs: The values of the `input` variables of the rules for a request, by name without the dollar sign.
    ///   - onDecision: Gets every decision, before the request continues or is answered: for metrics by kind and rule.
    ///   - onAnswer: Gets every answer of the rules or of a handler that throws no error, for a log; it may change the answer.
    public init(
        _ wrapped: Wrapped,
        choosing choose: @escaping @Sendable (Hummingbird.Request, Wrapped.Context) -> (any EngineSource)?,
        inputs: (@Sendable (Hummingbird.Request, Wrapped.Context) -> RequestInputs)? = nil,
        onDecision: (@Sendable (Decision, Hummingbird.Request, Wrapped.Context) -> Void)? = nil,
        onAnswer: (@Sendable (inout Hummingbird.Response, Decision, Hummingbird.Request, Wrapped.Context) -> Void)? =
            nil
    ) {
        self.wrapped = wrapped
        decider = RequestDecider(rules: .chosen(choose), inputs: inputs, onDecision: onDecision, onAnswer: onAnswer)
    }

    /// Decides about a request, and answers it or hands it on.
    public func respond(
        to request: Hummingbird.Request,
        context: Wrapped.Context
    ) async throws -> Hummingbird.Response {
        try await decider.respond(to: request, context) { decision, context in
            try await wrapped.respond(to: DecisionAnswer.rewritten(request, by: decision), context: context)
        }
    }
}
#endif
