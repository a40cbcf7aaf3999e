#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// The action that answers a request, or hands it on.
///
/// All that is needed of a decision, which is only borrowed: it is gone before anything is written.
enum RequestAction {
    /// The connection is closed without an answer, as `return 444` asks for.
    case close
    /// The answer is written, with so many bytes after its head.
    case answered(bytes: Int)
    /// The gateway answers.
    case answer(HTTPResponseStatus, HTTPHeaders, ByteBuffer)
    /// The gateway answers why it does not.
    case refuse(IncomingRequest.Refusal)
    /// The proxy that asks gets in JSON what to do.
    case tell([UInt8])
    /// An upstream answers; with the length of the body that it gets.
    case forward(UpstreamRequest, IncomingRequest.BodyLength)
    /// A file answers.
    case file(FileExchange)
    /// Another thread decides.
    case later
    /// A limit delays the decision.
    case delayed

    /// Returns the answer of an observer, whatever the decision.
    static func observed(_ service: DecisionService) -> RequestAction {
        service.question == .extProc
            ? .tell(ExtProcAnswer.unchanged(.requestHeaders)) : .answer(.noContent, HTTPHeaders(), ByteBuffer())
    }

    /// Returns true if a status sends the client elsewhere.
    static func isRedirect(_ status: HTTPResponseStatus) -> Bool { [301, 302, 303, 307, 308].contains(status.code) }

    /// The answer that the rules decided on, for one who adds to it.
    static func answer(_ decision: borrowing DecisionView) -> RequestAction {
        guard let answer = decision.answer(), let code = answer.status else { return .close }
        let status = HTTPResponseStatus(statusCode: code)
        var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
        let body =
            answer.bodyBytes.map { ByteBuffer(bytes: $0) }
            ?? ConnectionHandler.plainBody(status, reason: answer.reason, &headers)
        return .answer(status, headers, body)
    }

    /// The answer to a request that no upstream takes: the route that it is for, or 404, and 405 to methods that files do not know.
    static func unforwarded(_ decision: borrowing DecisionView) -> RequestAction {
        let isForFiles = !decision.isAnsweredByModule
        let missing = isForFiles && !decision.isReading ? HTTPResponseStatus.methodNotAllowed : .notFound
        let status = RuleAdditions.status(of: decision) ?? (decision.route != nil ? .ok : missing)
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        headers.add(contentsOf: RuleAdditions.keptHeaders(decision))
        headers.add(contentsOf: RuleAdditions.headers(decision, for: status))
        return .answer(status, headers, MatchAnswer.body(decision.copy()))
    }
}

/// The answer to a request that neither rules nor an upstream answer: the route that it is for, as JSON.
enum MatchAnswer {
    /// `{"route":"item","parameters":{"id":"7"},"url":"http://a.test/item/7"}`, or what is missing.
    ///
    /// Without a route a client sees nothing of the rules: a `rewrite` may have put into the URL what only a server should know.
    static func body(_ decision: Decision) -> ByteBuffer {
        guard decision.route != nil else {
            return ByteBuffer(bytes: (["error": "no route matches, and there is no upstream"] as JSONObject).line)
        }
        let parameters = JSONObject(decision.parameters.map { ($0.name, $0.value) })
        let answer: JSONObject = [
            "route": decision.route,
            "parameters": parameters,
            "url": decision.urlBytes,
            "rule": decision.rule?.description,
        ]
        return ByteBuffer(bytes: answer.line)
    }
}
#endif
