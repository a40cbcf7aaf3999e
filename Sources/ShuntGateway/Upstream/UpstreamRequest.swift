#if Gateway
import NIOCore
import NIOHTTP1
import Shunt
import ShuntHummingbird
import ShuntRules

/// What is asked of the upstream for a forwarded request.
///
/// A class, because it goes through several hands, and has much that would be copied each time. Used on its event loop only.
final class UpstreamRequest {
    /// `http` or `https`.
    let scheme: String
    /// The host and port; with a group, the name of the group.
    private let authority: String
    /// The servers of which one is to be asked; nil where there is only `endpoint`.
    let group: PeerGroup?
    /// What the server of a group is chosen by, where its rules say `hash`.
    let balancingKey: [UInt8]
    /// Where to ask; with a group, nowhere.
    let endpoint: UpstreamEndpoint
    let method: HTTPMethod
    /// What the rules say of how to ask.
    let settings: UpstreamSettings
    /// What the rules make of where its answer redirects to; nil where nothing.
    let redirects: AnswerRedirects?
    /// Whether the upstream is asked to speak another protocol, as the client asks.
    private(set) var asksUpgrade = false

    /// The bytes before the body.
    let head: ByteBuffer
    /// Where the target is in them.
    private let targetRange: Range<Int>

    /// The URL; with a group, the name of the group is its host.
    var url: String {
        let target = head.getString(at: targetRange.lowerBound, length: targetRange.count) ?? ""
        return "\(scheme)://\(authority)\(target)"
    }

    /// Works out what to ask; nil where the request has no upstream to go to.
    ///
    /// - Parameters:
    ///   - incoming: The request of the client.
    ///   - method: Its method.
    ///   - decision: What the rules made of it.
    ///   - groups: The groups of servers that the rules know.
    ///   - hosts: The hosts that were asked for lately.
    ///   - rules: The rules that decided.
    ///   - rewriter: What those rules change the answer's Location with.
    ///   - client: The client's connection.
    ///   - core: What all connections share.
    /// - Throws: When the rules made a URL whose host is none.
    init?(
        _ incoming: borrowing IncomingRequest,
        _ method: HTTPMethod,
        _ decision: borrowing DecisionView,
        groups: GroupTable,
        hosts: HostCache,
        rules: RuleSet,
        rewriter: LocationRewriter?,
        client: borrowing ClientConnection,
        core: GatewayCore
    ) throws(IncomingRequest.Refusal) {
        guard let target = ForwardTarget(decision), target.isHTTP else { return nil }
        let usualPort = target.scheme == "https" ? 443 : 80
        guard let known = hosts.host(target.authority.span, usualPort: usualPort) else {
            throw IncomingRequest.Refusal("the rules made a URL without a host", status: .internalServerError)
        }
        let host = known.host
        let askedHost = known.text
        let usualHost: GatewayOptions.UpstreamHost
        if decision.isUpstream {
            authority = askedHost
            group = groups.group(named: askedHost)
            endpoint = UpstreamEndpoint(host, scheme: target.scheme)
            scheme = target.scheme
            usualHost = .upstream
        } else {
            guard let upstream = core.options.upstream else { return nil }
            authority = upstream.authority
            group = nil
            endpoint = upstream.endpoint
            scheme = upstream.scheme
            usualHost = .client
        }
        self.method = method
        balancingKey = group == nil ? [] : decision.balancingKey
        settings = decision.upstreamSettings ?? UpstreamSettings()
        redirects = AnswerRedirects(decision, incoming, rewriter)
        let set = try SetHeaders(decision)
        let received = incoming.hostText ?? askedHost
        var head = ByteBuffer()
        head.reserveCapacity(640)
        head.writeString(method.rawValue)
        head.writeStaticString(" ")
        let start = head.writerIndex
        head.writeTarget(target.path)
        targetRange = start..<head.writerIndex
        head.writeStaticString(" HTTP/1.1\r\n")
        switch core.options.upstreamHost ?? usualHost {
        case _ where set.has("host"): break
        case .upstream:
            head.add("Host", decision.isUpstream ? askedHost : core.options.upstream?.authority ?? askedHost)
        // Where rules renamed the host, the new name is the one that is asked for.
        case .client: head.add("Host", decision.isUpstream ? received : askedHost)
        }
        let fields = incoming.fields
        let hopByHop = HopByHopHeaders(fields)
        let bytes = fields.bytes.readableBytesUInt8Span
        for field in fields.list {
            let name = bytes.extracting(field.name)
            if hopByHop.contains(name) || Self.isOwn(name) || set.has(name) { continue }
            head.writeHeader(field, of: fields)
        }
        if !set.has("x-forwarded-for") {
            // A proxy that is trusted has written the list of addresses; the rest is what the rules judged.
            let before = client.isTrusted ? fields.values("x-forwarded-for") : []
            let address = client.address
            head.add("X-Forwarded-For", before.isEmpty ? address : (before + [address]).joined(separator: ", "))
        }
        if !set.has("x-forwarded-proto") {
            head.add("X-Forwarded-Proto", rules.isSecure(at: incoming.listen) ? "https" : "http")
        }
        if !set.has("x-forwarded-host") { head.add("X-Forwarded-Host", received) }
        for (name, value) in set.fields where !value.isEmpty { head.add(name, value) }
        if let upgrade = set.upgrade, hopByHop.lists("upgrade"), fields.first("upgrade") != nil {
            asksUpgrade = true
            head.add("Connection", "upgrade")
            head.add("Upgrade", upgrade)
        }
        head.end(incoming.body, method)
        self.head = head
    }

    /// Whether a client's header is replaced by the gateway's.
    private static func isOwn(_ name: Span<UInt8>) -> Bool {
        switch name.count {
        case 4: name.isSameHeader(as: "host")
        case 6: name.isSameHeader(as: "expect")
        case 14: name.isSameHeader(as: "content-length")
        case 15: name.isSameHeader(as: "x-forwarded-for")
        case 16: name.isSameHeader(as: "x-forwarded-host")
        case 17: name.isSameHeader(as: "x-forwarded-proto")
        default: false
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func add(_ name: String, _ value: String) {
        writeString(name)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }

    /// Writes what says how long the body is, and the empty line.
    fileprivate mutating func end(_ length: IncomingRequest.BodyLength, _ method: HTTPMethod) {
        switch length {
        case .known(let bytes): writeString("Content-Length: \(bytes)\r\n\r\n")
        case .unknown: writeStaticString("Transfer-Encoding: chunked\r\n\r\n")
        case .none where method == .POST || method == .PUT || method == .PATCH:
            writeStaticString("Content-Length: 0\r\n\r\n")
        case .none: writeStaticString("\r\n")
        }
    }

    /// Writes a path and arguments as they are, but with bytes percent-encoded that would end or break the request line.
    mutating func writeTarget(_ path: ArraySlice<UInt8>) {
        guard path.contains(where: { $0 <= 0x20 || $0 >= 0x7f }) else {
            writeBytes(path)
            return
        }
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in path {
            if byte <= 0x20 || byte >= 0x7f {
                writeBytes([UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            } else {
                writeInteger(byte)
            }
        }
    }
}
#endif
