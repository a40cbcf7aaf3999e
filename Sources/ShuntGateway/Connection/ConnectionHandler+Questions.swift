#if Gateway
import NIOCore
import NIOHTTP1

/// Questions to a decision service that stand in the body of a request.
extension ConnectionHandler {
    /// The longest question, in bytes: more than a head of the longest headers becomes in base64 with its quotes and names.
    private var questionLimit: Int { 4 * core.options.maximumHeaderBytes + 65_536 }

    /// Has the body of a request read, which is the question.
    func awaitQuestion(_ exchange: Exchange, _ context: ChannelHandlerContext) {
        guard connection.isTrusted else {
            let reason = "questions in bodies are taken of proxies that --trusted-proxy names"
            return refuseQuestion(.forbidden, reason, exchange, context)
        }
        guard exchange.head.method == .POST else {
            return refuseQuestion(.methodNotAllowed, "a question needs the method POST", exchange, context)
        }
        switch exchange.head.body {
        case .failure(let refusal): refuseQuestion(refusal.status, refusal.reason, exchange, context)
        case .success(.known(let length)) where length > questionLimit: answerLongQuestion(exchange, context)
        case .success: exchange.envoy = ExtProcExchange()
        }
    }

    /// Takes a part of the question.
    func readQuestion(_ bytes: ByteBuffer, _ exchange: Exchange, _ context: ChannelHandlerContext) {
        guard exchange.record.requestBytes <= questionLimit else { return answerLongQuestion(exchange, context) }
        exchange.envoy?.text?.writeImmutableBuffer(bytes)
    }

    /// Answers a question of which all has come.
    func take(_ text: ByteBuffer, _ exchange: Exchange, _ context: ChannelHandlerContext) {
        exchange.envoy?.text = nil
        do throws(ExtProcQuestion.Problem) {
            let question = try ExtProcQuestion(Array(text.readableBytesView))
            // Rules are for requests: of the rest nothing is changed.
            guard question.kind == .requestHeaders else {
                return tell(ExtProcAnswer.unchanged(question.kind), context)
            }
            exchange.envoy?.question = question
            judge(exchange, context)
        } catch {
            refuseQuestion(.badRequest, error.reason, exchange, context)
        }
    }

    /// Answers with JSON for the proxy.
    func tell(_ text: [UInt8], _ context: ChannelHandlerContext) {
        answer(.ok, ["Content-Type": "application/json"], ByteBuffer(bytes: text), context)
    }

    /// Answers what is no question.
    private func refuseQuestion(
        _ status: HTTPResponseStatus,
        _ reason: String,
        _ exchange: Exchange,
        _ context: ChannelHandlerContext
    ) {
        metrics.malformedRequests.add()
        exchange.isKeptAlive = exchange.isKeptAlive && exchange.hasReadRequest
        if core.options.decisionService?.form == .observe {
            exchange.record.refusal = reason
            return tell(ExtProcAnswer.unchanged(.requestHeaders), context)
        }
        answer(IncomingRequest.Refusal(reason, status: status), context)
    }

    /// Has the client told that its request is too large to ask about.
    ///
    /// A question that fails may be an open door at the proxy, so that none must fail because of what a client sends.
    private func answerLongQuestion(_ exchange: Exchange, _ context: ChannelHandlerContext) {
        metrics.malformedRequests.add()
        exchange.envoy?.text = nil
        exchange.isKeptAlive = false
        let refusal = IncomingRequest.Refusal.longHeaders(core.options)
        if let service = core.options.decisionService, service.form == .observe {
            exchange.record.refusal = refusal.reason
            return take(.observed(service), context)
        }
        var headers = HTTPHeaders()
        let body = Self.plainBody(refusal.status, reason: refusal.reason, &headers)
        tell(ExtProcAnswer.immediate(refusal.status, headers, body), context)
    }
}
#endif
