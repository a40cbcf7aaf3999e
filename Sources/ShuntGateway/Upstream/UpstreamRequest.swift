#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// The request to the upstream for a forwarded request.
///
/// A class, because it goes through several hands, and has much that would be copied each time. Used on its event loop only.
final class UpstreamRequest {
    /// The server, or the group of servers.
    let server: ChosenServer
    /// The key that chooses the server of a group with `hash`.
    let balancingKey: [UInt8]
    let method: HTTPMethod
    /// The method that decides whether it may be sent again, as in nginx: without the method of `proxy_method`.
    let ownMethod: HTTPMethod
    /// The settings of the rules for the request.
    private(set) var settings: UpstreamSettings
    /// The changes of the rules to redirects in its answer; nil for none.
    let redirects: AnswerRedirects?
    /// The answers after which the rules decide again.
    private(set) var interception: Interception
    /// True if the request asks for another protocol, as the client does.
    private(set) var asksUpgrade = false
    /// True if its connection serves no other request before and after it, by the rules.
    let closes: Bool

    /// The body in place of the client's; nil for the client's.
    let body: ByteBuffer?
    /// The bytes before the body.
    private(set) var head: ByteBuffer
    /// The place in them of the lines about the body, which are the last.
    private let framingStart: Int
    /// The place where the target is in them.
    private let targetRange: Range<Int>

    /// The URL for logs; with a group, the name of the group is its host.
    var url: String {
        let target = head.getString(at: targetRange.lowerBound, length: targetRange.count) ?? ""
        return "\(server.scheme)://\(server.authority)\(target.hasPrefix("/") ? "" : "/")\(target)"
    }

