#if Gateway
import NIOCore
import NIOHTTP1
import Shunt
import ShuntHummingbird
import ShuntRules

/// What is asked of the upstream for a forwarded request.
struct UpstreamRequest {
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
    /// The path and arguments.
    let target: String
    let method: HTTPMethod
    /// What the rules say of how to ask.
    let settings: UpstreamSettings
    /// What the rules make of where its answer redirects to; nil where nothing.
    let redirects: AnswerRedirects?
    /// Whether the upstream is asked to speak another protocol, as the client asks.
    private(set) var asksUpgrade = false
    /// The request line and the headers, but for those that say how long the body is, and the empty line.
    private var lines: ByteBuffer

    /// The scheme, host and port; with a group, the name of the group.
    var base: String { "\(scheme)://\(authority)" }

    /// The bytes before the body.
    func head(_ length: IncomingRequest.BodyLength) -> ByteBuffer {
        var head = lines
        switch length {
        case .known(let bytes): head.writeString("Content-Length: \(bytes)\r\n\r\n")
        case .unknown: head.writeStaticString("Transfer-Encoding: chunked\r\n\r\n")
        case .none where method == .POST || method == .PUT || method == .PATCH:
            head.writeStaticString("Content-Length: 0\r\n\r\n")
        case .none: head.writeStaticString("\r\n")
        }
        return head
    }

    /// Works out what to ask; nil where the request has no upstream to go to.
    ///
    /// - Parameters:
    ///   - incoming: The request of the client.
    ///   - method: Its method.
    ///   - decision: What the rules made of it.
    ///   - groups: The groups of servers that the rules know.
    ///   - rules: The rules that decided.
    ///   - rewriter: What those rules change the answer's Location with.
    ///   - client: The client's connection.
    ///   - options: The gateway's options.
    /// - Throws: When the rules made a URL whose host is none.
    init?(
        _ incoming: IncomingRequest,
        _ method: HTTPMethod,
        _ decision: borrowing DecisionView,
        groups: GroupTable,
        rules: RuleSet,
        rewriter: LocationRewriter?,
        client: ClientConnection,
        options: GatewayOptions
    ) throws(IncomingRequest.Refusal) {
        guard let target = ForwardTarget(decision), target.isHTTP else { return nil }
        let usualPort = target.scheme == "https" ? 443 : 80
        guard let host = HostAndPort(Array(target.authority).span, usualPort: usualPort) else {
            throw IncomingRequest.Refusal("the rules made a URL without a host", status: .internalServerError)
        }
        let askedHost = host.description
        let usualHost: GatewayOptions.UpstreamHost
        if decision.isUpstream {
            authority = askedHost
            group = groups.group(named: askedHost)
            endpoint = UpstreamEndpoint(host, scheme: target.scheme)
            scheme = target.scheme
            usualHost = .upstream
        } else {
            guard let upstream = options.upstream else { return nil }
            authority = upstream.authority
            group = nil
            endpoint = upstream.endpoint
            scheme = upstream.scheme
            usualHost = .client
        }
        self.target = Self.encoded(target.path)
        self.method = method
        balancingKey = group == nil ? [] : decision.balancingKey
        settings = decision.upstreamSettings ?? UpstreamSettings()
        redirects = AnswerRedirects(decision, incoming, rewriter)
        let set = try SetHeaders(decision)
        let received = incoming.host?.description ?? askedHost
        lines = ByteBuffer()
        lines.reserveCapacity(512)
        lines.writeString(method.rawValue)
        lines.writeStaticString(" ")
        lines.writeString(self.target)
        lines.writeStaticString(" HTTP/1.1\r\n")
        switch options.upstreamHost ?? usualHost {
        case _ where set.has("host"): break
        case .upstream: add("Host", decision.isUpstream ? askedHost : options.upstream?.authority ?? askedHost)
        // Where rules renamed the host, the new name is the one that is asked for.
        case .client: add("Host", decision.isUpstream ? received : askedHost)
        }
        let fields = incoming.fields
        let hopByHop = HopByHopHeaders(fields)
        let bytes = fields.bytes.readableBytesUInt8Span
        for field in fields.list {
            let name = bytes.extracting(field.name)
            if hopByHop.contains(name) || Self.isOwn(name) || set.has(name) { continue }
            lines.writeHeader(field, of: fields)
        }
        // A proxy that is trusted has written the list of addresses; the rest is what the rules judged.
        let before = client.isTrusted ? fields.values("x-forwarded-for") : []
        if !set.has("x-forwarded-for") { add("X-Forwarded-For", (before + [client.address]).joined(separator: ", ")) }
        if !set.has("x-forwarded-proto") {
            add("X-Forwarded-Proto", rules.isSecure(at: incoming.listen) ? "https" : "http")
        }
        if !set.has("x-forwarded-host") { add("X-Forwarded-Host", received) }
        for (name, value) in set.fields where !value.isEmpty { add(name, value) }
        if let upgrade = set.upgrade, hopByHop.lists("upgrade"), fields.first("upgrade") != nil {
            asksUpgrade = true
            add("Connection", "upgrade")
            add("Upgrade", upgrade)
        }
    }

    private mutating func add(_ name: String, _ value: String) {
        lines.writeString(name)
        lines.writeStaticString(": ")
        lines.writeString(value)
        lines.writeStaticString("\r\n")
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

    /// The headers of `proxy_set_header`, but for those that belong to the connection or say where a body ends.
    private struct SetHeaders {
        var fields: [(name: String, value: String)] = []
        /// The protocol that the upstream is asked for.
        var upgrade: String?

        init(_ decision: borrowing DecisionView) throws(IncomingRequest.Refusal) {
            var protocols: String?
            var isConnectionSet = false
            var fields: [(name: String, value: String)] = []
            var isToken = true
            decision.withUpstreamHeaders { name, value in
                for index in name.indices where !name[index].isNameByte { isToken = false }
                let isHopByHop = HopByHopHeaders.isUsual(name)
                let name = String(repairing: name)
                let value = String(repairing: value)
                if name.isSameHeader(as: "upgrade"), !value.isEmpty { protocols = value }
                if name.isSameHeader(as: "connection"), value.lowercased().contains("upgrade") {
                    isConnectionSet = true
                }
                let isHost = name.isSameHeader(as: "host")
                guard !isHopByHop, isHost ? !value.isEmpty : !Self.isFraming(name) else { return }
                fields.append((name, value))
            }
            guard isToken else {
                throw IncomingRequest.Refusal("the rules set a header whose name is none", status: .internalServerError)
            }
            self.fields = fields
            if isConnectionSet { upgrade = protocols }
        }

        /// Whether there is a header of that name.
        func has(_ name: Span<UInt8>) -> Bool { !fields.isEmpty && has(String(repairing: name)) }

        /// Whether there is a header of that name.
        func has(_ name: String) -> Bool {
            guard !fields.isEmpty else { return false }
            let lowercased = name.lowercased()
            return fields.contains { $0.name.lowercased() == lowercased }
        }

        private static func isFraming(_ name: String) -> Bool {
            name.isSameHeader(as: "content-length") || name.isSameHeader(as: "expect")
        }
    }

    /// The path and arguments as they are, but with bytes percent-encoded that would end or break the request line.
    static func encoded(_ path: ArraySlice<UInt8>) -> String {
        guard path.contains(where: { $0 <= 0x20 || $0 >= 0x7f }) else { return String(decoding: path, as: UTF8.self) }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path {
            if byte <= 0x20 || byte >= 0x7f {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
#endif
