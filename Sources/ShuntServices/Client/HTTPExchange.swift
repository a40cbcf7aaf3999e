#if Client
public import HTTPTypes
public import Shunt
public import ShuntInterfaces

/// A request on its way to a server.
public struct HTTPExchange: Sendable {
    /// The request: method, scheme, authority, path and headers.
    public var request: HTTPRequest
    /// The body; empty for none.
    public var body: [UInt8]
    /// Called while the answer comes, with the bytes of its body so far and those that its head announces, if it does.
    public var progress: (@Sendable (_ received: Int, _ expected: Int?) -> Void)?

    /// Creates a request that reports no progress.
    public init(_ request: HTTPRequest, body: [UInt8] = []) {
        self.request = request
        self.body = body
    }

    /// The URL of the request; `https` if it has no scheme.
    public var url: String {
        "\(request.scheme ?? "https")://\(request.authority ?? "")\(request.path ?? "/")"
    }

    /// Sends it to a URL with a scheme and an authority; false for any other, and nothing changes.
    mutating func redirect(to url: String) -> Bool {
        guard let mark = url.firstRange(of: "://"), mark.lowerBound != url.startIndex else { return false }
        let rest = url[mark.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty else { return false }
        let path = rest[authority.endIndex...]
        request.scheme = String(url[..<mark.lowerBound])
        request.authority = String(authority)
        request.path = path.hasPrefix("/") ? String(path) : "/" + path
        return true
    }
}

/// The response of a server.
public struct HTTPReply: Sendable {
    /// The status and the headers.
    public var response: HTTPResponse
    /// The body, read to its end.
    public var body: [UInt8]
    /// The decision of the rules on the URL; nil without rules.
    public var decision: Decision?

    /// Makes one, as stubs do.
    public init(_ response: HTTPResponse, body: [UInt8] = []) {
        self.response = response
        self.body = body
    }
}

/// Sends one request.
///
/// An adapter over any HTTP client is a type with this one method.
public protocol HTTPTransport: Sendable {
    /// Sends a request and reads the answer.
    ///
    /// Whatever the status is, an answer is an answer; `limit` is the largest body that is read, in bytes.
    ///
    /// - Throws: `ClientError.timedOut` and `tooLarge`; `CancellationError`; everything else counts as
    ///   `ClientError.unreachable`.
    func send(_ exchange: HTTPExchange, limit: Int) async throws -> HTTPReply
}

/// The reason why a server did not answer an action.
@nonexhaustive
public enum ClientError: StatusError, CustomStringConvertible {
    /// There is no connection.
    case unreachable(any Error)
    /// The server took too long.
    case timedOut
    /// The server answered with a status that is not a success.
    case status(HTTPReply)
    /// The envelope of the answer marks it as a failure.
    case rejected(code: Int, message: String)
    /// The answer is not what the action returns: what does not fit.
    case unreadable(reason: String, HTTPReply)
    /// The answer is larger than what is read, in bytes.
    case tooLarge(limit: Int)
    /// The rules turned the URL away.
    case decided(Decision)
    /// The input cannot be put into a request: what does not fit.
    case unsendable(reason: String)

    /// The status of the server's answer where it is an error, so that a recovery sees the 401; else 504 where time ran
    /// out, 500 for what is not sent, and 502.
    public var status: Int {
        switch self {
        case .status(let reply) where (400...599).contains(reply.response.status.code): reply.response.status.code
        case .timedOut: 504
        case .unsendable: 500
        default: 502
        }
    }

    /// True if the server requires authentication: the status 401.
    public var isUnauthorized: Bool { status == 401 }

    /// The error in one sentence, for a log.
    public var description: String {
        switch self {
        case .unreachable(let error): "the server is not reachable: \(error)"
        case .timedOut: "the server did not answer in time"
        case .status(let reply): "the server answered \(reply.response.status.code)"
        case .rejected(let code, let message): "the server rejected the request: \(message) (\(code))"
        case .unreadable(let reason, _): "the answer is not readable: \(reason)"
        case .tooLarge(let limit): "the answer is larger than \(limit) bytes"
        case .decided(let decision): "the rules did not let the URL pass: \(decision.kind.rawValue)"
        case .unsendable(let reason): "the input does not fit into a request: \(reason)"
        }
    }
}
#endif