    /// Works out the request to send; nil where the request has no upstream to go to.
    ///
    /// - Parameters:
    ///   - incoming: The request of the client.
    ///   - method: Its method.
    ///   - decision: What the rules made of it.
    ///   - bodyLength: The length of the part of its body that is sent.
    ///   - groups: The groups of servers that the rules know.
    ///   - hosts: The hosts of recent requests.
    ///   - rules: The rules that decided.
    ///   - rewriter: What those rules change the answer's Location with.
    ///   - client: The client's connection.
    ///   - core: What all connections share.
    /// - Throws: If the rules made a host that is invalid.
    init?(
        _ incoming: borrowing IncomingRequest,
        method: HTTPMethod,
        decision: borrowing DecisionView,
        length bodyLength: IncomingRequest.BodyLength,
        groups: GroupTable,
        hosts: HostCache,
        rules: RuleSet,
        rewriter: LocationRewriter?,
        client: borrowing ClientConnection,
        core: GatewayCore
    ) throws(IncomingRequest.Refusal) {
        let asked = try ChosenServer(decision, incoming, groups: groups, hosts: hosts, options: core.options)
        guard let server = asked else { return nil }
        self.server = server
        ownMethod = decision.ownMethod.map { HTTPMethod(rawValue: String(decoding: $0, as: UTF8.self)) } ?? method
        self.method = try Self.method(decision) ?? method
        balancingKey = server.group == nil ? [] : decision.balancingKey
        settings = decision.upstreamSettings ?? UpstreamSettings()
        // On the way to --upstream, too, which has no other settings of rules.
        settings.maximumBody = decision.maximumBody
        settings.holdsBody = decision.holdsBody
        interception = Interception(
            isQuestion: decision.isQuestion,
            statuses: decision.errorStatuses,
            isOfAnotherPath: decision.isOfAnotherPath,
            interceptsErrors: settings.interceptsErrors,
            followsRedirects: settings.followsRedirects
        )
        redirects = AnswerRedirects(decision, incoming: incoming, rewriter: rewriter)
        interception.cookies = redirects?.cookies
        let given = decision.upstreamBody ?? (settings.passesBody ? nil : [])
        body = given.map { ByteBuffer(bytes: $0) }
        var length = bodyLength
        if let given { length = given.isEmpty && !settings.passesBody ? .none : .known(given.count) }
        let set = try SetHeaders(decision)
        closes = set.closes
        var head = ByteBuffer()
        head.reserveCapacity(640)
        head.writeString(self.method.rawValue)
        head.writeStaticString(" ")
        let start = head.writerIndex
        decision.withTarget { head.writeTarget($0) }
        targetRange = start..<head.writerIndex
        // Only HTTP/1.0 knows requests without a Host.
        let isOld = set.has("host") && !set.sendsHost && length != .unknown
        head.writeStaticString(isOld ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n")
        if !set.has("host") { head.add("Host", server.host) }
        let upgrade =
            settings.passesHeaders
            ? head.pass(
                incoming,
                set: set,
                client: client,
                isTrusted: client.isTrusted || decision.isOfTrustedProxy,
                rules: rules
            ) : nil
        for (name, value) in set.fields where !value.isEmpty { head.add(name, value) }
        if let upgrade {
            // A service that is asked for consent sees what the client wants, and may refuse it.
            asksUpgrade = !decision.isQuestion
            head.add("Connection", "upgrade")
            head.add("Upgrade", upgrade)
        } else if closes {
            head.add("Connection", "close")
        }
        framingStart = head.writerIndex
        head.end(length, self.method)
        self.head = head
    }

    /// Announces a body of a number of bytes in the place of one in chunks.
    func announce(length: Int) {
        head.moveWriterIndex(to: framingStart)
        head.end(.known(length), method)
    }

    /// The method that the rules set for the request; nil for the client's.
    private static func method(_ decision: borrowing DecisionView) throws(IncomingRequest.Refusal) -> HTTPMethod? {
        guard let method = decision.changedMethod else { return nil }
        guard !method.isEmpty, method.allSatisfy(\.isNameByte) else {
            throw IncomingRequest.Refusal("the method of proxy_method is invalid", status: .internalServerError)
        }
        return HTTPMethod(rawValue: String(decoding: method, as: UTF8.self))
    }

    /// The headers of a client that the gateway writes itself.
    fileprivate static func isOwn(_ name: Span<UInt8>) -> Bool {
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
    /// Writes the headers of the client that are passed on, and those that report where it is.
    ///
    /// - Returns: The protocol that the request asks for; nil for none.
    fileprivate mutating func pass(
        _ incoming: borrowing IncomingRequest,
        set: SetHeaders,
        client: borrowing ClientConnection,
        isTrusted: Bool,
        rules: RuleSet
    ) -> String? {
        let fields = incoming.fields
        let hopByHop = HopByHopHeaders(fields)
        let bytes = fields.bytes.readableBytesUInt8Span
        for field in fields.list {
            let name = bytes.extracting(field.name)
            if hopByHop.contains(name) || UpstreamRequest.isOwn(name) || set.has(name) { continue }
            writeHeader(field, of: fields)
        }
        if !set.has("x-forwarded-for") {
            // A proxy that is trusted has written the list of addresses; the rest is what the rules judged.
            let before = isTrusted ? fields.values("x-forwarded-for") : []
            let address = client.address
            add("X-Forwarded-For", before.isEmpty ? address : (before + [address]).joined(separator: ", "))
        }
        if !set.has("x-forwarded-proto") {
            add("X-Forwarded-Proto", rules.isSecure(at: incoming.listen) ? "https" : "http")
        }
        if !set.has("x-forwarded-host"), let host = incoming.hostText { add("X-Forwarded-Host", host) }
        return fields.first("upgrade") == nil ? nil : set.upgrade
    }

    fileprivate mutating func add(_ name: String, _ value: String) {
        writeString(name)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }

    fileprivate mutating func add(_ name: String, _ value: [UInt8]) {
        writeString(name)
        writeStaticString(": ")
        writeBytes(value)
        writeStaticString("\r\n")
    }

    /// Writes the header for the length of the body, and the empty line.
    fileprivate mutating func end(_ length: IncomingRequest.BodyLength, _ method: HTTPMethod) {
        switch length {
        case .known(let bytes): writeString("Content-Length: \(bytes)\r\n\r\n")
        case .unknown: writeStaticString("Transfer-Encoding: chunked\r\n\r\n")
        case .none where method == .POST || method == .PUT || method == .PATCH:
            writeStaticString("Content-Length: 0\r\n\r\n")
        case .none: writeStaticString("\r\n")
        }
    }

    /// Writes a path and arguments unchanged, but with bytes percent-encoded that would end or break the request line.
    mutating func writeTarget(_ target: Span<UInt8>) {
        var start = 0
        for index in target.indices where target[index] <= 0x20 || target[index] >= 0x7f {
            let byte = target[index]
            writeBytes(target.extracting(start..<index).bytes)
            start = index + 1
            writeInteger(UInt8(ascii: "%"))
            writeInteger((byte >> 4).upperHexadecimalDigit)
            writeInteger(byte.upperHexadecimalDigit)
        }
        writeBytes(target.extracting(start...).bytes)
    }
}
#endif
