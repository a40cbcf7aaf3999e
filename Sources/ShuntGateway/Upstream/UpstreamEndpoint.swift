#if Gateway
import Shunt

/// The place where a connection to an upstream goes; connections to the same one may serve each other's requests.
struct UpstreamEndpoint: Sendable, Hashable {
    /// The place where it listens.
    enum Place: Sendable, Hashable, CustomStringConvertible {
        /// A name, an IPv4 address, or an IPv6 address without brackets; and a port.
        case host(String, port: Int)
        /// The path of a Unix socket.
        case unix(String)

        var description: String {
            switch self {
            case .host(let host, let port):
                host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
            case .unix(let path): "unix:\(path)"
            }
        }
    }

    let place: Place
    /// The server as TLS knows it; nil without TLS.
    let tls: UpstreamTLSPeer?

    init(_ place: Place, tls: UpstreamTLSPeer?) {
        self.place = place
        self.tls = tls
    }
}

extension HostAndPort {
    /// The host without the brackets of an IPv6 address.
    var plainHost: String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }

    /// The place of a server with this host.
    func place(isSecure: Bool) -> UpstreamEndpoint.Place { .host(plainHost, port: port ?? (isSecure ? 443 : 80)) }
}

/// The scheme, host and port of an upstream: `http://127.0.0.1:3000`.
public struct UpstreamAddress: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// The host, with its port where it is not the usual one.
    public let authority: String
    /// The place where connections go.
    let endpoint: UpstreamEndpoint

    /// Reads a URL; nil unless it is `http://HOST[:PORT]` or `https://HOST[:PORT]`, with or without a slash at the end.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let address = ProxyAddress(bytes.span), !address.isSocket,
            bytes[Int(address.end)...].elementsEqual("/".utf8) || address.end == bytes.count,
            let host = HostAndPort(
                bytes.span.extracting(address.authority.indices),
                usualPort: address.isSecure ? 443 : 80
            )
        else { return nil }
        scheme = address.isSecure ? "https" : "http"
        authority = host.description
        let tls = address.isSecure ? UpstreamTLSPeer(host.plainHost, .verified) : nil
        endpoint = UpstreamEndpoint(host.place(isSecure: address.isSecure), tls: tls)
    }

    /// The URL without a path.
    public var description: String { "\(scheme)://\(authority)" }
}
#endif
