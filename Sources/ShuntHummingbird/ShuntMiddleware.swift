#if Hummingbird
public import Hummingbird
public import Shunt

/// Answers what the rules redirect, block or respond to, and lets everything else through as it came.
///
/// For services that use rules to turn requests away and nothing more: rewritten paths have no effect here, because a
/// middleware runs after the route was looked up. For rewriting there is `ShuntResponder`. As with any middleware,
/// requests that no route matches reach it only when it was added to the router before the routes, and a router that
/// has no route at all for a path answers 404 itself.
public struct ShuntMiddleware<Context: DecidedRequestContext>: RouterMiddleware {
    private let decider: RequestDecider<Context>

    /// Makes a middleware.
    ///
    /// - Parameters:
    ///   - rules: The rules: a store, or an engine.
    ///   - inputs: The values of the `input` variables of the rules for a request, by name without the dollar sign.
    ///   - onDecision: Gets every decision, before the request continues or is answered: for metrics by kind and rule.
    ///   - onAnswer: Gets every answer of the rules or of a handler that throws no error, for a log; it may change the answer.
    public init(
        rules: any EngineSource,
        inputs: (@Sendable (Hummingbird.Request, Context) -> RequestInputs)? = nil,
        onDecision: (@Sendable (Decision, Hummingbird.Request, Context) -> Void)? = nil,
        onAnswer: (@Sendable (inout Hummingbird.Response, Decision, Hummingbird.Request, Context) -> Void)? = nil
    ) {
        decider = RequestDecider(rules: .shared(rules), inputs: inputs, onDecision: onDecision, onAnswer: onAnswer)
    }

    /// Decides about a request, and answers it or lets it through.
    public func handle(
        _ request: Hummingbird.Request,
        context: Context,
        next: @concurrent (Hummingbird.Request, Context) async throws -> Hummingbird.Response
    ) async throws -> Hummingbird.Response {
        try await decider.respond(to: request, context) { _, context in try await next(request, context) }
    }
}
#endif
