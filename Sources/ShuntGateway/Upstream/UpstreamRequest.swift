#if Gateway
import AsyncHTTPClient
import NIOHTTP1
import Shunt
import ShuntHummingbird

/// What is asked of the upstream for a forwarded request.
struct UpstreamRequest: Sendable {
    /// The scheme, host and port.
    var base: String
    /// The path and arguments.
    var target: String
    var method: HTTPMethod
    var headers: HTTPHeaders

    /// Whether asking twice does what asking once does.
    ///
    /// https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
    var isIdempotent: Bool {
        switch method {
        case .GET, .HEAD, .OPTIONS, .PUT, .DELETE: true
        default: false
        }
    }

    /// Works out what to ask; nil where the request has no upstream to go to.
    ///
    /// - Parameters:
    ///   - head: The request of the client.
    ///   - decision: What the rules made of it.
    ///   - client: The client's address.
    ///   - options: The gateway's options.
    init?(_ head: HTTPRequestHead, _ decision: Decision, client: String, options: GatewayOptions) {
        guard let target = ForwardTarget(decision), target.isHTTP else { return nil }
        let askedHost = String(decoding: target.authority, as: UTF8.self)
        let base: String
        let usualHost: GatewayOptions.UpstreamHost
        if decision.isUpstream {
            guard !askedHost.isEmpty else { return nil }
            base = "\(target.scheme)://\(askedHost)"
            usualHost = .upstream
        } else {
            guard let upstream = options.upstream else { return nil }
            base = upstream.description
            usualHost = .client
        }
        self.base = base
        self.target = Self.encoded(target.path)
        method = head.method
        headers = HTTPHeaders()
        let hopByHop = HopByHopHeaders.names(in: head.headers)
        let received = head.headers.first(name: "host") ?? askedHost
        switch options.upstreamHost ?? usualHost {
        case .upstream: break
        // Where rules renamed the host, the new name is the one that is asked for.
        case .client: headers.add(name: "Host", value: decision.isUpstream ? received : askedHost)
        }
        for (name, value) in head.headers {
            let lowercased = name.lowercased()
            if Self.replaced.contains(lowercased) || hopByHop.contains(lowercased) { continue }
            if lowercased.hasPrefix("x-forwarded-"), Self.forwarded.contains(lowercased) { continue }
            headers.add(name: name, value: value)
        }
        addForwarded(head, received: received, client: client, trusts: options.trustsForwardedHeaders)
    }

    /// Headers that the gateway sets itself.
    private static let replaced: Set<String> = ["host", "content-length", "expect", UpstreamTarget.header]
    private static let forwarded: Set<String> = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"]

    private mutating func addForwarded(_ head: HTTPRequestHead, received: String, client: String, trusts: Bool) {
        let before = trusts ? head.headers["x-forwarded-for"] : []
        headers.add(name: "X-Forwarded-For", value: (before + [client]).joined(separator: ", "))
        let scheme = trusts ? head.headers.first(name: "x-forwarded-proto") : nil
        headers.add(name: "X-Forwarded-Proto", value: scheme ?? "http")
        let host = trusts ? head.headers.first(name: "x-forwarded-host") : nil
        headers.add(name: "X-Forwarded-Host", value: host ?? received)
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
