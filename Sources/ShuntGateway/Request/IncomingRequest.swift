#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// A request as it is judged and, if it continues, sent: one target, one host, one way to find the end of its body.
///
/// Made before any rule is evaluated. A request that two parsers may read in two ways is refused here, not repaired.
struct IncomingRequest {
    /// The path and the arguments; of an absolute target, what is after the host.
    let target: [UInt8]
    /// The requested host; nil where HTTP/1.0 names none.
    private let known: HostCache.Known?
    /// The place where the rules take it to have arrived.
    let listen: RuleRequest.Endpoint?
    /// All headers that came.
    private let received: HeaderFields
    /// The valid names before the Host and after it.
    private let names: HeaderNameTable.Names
    let body: BodyLength

    /// The requested host; nil where HTTP/1.0 names none.
    var host: HostAndPort? { known?.host }
    /// The host with its port.
    var hostText: String? { known?.text }
    /// The host with its port, as the value of a header that rules see.
    var hostValue: [UInt8]? { known?.header.valueBytes }

    /// The headers that rules see and an upstream gets, but for the Host.
    ///
    /// Made when they are asked for: most answers of rules need none of them.
    var fields: HeaderFields {
        let bytes = received.bytes.readableBytesUInt8Span
        var names = self.names.first
        var list: [HeaderFields.Field] = []
        list.reserveCapacity(received.count)
        for field in received.list {
            let name = bytes.extracting(field.name)
            if Self.isHost(name) {
                names = self.names.named
            } else if field.isPlain || names.take(name) {
                list.append(field)
            }
        }
        return HeaderFields(received.bytes, list)
    }

    private static func isHost(_ name: Span<UInt8>) -> Bool { name.count == 4 && name.isSameHeader(as: "host") }

    enum BodyLength: Equatable {
        case none
        case known(Int)
        case unknown
    }

    /// The longest target, in bytes.
    static let targetLimit = 65_536

    /// The reason why a request is refused.
    struct Refusal: Error {
        let status: HTTPResponseStatus
        let reason: String
        /// The header Content-Range, for a request for parts of a file that are not there.
        var contentRange: String?

        init(_ reason: String, status: HTTPResponseStatus = .badRequest) {
            self.status = status
            self.reason = reason
        }

        /// True if no Host names a server, so that the one without a name answers.
        private(set) var isWithoutHost = false

        static let withoutHost = {
            var refusal = Refusal("the request has no Host")
            refusal.isWithoutHost = true
            return refusal
        }()

        static let longTarget = Refusal("the target is longer than \(targetLimit) bytes", status: .uriTooLong)

        static func longBody(_ limit: Int) -> Refusal {
            Refusal("the body is longer than \(limit) bytes", status: .payloadTooLarge)
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
    ///   - names: The names of headers.
    ///   - hosts: The hosts of recent requests.
    ///   - connection: The connection that it came on.
    ///   - core: What all connections share.
    /// - Returns: The request.
    /// - Throws: What is wrong with it.
    static func read(
        _ head: borrowing RequestHead,
        names: HeaderNameTable,
        hosts: HostCache,
        at connection: borrowing ClientConnection,
        core: GatewayCore
    ) throws(Refusal) -> IncomingRequest {
        guard head.target.count <= targetLimit else { throw .longTarget }
        let fields = head.fields
        let bytes = fields.bytes.readableBytesUInt8Span
        var size = 0
        var hostField: HeaderFields.Field?
        var arePlain = true
        for field in fields.list {
            size += field.name.count + field.value.count
            if !field.isPlain { arePlain = false }
            guard isHost(bytes.extracting(field.name)) else { continue }
            guard hostField == nil else { throw Refusal("the request has two Host headers") }
            hostField = field
        }
        guard size <= core.options.maximumHeaderBytes else { throw .longHeaders(core.options) }
        let body = try head.body.get()
        if hostField == nil, !head.isOldVersion { throw .withoutHost }
        let forwarded =
            connection.isTrusted ? try ForwardedHeaders(fields, believing: core.options.trustedProxies.headers) : nil
        let usualPort = forwarded?.isSecure ?? connection.isSecure ? 443 : 80
        var known: HostCache.Known?
        if let hostField {
            known = hosts.host(bytes.extracting(hostField.value), usualPort: usualPort)
            guard known != nil else { throw noHost }
        }
        var target = head.target
        // The Host is ignored where the target has one (RFC 9112, 3.2.2), and so is not sent on either.
        let absolute = try absoluteTarget(target, usualPort)
        if let absolute {
            known = HostCache.Known(absolute.0)
            target = absolute.1
        }
        var read = names.names(at: connection, host: known?.host.host)
        if absolute != nil { read.first = read.named }
        if let told = forwarded?.host { known = HostCache.Known(try host(told.trimmingBlanks(), usualPort)) }
        let listen = forwarded.map { connection.listen($0, host: known?.host) } ?? connection.listen
        let incoming = IncomingRequest(
            target: target,
            known: known,
            listen: listen,
            received: fields,
            names: read,
            body: body
        )
        // The answers of a decision service are text.
        guard !arePlain, core.options.decisionService != nil else { return incoming }
        for field in incoming.fields.list
        where !field.isPlain && !bytes.extracting(field.value).isUTF8 {
            throw Refusal("the value of the header \(fields.text(field.name)) is not UTF-8")
        }
        return incoming
    }

    private static let noHost = Refusal("the Host is not a host with or without a port")

    /// The host and the rest of a target that has a scheme; nil for any other target.
    private static func absoluteTarget(_ target: [UInt8], _ usualPort: Int) throws(Refusal) -> (HostAndPort, [UInt8])? {
        guard let first = target.first, first != UInt8(ascii: "/"),
            let mark = target.firstRange(of: Array("://".utf8))?.lowerBound
        else { return nil }
        guard ["http", "https"].contains(String(decoding: target[..<mark], as: UTF8.self).lowercased()) else {
            throw Refusal("the scheme of the target is neither http nor https")
        }
        let rest = target[(mark + 3)...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        let host = try host(Array(rest[..<end]), usualPort)
        let path = rest[end...]
        return (host, path.first == UInt8(ascii: "/") ? Array(path) : [UInt8(ascii: "/")] + path)
    }

    private static func host(_ bytes: [UInt8], _ usualPort: Int) throws(Refusal) -> HostAndPort {
        guard let host = HostAndPort(bytes.span, usualPort: usualPort) else { throw noHost }
        return host
    }
}
#endif
