#if Hummingbird
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Shunt
import Tracing

/// Asks the rules about a request, and notes their answer in the context, the log and the trace.
struct RequestDecider<Context: DecidedRequestContext>: Sendable {
    let engine: any EngineSource
    let inputs: (@Sendable (Hummingbird.Request, Context) -> RequestInputs)?

    func decide(_ request: Hummingbird.Request, _ context: inout Context) -> Decision {
        let decision = withSpan("shunt.decide") { span in
            let decision = judge(request, context)
            span.attributes["shunt.action"] = decision.kind.rawValue
            if let rule = decision.rule { span.attributes["shunt.rule"] = rule.description }
            if let route = decision.route { span.attributes["shunt.route"] = route }
            return decision
        }
        context.decision = decision
        context.logger[metadataKey: "shunt.action"] = .string(decision.kind.rawValue)
        if let rule = decision.rule { context.logger[metadataKey: "shunt.rule"] = .stringConvertible(rule) }
        if let route = decision.route { context.logger[metadataKey: "shunt.route"] = .string(route) }
        // What the route serves is named by it in metrics; what is answered here has no endpoint in the router.
        if decision.kind != .forward { context.coreContext.endpointPath.value = "shunt:\(decision.kind.rawValue)" }
        return decision
    }

    /// Asks the rules, unless nobody can tell which host is meant.
    private func judge(_ request: Hummingbird.Request, _ context: Context) -> Decision {
        var host: HostAndPort?
        if let authority = request.head.authority {
            host = HostAndPort(Array(authority.utf8).span, usualPort: request.head.scheme == "https" ? 443 : 80)
            guard host != nil else {
                return Decision(
                    .fail(Decision.Failure(status: 400, reason: "the Host is not a host with or without a port"))
                )
            }
        }
        return engine.currentEngine().decide(question(request, host, context))
    }

    private func question(
        _ request: Hummingbird.Request,
        _ host: HostAndPort?,
        _ context: Context
    ) -> RuleRequest {
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
