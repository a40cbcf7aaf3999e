#if Hummingbird
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Shunt
import Tracing

/// Asks the rules about a request, and notes what they decided in the context, the log and the trace.
struct RequestDecider<Context: DecidedRequestContext>: Sendable {
    let engine: any EngineSource
    let inputs: (@Sendable (Hummingbird.Request, Context) -> RequestInputs)?

    private enum Verdict {
        /// The rules answer it.
        case answer(Hummingbird.Response)
        /// It goes on, with the decision in its context.
        case forward(Decision)
    }

    /// Decides about a request, and answers it or lets it go on.
    ///
    /// Lines that are logged to `Logger.current` further in name the rule that led to them.
    func respond(
        to request: Hummingbird.Request,
        _ context: Context,
        next: (Decision, Context) async throws -> Hummingbird.Response
    ) async throws -> Hummingbird.Response {
        var context = context
        let decision: Decision
        switch decide(request, &context) {
        case .answer(let response): return response
        case .forward(let made): decision = made
        }
        var response = try await withLogger(context.logger) { _ in try await next(decision, context) }
        DecisionAnswer.addHeaders(of: decision, to: &response)
        return response
    }

    /// Decides about a request; the decision is copied only for one that goes on.
    private func decide(_ request: Hummingbird.Request, _ context: inout Context) -> Verdict {
        withSpan("shunt.decide") { span in
            var host: HostAndPort?
            if let authority = request.head.authority {
                host = HostAndPort(Array(authority.utf8).span, usualPort: request.head.scheme == "https" ? 443 : 80)
                if host == nil { return refuse(in: span, &context) }
            }
            let question = question(request, host: host, context: context)
            return engine.currentEngine()
                .withDecision(for: question) { decision in
                    note(decision, in: span, &context)
                    if let answer = DecisionAnswer.response(decision, channel: context.channel) {
                        return .answer(answer)
                    }
                    let copy = decision.copy()
                    context.decision = copy
                    return .forward(copy)
                }
        }
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

    /// Answers a request of which no one can tell which host is meant.
    private func refuse(in span: any Span, _ context: inout Context) -> Verdict {
        let kind = Decision.Kind.fail.rawValue
        span.attributes["shunt.action"] = kind
        context.coreContext.endpointPath.value = "shunt:\(kind)"
        return .answer(DecisionAnswer.failure(.badRequest, "the Host is not a host with or without a port"))
    }

    private func question(_ request: Hummingbird.Request, host: HostAndPort?, context: Context) -> RuleRequest {
        // The Host goes in as a header among the others, so that a second one is seen and refused.
        var question = RuleRequest(target: Array((request.head.path ?? "").utf8), host: nil)
        question.method = Array(request.method.rawValue.utf8)
        question.headers.reserveCapacity(request.headers.count + 1)
        if let host { question.headers.append(RuleRequest.Header("Host", host.description)) }
        for field in request.headers {
            question.headers.append(RuleRequest.Header(field.name.rawName, field.value))
        }
        if let channel = context.channel {
            if let address = channel.remoteAddress, let text = address.ipAddress {
                question.remoteAddress = text
                question.remotePort = address.port ?? 0
            }
            if let address = channel.localAddress, let text = address.ipAddress, let port = address.port {
                question.listen = RuleRequest.Endpoint(address: text, port: port)
            }
        }
        if let inputs { question.inputs = inputs(request, context) }
        return question
    }
}
#endif
