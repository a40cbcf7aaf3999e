#if Hummingbird
import HTTPTypes
import Hummingbird
import Logging
import Shunt
import Tracing

enum RequestRules<Context>: Sendable {
    /// The same for all.
    case shared(any EngineSource)
    /// The rules that a program chooses for each request; nil if it has none for one.
    case chosen(@Sendable (Hummingbird.Request, Context) -> (any EngineSource)?)

    func source(for request: Hummingbird.Request, _ context: Context) -> (any EngineSource)? {
        switch self {
        case .shared(let source): source
        case .chosen(let choose): choose(request, context)
        }
    }
}

/// Evaluates the rules for a request, and notes what they decided in the context, the log and the trace.
struct RequestDecider<Context: DecidedRequestContext>: Sendable {
    let rules: RequestRules<Context>
    var inputs: (@Sendable (Hummingbird.Request, Context) -> RequestInputs)?
    var onDecision: (@Sendable (Decision, Hummingbird.Request, Context) -> Void)?
    var onAnswer: (@Sendable (inout Hummingbird.Response, Decision, Hummingbird.Request, Context) -> Void)?

    private enum Verdict {
        /// The rules answer it; the decision is copied where a program wants to hear of it.
        case answer(Hummingbird.Response, Decision?)
        /// It continues, with the decision in its context.
        case forward(Decision)
    }

    /// Decides about a request, and answers it or lets it continue.
    ///
    /// Lines that are logged to `Logger.current` further in name the rule that led to them.
    func respond(
        to request: Hummingbird.Request,
        _ context: Context,
        next: (Decision, Context) async throws -> Hummingbird.Response
    ) async throws -> Hummingbird.Response {
        var context = context
        let decision: Decision
        var response: Hummingbird.Response
        switch decide(request, &context) {
        case .answer(let made, let copy):
            guard let onAnswer, let copy else { return made }
            (response, decision) = (made, copy)
            onAnswer(&response, decision, request, context)
            return response
        case .forward(let made): decision = made
        }
        response = try await withLogger(context.logger) { _ in try await next(decision, context) }
        DecisionAnswer.addHeaders(of: decision, to: &response)
        onAnswer?(&response, decision, request, context)
        return response
    }

    /// Decides about a request; the decision is copied only for one that continues, and for a program with `onDecision` or `onAnswer`.
    private func decide(_ request: Hummingbird.Request, _ context: inout Context) -> Verdict {
        withSpan("shunt.decide") { span in
            guard var question = RuleRequest(request, channel: context.channel) else {
                return refuse(
                    request,
                    with: .badRequest,
                    because: "the Host is not a host with or without a port",
                    in: span,
                    &context
                )
            }
            guard let source = rules.source(for: request, context) else {
                return refuse(request, with: .notFound, because: "no rules are for this request", in: span, &context)
            }
            if let inputs { question.inputs = inputs(request, context) }
            return source.currentEngine()
                .withDecision(for: question) { decision in
                    note(decision, in: span, &context)
                    if let answer = DecisionAnswer.response(decision, channel: context.channel) {
                        return .answer(answer, hear(decision, of: request, context))
                    }
                    let copy = decision.copy()
                    context.decision = copy
                    onDecision?(copy, request, context)
                    return .forward(copy)
                }
        }
    }

    private func hear(
        _ decision: borrowing DecisionView,
        of request: Hummingbird.Request,
        _ context: Context
    ) -> Decision? {
        guard onDecision != nil || onAnswer != nil else { return nil }
        let copy = decision.copy()
        onDecision?(copy, request, context)
        return copy
    }

    private func note(_ decision: borrowing DecisionView, in span: any Span, _ context: inout Context) {
        let kind = decision.kind
        span.attributes["shunt.action"] = kind.rawValue
        context.logger[metadataKey: "shunt.action"] = .string(kind.rawValue)
        if let rule = decision.rule {
            span.attributes["shunt.rule"] = rule.description
            context.logger[metadataKey: "shunt.rule"] = .stringConvertible(rule)
        }
        if let route = decision.route {
            span.attributes["shunt.route"] = route
            context.logger[metadataKey: "shunt.route"] = .string(route)
        }
        // What the route serves is named by it in metrics; what is answered here has no endpoint in the router.
        if kind != .forward { context.coreContext.endpointPath.value = "shunt:\(kind.rawValue)" }
    }

    /// Answers a request that no rules can decide.
    private func refuse(
        _ request: Hummingbird.Request,
        with status: HTTPResponse.Status,
        because reason: String,
        in span: any Span,
        _ context: inout Context
    ) -> Verdict {
        let decision = Decision(.fail(Decision.Failure(status: status.code, reason: reason)))
        let kind = decision.kind.rawValue
        span.attributes["shunt.action"] = kind
        context.coreContext.endpointPath.value = "shunt:\(kind)"
        onDecision?(decision, request, context)
        return .answer(DecisionAnswer.failure(status, reason), decision)
    }
}
#endif
