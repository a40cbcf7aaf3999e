#if Gateway
import AsyncHTTPClient
import NIOHTTP1
import Shunt
import ShuntHummingbird

/// What is asked of the upstream for a forwarded request.
struct UpstreamRequest {
    /// `http` or `https`.
    var scheme: String
    /// The scheme, host and port; with a group, the name of the group.
    var base: String
    /// The servers of which one is to be asked; nil where there is only `base`.
    var group: PeerGroup?
    /// The path and arguments.
    var target: String
    var method: HTTPMethod
    var headers: HTTPHeaders

    /// What the HTTP client is to ask, of the server that `base` names.
    ///
    /// - Parameters:
    ///   - base: The scheme, host and port.
    ///   - body: The body; nil for none.
    ///   - length: The length of the body.
    /// - Returns: A request for the HTTP client.
    func question(_ base: String, _ body: RequestBody?, _ length: IncomingRequest.BodyLength) -> HTTPClientRequest {
        var question = HTTPClientRequest(url: base)
        question.method = method
        question.headers = headers
        question.headers.add(name: UpstreamTarget.header, value: target)
        if let body {
            switch length {
            case .known(let bytes): question.body = .stream(body, length: .known(Int64(bytes)))
            case .unknown, .none: question.body = .stream(body, length: .unknown)
            }
        }
        return question
    }

    /// Works out what to ask; nil where the request has no upstream to go to.
    ///
    /// - Parameters:
    ///   - incoming: The request of the client.
    ///   - method: Its method.
    ///   - decision: What the rules made of it.
    ///   - groups: The groups of servers that the rules know.
    ///   - rules: The rules that decided.
    ///   - client: The client's connection.
    ///   - options: The gateway's options.
    /// - Throws: When the rules made a URL whose host is none.
    init?(
        _ incoming: IncomingRequest,
        _ method: HTTPMethod,
        _ decision: borrowing DecisionView,
        groups: GroupTable,
        rules: RuleSet,
        client: ClientConnection,
        options: GatewayOptions
    ) throws(IncomingRequest.Refusal) {
        guard let target = ForwardTarget(decision), target.isHTTP else { return nil }
        let usualPort = target.scheme == "https" ? 443 : 80
        guard let host = HostAndPort(Array(target.authority).span, usualPort: usualPort) else {
            throw IncomingRequest.Refusal("the rules made a URL without a host", status: .internalServerError)
        }
        let askedHost = host.description
        let base: String
        let usualHost: GatewayOptions.UpstreamHost
        if decision.isUpstream {
            base = "\(target.scheme)://\(askedHost)"
            group = groups.group(named: askedHost)
            usualHost = .upstream
        } else {
            guard let upstream = options.upstream else { return nil }
            base = upstream.description
            usualHost = .client
        }
        scheme = target.scheme
        self.base = base
        self.target = Self.encoded(target.path)
        self.method = method
        headers = HTTPHeaders()
        let set = Self.setHeaders(decision)
        let names = Set(set.map { $0.name.lowercased() })
        let hopByHop = HopByHopHeaders.names(in: incoming.headers)
        let received = incoming.host?.description ?? askedHost
        switch options.upstreamHost ?? usualHost {
        case _ where names.contains("host"): break
        case .upstream: if group != nil { headers.add(name: "Host", value: askedHost) }
        // Where rules renamed the host, the new name is the one that is asked for.
        case .client: headers.add(name: "Host", value: decision.isUpstream ? received : askedHost)
        }
        for (name, value) in incoming.headers {
            let lowercased = name.lowercased()
            if names.contains(lowercased) || Self.replaced.contains(lowercased) || hopByHop.contains(lowercased) {
                continue
            }
            if lowercased.hasPrefix("x-forwarded-"), Self.forwarded.contains(lowercased) { continue }
            headers.add(name: name, value: value)
        }
        // A proxy that is trusted has written the list of addresses; the rest is what the rules judged.
        let before = client.isTrusted ? incoming.headers["x-forwarded-for"] : []
        for (name, value) in [
            ("X-Forwarded-For", (before + [client.address]).joined(separator: ", ")),
            ("X-Forwarded-Proto", rules.isSecure(at: incoming.listen) ? "https" : "http"),
            ("X-Forwarded-Host", received),
        ] where !names.contains(name.lowercased()) {
            headers.add(name: name, value: value)
        }
        for (name, value) in set where !value.isEmpty { headers.add(name: name, value: value) }
    }

    /// The headers of `proxy_set_header`, but for those that belong to the connection or say where a body ends.
    private static func setHeaders(_ decision: borrowing DecisionView) -> [(name: String, value: String)] {
        var set: [(name: String, value: String)] = []
        decision.withUpstreamHeaders { name, value in
            let name = String(repairing: name)
            let value = String(repairing: value)
            let lowercased = name.lowercased()
            guard !HopByHopHeaders.usual.contains(lowercased), lowercased == "host" || !replaced.contains(lowercased),
                lowercased != "host" || !value.isEmpty
            else { return }
            set.append((name, value))
        }
        return set
    }

    /// Headers that the gateway sets itself.
    private static let replaced: Set<String> = ["host", "content-length", "expect", UpstreamTarget.header]
    private static let forwarded: Set<String> = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"]

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
