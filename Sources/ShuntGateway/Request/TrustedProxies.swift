#if Gateway
import ShuntCore

/// The proxies in front of a gateway whose word about their clients counts, and which of their headers are read.
public struct TrustedProxies: Sendable {
    /// A header in which a proxy passes on what its client asked for.
    @nonexhaustive
    public enum Header: String, Sendable, CaseIterable {
        /// `X-Forwarded-Proto`: the scheme.
        case proto = "x-forwarded-proto"
        /// `X-Forwarded-Host`: the host.
        case host = "x-forwarded-host"
        /// `X-Forwarded-Port`: the port.
        case port = "x-forwarded-port"
        /// `Forwarded` with `proto` and `host` (RFC 7239).
        case forwarded
    }

    /// The headers that are read.
    ///
    /// Only what every trusted proxy sets itself: what it merely passes on is still the client's.
    public var headers: Set<Header> = [.proto]
    private var networks: [AddressNetwork] = []
    private var trustsUnixSockets = false

    /// Trusts no one.
    public init() {}

    /// True if anybody is trusted.
    public var isEmpty: Bool { networks.isEmpty && !trustsUnixSockets }

    /// Trusts an address, a network such as `10.0.0.0/8`, or `unix:`, which is every client of a Unix socket.
    ///
    /// - Returns: Whether the text is one of these.
    public mutating func trust(_ text: String) -> Bool {
        if text == "unix:" {
            trustsUnixSockets = true
            return true
        }
        guard let network = AddressNetwork.parse(Array(text.utf8).span)?.network else { return false }
        networks.append(network)
        return true
    }

    /// Returns true if a client at an address is such a proxy; nil is one at a Unix socket.
    func contains(_ address: String?) -> Bool {
        guard let address else { return trustsUnixSockets }
        guard !networks.isEmpty, let parsed = InternetAddress(address) else { return false }
        return networks.contains { $0.contains(parsed) }
    }
}
#endif
