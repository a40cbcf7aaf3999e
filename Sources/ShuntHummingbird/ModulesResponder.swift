#if Hummingbird && Modules
import HTTPTypes
public import Hummingbird
import NIOCore
import Shunt
public import ShuntLinks
public import ShuntInterfaces
import ShuntModules

/// Answers what modules expose to the network, and hands everything else on to a router.
///
/// ```swift
/// let app = Application(responder: ModulesResponder(links, otherwise: router.buildResponder()))
/// ```
///
/// Put a `ShuntResponder` around it for rules that rewrite the requests of both. What is not exposed to the network is handed
/// on as what is not there. The caller of a call is the network; a program that knows the caller names it:
///
/// ```swift
/// ModulesResponder(links, otherwise: router.buildResponder()) { request, _ in
///     NetworkCaller(name: try await sessions.user(of: request), values: CallValues(Cart.user, "ann"))
/// }
/// ```
public struct ModulesResponder<Wrapped: HTTPResponder>: HTTPResponder where Wrapped.Context: RequestContext {
    private let links: Links
    private let wrapped: Wrapped
    private let identify: (@Sendable (Hummingbird.Request, Wrapped.Context) async throws -> NetworkCaller)?

    /// Wraps a responder.
    ///
    /// - Parameters:
    ///   - links: The way to the modules.
    ///   - wrapped: The responder for all other requests.
    ///   - identify: Identifies the caller, before it is known which of both answers. What it throws ends the request.
    public init(
        _ links: Links,
        otherwise wrapped: Wrapped,
        identify: (@Sendable (Hummingbird.Request, Wrapped.Context) async throws -> NetworkCaller)? = nil
    ) {
        self.links = links
        self.wrapped = wrapped
        self.identify = identify
    }

    /// Answers a request, or hands it on.
    public func respond(
        to request: Hummingbird.Request,
        context: Wrapped.Context
    ) async throws -> Hummingbird.Response {
        let known: NetworkCaller
        do {
            known = try await identify?(request, context) ?? NetworkCaller()
        } catch let error as any HTTPResponseError {
            return try error.response(from: request, context: context)
        }
        let caller = Caller(.network, name: known.name)
        var question = request.ruleRequest
        question.take(context)
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
        let answer = try await links.respond(
            to: question,
            body: Array(body.readableBytesView),
            from: caller,
            values: known.values
        )
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

/// A caller of modules over the network, as far as the server knows who it is.
public struct NetworkCaller: Sendable {
    /// The name, which rules see as `$caller_name` and handlers as the caller's name; nil for anyone.
    public var name: String?
    /// The values that travel with the call: the signed-in user, a token, a language.
    public var values: CallValues

    /// Makes a caller.
    public init(name: String? = nil, values: CallValues = CallValues()) {
        self.name = name
        self.values = values
    }
}

extension RuleRequest {
    /// Takes the client's address of a context that has it.
    fileprivate mutating func take(_ context: some RequestContext) {
        switch context {
        case let context as any DecidedRequestContext:
            if let channel = context.channel { take(channel) }
        case let context as any RemoteAddressRequestContext:
            take(client: context.remoteAddress)
        default:
            take(client: nil)
        }
    }
}

extension Hummingbird.Request {
    /// The request as rules and doors see it.
    var ruleRequest: RuleRequest {
        var request = RuleRequest(target: Array((head.path ?? "").utf8), host: head.authority.map { Array($0.utf8) })
        request.method = method.rawValue
        request.headers = headers.map { RuleRequest.Header($0.name.rawName, $0.value) }
        return request
    }
}
#endif
