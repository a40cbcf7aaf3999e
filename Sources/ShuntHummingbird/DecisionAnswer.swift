#if Hummingbird
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Shunt

enum DecisionAnswer {
    /// The response to a request that the rules answer; nil for one that continues.
    static func response(_ decision: borrowing DecisionView, channel: (any Channel)?) -> Hummingbird.Response? {
        decision.answer().map { response($0, channel: channel) }
    }

    static func response(_ answer: Decision.Answer, channel: (any Channel)?) -> Hummingbird.Response {
        guard let status = answer.status else {
            channel?.close(promise: nil)
            return Hummingbird.Response(status: .forbidden)
        }
        let phrase = HTTPResponseStatus(statusCode: status).reasonPhrase
        var response = Hummingbird.Response(status: HTTPResponse.Status(code: status, reasonPhrase: phrase))
        for header in answer.headers { append(header, to: &response) }
        if let body = answer.bodyBytes {
            response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        } else if let reason = answer.reason {
            explain(reason, in: &response)
        }
        return response
    }

    /// The response to a request that no rules can decide.
    static func failure(_ status: HTTPResponse.Status, _ reason: String) -> Hummingbird.Response {
        var response = Hummingbird.Response(status: status)
        explain(reason, in: &response)
        return response
    }

    private static func explain(_ reason: String, in response: inout Hummingbird.Response) {
        response.headers[.contentType] = "text/plain; charset=utf-8"
        response.body = ResponseBody(byteBuffer: ByteBuffer(string: "\(response.status): \(reason)\n"))
    }

    /// The request as the rules left it.
    static func rewritten(_ request: Hummingbird.Request, by decision: Decision) -> Hummingbird.Request {
        guard let target = decision.targetBytes else { return request }
        var head = request.head
        let path = String(decoding: target, as: UTF8.self)
        let authority = decision.authority ?? ""
        guard head.path != path || (!authority.isEmpty && head.authority != authority) else { return request }
        head.path = path
        // A name of an upstream is where to go, not which host was requested.
        if !authority.isEmpty, !decision.isUpstream { head.authority = authority }
        return Hummingbird.Request(head: head, body: request.body)
    }

    /// Adds the headers that rules add to the answer of a handler.
    static func addHeaders(of decision: Decision, to response: inout Hummingbird.Response) {
        if let code = decision.status, (200...999).contains(code) { response.status = HTTPResponse.Status(code: code) }
        for header in decision.additions(for: response.status.code) { append(header, to: &response) }
    }

    /// Adds a header; a name that HTTP does not know as such is left out.
    private static func append(_ header: RuleRequest.Header, to response: inout Hummingbird.Response) {
        guard let name = HTTPField.Name(header.name) else { return }
        let field = HTTPField(name: name, value: header.value)
        if name == .contentType || name == .location {
            response.headers[name] = field.value
        } else {
            response.headers.append(field)
        }
    }
}
#endif
