#if Gateway
import Shunt

/// Where a connection to an upstream goes; connections to the same one may serve each other's requests.
struct UpstreamEndpoint: Sendable, Hashable {
    /// Where it listens.
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
    /// The name that its certificate has to be for; nil without TLS.
    let certificateName: String?

    /// - Parameters:
    ///   - place: Where it listens.
    ///   - name: The name that the rules have for it.
    ///   - scheme: `http` or `https`.
    init(_ place: Place, name: String, scheme: String) {
        self.place = place
        certificateName = scheme == "https" ? name : nil
    }

    /// A host of a URL.
    init(_ host: HostAndPort, scheme: String) {
        var name = host.host
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        self.init(.host(name, port: host.port ?? (scheme == "https" ? 443 : 80)), name: name, scheme: scheme)
    }
}
#endif
