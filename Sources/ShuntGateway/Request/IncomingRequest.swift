#if Gateway
import NIOCore
import NIOHTTP1
import Shunt
import ShuntCore

/// A request as it is judged and, if it goes on, sent: one target, one host, one way to tell where its body ends.
///
/// Made before any rule is asked. A request that two parsers may read in two ways is refused here, not repaired.
struct IncomingRequest {
    /// The path and the arguments; of an absolute target, what stands behind the host.
    let target: [UInt8]
    /// The host that is asked for; nil where HTTP/1.0 names none.
    let host: HostAndPort?
    /// The host with its port.
    let hostText: String?
    /// The host as a header, as rules see it.
    let hostHeader: RuleRequest.Header?
    /// Where the rules take it to have arrived.
    let listen: RuleRequest.Endpoint?
    /// The headers that rules see and an upstream gets, but for the Host.
    let fields: HeaderFields
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
    ///   - hosts: The hosts that were asked for lately.
    ///   - connection: The connection that it came on.
    ///   - core: What all connections share.
    /// - Throws: What is wrong with it.
    init(
        _ head: borrowing RequestHead,
        names: HeaderNames,
        hosts: HostCache,
        at connection: borrowing ClientConnection,
        core: GatewayCore
    ) throws(Refusal) {
        guard head.target.count <= Self.targetLimit else {
            throw Refusal("the target is longer than \(Self.targetLimit) bytes", status: .uriTooLong)
        }
        let fields = head.fields
        let bytes = fields.bytes.readableBytesUInt8Span
        var size = 0
        var hostField: HeaderFields.Field?
        var taken: [HeaderFields.Field] = []
        taken.reserveCapacity(fields.count)
        for field in fields.list {
            size += field.name.count + field.value.count
            let name = bytes.extracting(field.name)
            guard name.count == 4, name.isSameHeader(as: "host") else {
                if field.isPlain || names.take(name) { taken.append(field) }
                continue
            }
            guard hostField == nil else { throw Refusal("the request has two Host headers") }
            hostField = field
        }
        guard size <= core.options.maximumHeaderBytes else { throw .longHeaders(core.options) }
        body = try head.body.get()
        if hostField == nil, !head.isOldVersion { throw Refusal("the request has no Host") }
        let forwarded =
            connection.isTrusted ? try ForwardedHeaders(fields, believing: core.options.trustedProxies.headers) : nil
        let usualPort = forwarded?.isSecure ?? connection.isSecure ? 443 : 80
        var known: HostCache.Known?
        if let hostField {
            known = hosts.host(bytes.extracting(hostField.value), usualPort: usualPort)
            guard known != nil else { throw Self.noHost }
        }
        // The Host is ignored where the target has one (RFC 9112, 3.2.2), and so is not sent on either.
        if let absolute = try Self.absoluteTarget(head.target, usualPort) {
            known = HostCache.Known(absolute.0)
            target = absolute.1
        } else {
            target = head.target
        }
        if let told = forwarded?.host { known = HostCache.Known(try Self.host(told.utf8Trimmed, usualPort)) }
        let host = known?.host
        self.host = host
        hostText = known?.text
        hostHeader = known?.header
        listen = forwarded.map { connection.listen($0, host: host) } ?? connection.listen
        for field in taken where !field.isPlain && !UTF8Check.isValid(bytes.extracting(field.value)) {
            throw Refusal("the value of the header \(fields.text(field.name)) is not UTF-8")
        }
        self.fields = HeaderFields(fields.bytes, taken)
    }

    private static let noHost = Refusal("the Host is not a host with or without a port")

    /// The host and the rest of a target that has a scheme; nil for any other target.
    private static func absoluteTarget(
        _ target: [UInt8],
        _ usualPort: Int
    ) throws(Refusal) -> (HostAndPort, [UInt8])? {
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

extension String {
    /// The bytes without the blanks around them.
    fileprivate var utf8Trimmed: [UInt8] {
        var bytes = Array(utf8)[...]
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        return Array(bytes)
    }
}
#endif
