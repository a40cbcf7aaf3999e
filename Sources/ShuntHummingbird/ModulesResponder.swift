#if Hummingbird
import HTTPTypes
public import Hummingbird
import NIOCore
import Shunt
public import ShuntLinks
import ShuntModules

/// Answers what modules expose to the network, and hands everything else on to a router.
///
/// ```swift
/// let app = Application(responder: ModulesResponder(links, otherwise: router.buildResponder()))
/// ```
///
/// Put a `ShuntResponder` around it for rules that rewrite the requests of both. What is not exposed to the network is handed
/// on as what is not there. The caller of a call is the network.
public struct ModulesResponder<Wrapped: HTTPResponder>: HTTPResponder where Wrapped.Context: RequestContext {
    private let links: Links
    private let wrapped: Wrapped

    /// Answers for the modules of links, and everything else with another responder.
    public init(_ links: Links, otherwise wrapped: Wrapped) {
        self.links = links
        self.wrapped = wrapped
    }

    /// Answers a request, or hands it on.
    public func respond(
        to request: Hummingbird.Request,
        context: Wrapped.Context
    ) async throws -> Hummingbird.Response {
        let caller = Caller(.network)
        let question = request.ruleRequest
        guard links.reaches(question, from: caller) else {
            return try await wrapped.respond(to: request, context: context)
        }
        var request = request
        let body: ByteBuffer
        do {
            body = try await request.collectBody(upTo: links.options.bodyLimit)
        } catch is NIOTooManyBytesError {
            return Hummingbird.Response(status: .contentTooLarge)
        }
        let answer = try await links.respond(to: question, body: Array(body.readableBytesView), from: caller)
        var response = Hummingbird.Response(status: HTTPResponse.Status(code: answer.status))
        for (name, value) in answer.headers {
            guard let name = HTTPField.Name(name) else { continue }
            response.headers.append(HTTPField(name: name, value: value))
        }
        switch answer.body {
        case .bytes(let bytes) where bytes.isEmpty: break
        case .bytes(let bytes): response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        case .events(let elements):
            response.body = ResponseBody { writer in
                for try await element in elements {
                    try await writer.write(ByteBuffer(bytes: try LinkResponse.event(element)))
                }
                try await writer.finish(nil)
            }
        }
        return response
    }
}

extension Hummingbird.Request {
    /// The request as rules and doors see it.
    var ruleRequest: RuleRequest {
        var request = RuleRequest(target: Array((head.path ?? "").utf8), host: head.authority.map { Array($0.utf8) })
        request.method = Array(method.rawValue.utf8)
        request.headers = headers.map { RuleRequest.Header($0.name.rawName, $0.value) }
        return request
    }
}
#endif
