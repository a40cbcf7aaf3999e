#if Gateway
import NIOCore
import NIOHTTP1

/// Questions to a decision service that are in the body of a request.
extension ConnectionHandler {
    /// The longest question, in bytes: more than a head of the longest headers becomes in base64 with its quotes and names.
    private var questionLimit: Int { 4 * core.options.maximumHeaderBytes + 65_536 }

    /// Has the body of a request read, which is the question.
    func awaitQuestion() {
        guard connection.isTrusted else {
            let reason = "questions in bodies are taken of proxies that --trusted-proxy names"
            return refuseQuestion(.forbidden, reason)
        }
        guard exchange?.account.head.method == .POST else {
            return refuseQuestion(.methodNotAllowed, "a question needs the method POST")
        }
        switch exchange?.account.head.body {
        case .failure(let refusal): refuseQuestion(refusal.status, refusal.reason)
        case .success(.known(let length)) where length > questionLimit: answerLongQuestion()
        default:
            exchange?.envoy = ExtProcExchange()
            handle(.awaitsQuestion(limit: questionLimit))
        }
    }

    /// Answers a question of which all has come.
    func judge(question text: ByteBuffer) {
        do throws(ExtProcQuestion.Problem) {
            let question = try ExtProcQuestion(Array(text.readableBytesView))
            // Rules are for requests: of the rest nothing is changed.
            guard question.kind == .requestHeaders else {
                return tell(ExtProcAnswer.unchanged(question.kind))
            }
            exchange?.envoy?.question = question
            judge()
        } catch {
            refuseQuestion(.badRequest, error.reason)
        }
    }

    /// Answers with JSON for the proxy.
    func tell(_ text: [UInt8]) {
        answer(.ok, headers: ["Content-Type": "application/json"], body: ByteBuffer(bytes: text))
    }

    /// Answers what is not a question.
    private func refuseQuestion(_ status: HTTPResponseStatus, _ reason: String) {
        metrics.malformedRequests.add()
        if exchange?.isRequestWhole == false { exchange?.isKeptAlive = false }
        if core.options.decisionService?.form == .observe {
            exchange?.account.refusal = reason
            return tell(ExtProcAnswer.unchanged(.requestHeaders))
        }
        answer(IncomingRequest.Refusal(reason, status: status))
    }

    /// Answers the client that its request is too large to ask about.
    ///
    /// A question that fails may be an open door at the proxy, so that none must fail because of what a client sends.
    func answerLongQuestion() {
        metrics.malformedRequests.add()
        exchange?.isKeptAlive = false
        let refusal = IncomingRequest.Refusal.longHeaders(core.options)
        if let service = core.options.decisionService, service.form == .observe {
            exchange?.account.refusal = refusal.reason
            return take(.observed(service))
        }
        var headers = HTTPHeaders()
        let body = Self.plainBody(refusal.status, reason: refusal.reason, &headers)
        tell(ExtProcAnswer.immediate(refusal.status, fields: headers, body: body))
    }
}
#endif
