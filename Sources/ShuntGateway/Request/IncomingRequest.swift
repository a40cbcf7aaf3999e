#if Gateway
import NIOHTTP1
import Shunt

/// A request as it is judged and, if it goes on, sent: one target, one host, one way to tell where its body ends.
///
/// Made before any rule is asked. A request that two parsers may read in two ways is refused here, not repaired.
struct IncomingRequest {
    /// The path and the arguments; of an absolute target, what stands behind the host.
    let target: String
    /// The host that is asked for; nil where HTTP/1.0 names none.
    let host: HostAndPort?
    /// Where the rules take it to have arrived.
    let listen: RuleRequest.Endpoint?
    /// The headers that rules see and an upstream gets, but for the Host.
    let headers: HTTPHeaders
    /// How long the body is.
    let body: BodyLength

    /// How long a body is.
    enum BodyLength: Equatable {
        case none
        case known(Int)
        case unknown
    }

    /// The longest target, in bytes.
    static let targetLimit = 65_536

    /// Why a request is refused.
    struct Refusal: Error {
        let status: HTTPResponseStatus
        let reason: String

        init(_ reason: String, status: HTTPResponseStatus = .badRequest) {
            self.status = status
            self.reason = reason
        }

        static func longHeaders(_ options: GatewayOptions) -> Refusal {
            Refusal(
                "there are more than 256 header fields, or \(options.maximumHeaderBytes) bytes of them",
                status: .requestHeaderFieldsTooLarge
            )
        }
    }

    /// Takes the head of a request apart.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - names: Which headers there are.
    ///   - connection: The connection that it came on.
    ///   - options: The gateway's options.
    /// - Throws: What is wrong with it.
    init(
        _ head: HTTPRequestHead,
        names: HeaderNames,
        at connection: ClientConnection,
        options: GatewayOptions
    ) throws(Refusal) {
        guard head.uri.utf8.count <= Self.targetLimit else {
            throw Refusal("the target is longer than \(Self.targetLimit) bytes", status: .uriTooLong)
        }
        var size = 0
        for (name, value) in head.headers { size += name.utf8.count + value.utf8.count }
        guard size <= options.maximumHeaderBytes else { throw .longHeaders(options) }
        body = try Self.bodyLength(head)
        let hosts = head.headers["host"]
        guard hosts.count <= 1 else { throw Refusal("the request has two Host headers") }
        if hosts.isEmpty, head.version != .http1_0 { throw Refusal("the request has no Host") }
        let forwarded =
            connection.isTrusted ? try ForwardedHeaders(head.headers, believing: options.trustedProxies.headers) : nil
        let usualPort = forwarded?.isSecure ?? connection.isSecure ? 443 : 80
        let named = try hosts.first.map { (value) throws(Refusal) in try Self.host(value.utf8Trimmed, usualPort) }
        // The Host is ignored where the target has one (RFC 9112, 3.2.2), and so is not sent on either.
        let absolute = try Self.absoluteTarget(head.uri, usualPort)
        target = absolute?.1 ?? head.uri
        let told = try forwarded?.host.map { (value) throws(Refusal) in try Self.host(value.utf8Trimmed, usualPort) }
        let host = told ?? absolute?.0 ?? named
        self.host = host
        listen = forwarded.map { connection.listen($0, host: host) } ?? connection.listen
        var headers = HTTPHeaders()
        headers.reserveCapacity(head.headers.count)
        for (name, value) in head.headers where names.take(name) && name.lowercased() != "host" {
            // Where bytes were not UTF-8, the parser has put this character, and nobody knows what was said.
            guard !value.unicodeScalars.contains("\u{fffd}") else {
                throw Refusal("the value of the header \(name) is not UTF-8")
            }
            headers.add(name: name, value: value)
        }
        self.headers = headers
    }

    /// The host and the rest of a target that has a scheme; nil for any other target.
    private static func absoluteTarget(_ uri: String, _ usualPort: Int) throws(Refusal) -> (HostAndPort, String)? {
        guard let first = uri.utf8.first, first != UInt8(ascii: "/"), let mark = uri.utf8Offset(of: "://") else {
            return nil
        }
        let scheme = uri.utf8[..<mark]
        guard ["http", "https"].contains(Substring(scheme).lowercased()) else {
            throw Refusal("the scheme of the target is neither http nor https")
        }
        let rest = uri.utf8[uri.utf8.index(mark, offsetBy: 3)...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        let host = try host(Array(rest[..<end]), usualPort)
        let path = String(Substring(rest[end...]))
        return (host, path.hasPrefix("/") ? path : "/" + path)
    }

    private static func host(_ bytes: [UInt8], _ usualPort: Int) throws(Refusal) -> HostAndPort {
        guard let host = HostAndPort(bytes.span, usualPort: usualPort) else {
            throw Refusal("the Host is not a host with or without a port")
        }
        return host
    }

    /// Where the body ends, as strictly as nginx: what it refuses, or reads in another way, is refused.
    private static func bodyLength(_ head: HTTPRequestHead) throws(Refusal) -> BodyLength {
        let codings = head.headers["transfer-encoding"]
        if !codings.isEmpty {
            guard head.version == .http1_1 else { throw Refusal("chunks are for HTTP/1.1") }
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw Refusal("the only transfer coding is chunked", status: .notImplemented)
            }
            return .unknown
        }
        let lengths = head.headers["content-length"]
        guard let text = lengths.first else { return .none }
        guard lengths.count == 1, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bytes = Int(text) else {
            throw Refusal("the Content-Length is no length")
        }
        return bytes == 0 ? .none : .known(bytes)
    }
}

extension String {
    /// The bytes without the blanks around them.
    fileprivate var utf8Trimmed: [UInt8] {
        var bytes = Array(utf8)[...]
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        return Array(bytes)
    }

    /// Where ASCII text begins in this one.
    fileprivate func utf8Offset(of text: StaticString) -> String.Index? {
        let wanted = Array("\(text)".utf8)
        var index = utf8.startIndex
        while index < utf8.endIndex {
            if utf8[index...].starts(with: wanted) { return index }
            index = utf8.index(after: index)
        }
        return nil
    }
}
#endif
