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
#endif
