#if Gateway
import Shunt

/// A place where requests come in.
public struct Listener: Sendable, Hashable, CustomStringConvertible {
    /// The place where it is.
    @nonexhaustive
    public enum Address: Sendable, Hashable {
        /// An address and a port.
        case socket(SocketEndpoint)
        /// The path of a Unix socket.
        case unix(String)
    }

    /// The place where it is.
    public var address: Address
    /// The `listen` of the rules that its requests are for; nil is the address itself.
    public var rulesListen: Address?
    /// True if TLS ends here, with the certificates of the servers.
    public var isSecure: Bool
    /// True if each connection begins with the address of its client, in the PROXY protocol.
    ///
    /// Connections that begin otherwise are closed.
    public var takesProxyProtocol = false
    /// The option or the place in the rules that requires it, for messages.
    public var origin: String?
    /// True if a rule file requires it.
    var isOfRules = false
    /// True if a socket for every IPv6 address takes IPv4 as well; nil if no other listener does.
    var takesIPv4: Bool?
    /// True if the rules want QUIC there, which is not spoken.
    var isForQUIC = false
    /// The most connections that may wait to be accepted.
    var backlog = Int(usualBacklog)
    /// The most connections that wait to be accepted at a listener that sets no other number.
    static let usualBacklog: Int32 = 1024
    /// The listeners for single addresses, whose connections come in here.
    var others: [Listener] = []

    /// Makes a listener.
    public init(_ address: Address, for rulesListen: Address? = nil, isSecure: Bool = false) {
        self.address = address
        self.rulesListen = rulesListen
        self.isSecure = isSecure
    }

    /// Reads `127.0.0.1:8080`, `8080`, `unix:/run/shunt.sock`, and one of these with `=` and the `listen` of the rules that it
    /// stands for, all of them with `tls:` in front where TLS ends here, and with `proxy_protocol:` before that where connections
    /// begin with the address of their client; nil if the text is invalid.
    public init?(_ text: String) {
        let takesProxyProtocol = text.hasPrefix(Self.proxyProtocol)
        let plain = text.dropFirst(takesProxyProtocol ? Self.proxyProtocol.count : 0)
        let isSecure = plain.hasPrefix("tls:")
        let parts = plain.dropFirst(isSecure ? 4 : 0)
            .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let address = Address(parts[0]) else { return nil }
        self.init(address, isSecure: isSecure)
        self.takesProxyProtocol = takesProxyProtocol
        guard parts.count == 2 else { return }
        guard let rulesListen = Address(parts[1]) else { return nil }
        self.rulesListen = rulesListen
    }

    /// Compares how requests come in, and not who asked for it.
    public static func == (left: Listener, right: Listener) -> Bool { left.description == right.description }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    private static let proxyProtocol = "proxy_protocol:"

    /// The form that `init(_:)` reads.
    public var description: String {
        (takesProxyProtocol ? Self.proxyProtocol : "") + (isSecure ? "tls:" : "") + "\(address)"
            + (rulesListen.map { "=\($0)" } ?? "")
    }

    /// Returns true if its socket for every IPv6 address takes IPv4, next to the other listeners of the gateway.
    func takesIPv4(among listeners: [Listener]) -> Bool {
        guard case .socket(let endpoint) = address else { return false }
        return takesIPv4 ?? !listeners.contains {
            $0.address == .socket(SocketEndpoint(host: "0.0.0.0", port: endpoint.port))
        }
    }

    /// The listener for a single address if there is one, else this one.
    func listener(at address: @autoclosure () -> String?) -> Listener {
        guard !others.isEmpty, let host = address() else { return self }
        return others.first { if case .socket(let endpoint) = $0.address { endpoint.host == host } else { false } }
            ?? self
    }

    /// The place where it is, with the port that the system chose.
    func shown(port: Int) -> String {
        switch address {
        case .unix: "\(address)"
        case .socket(let endpoint): "\(SocketEndpoint(host: endpoint.host, port: port))"
        }
    }

    /// The `listen` of the rules that it is for.
    var rulesEndpoint: RuleRequest.Endpoint {
        switch rulesListen ?? address {
        case .unix(let path): RuleRequest.Endpoint(address: "unix:" + path, port: 0)
        case .socket(let endpoint): RuleRequest.Endpoint(address: endpoint.host, port: endpoint.port)
        }
    }

    /// The place where the rules take a request on a connection to have arrived.
    func endpoint(localAddress: String?, port: Int?) -> RuleRequest.Endpoint? {
        switch rulesListen ?? address {
        case .unix(let path): RuleRequest.Endpoint(address: "unix:" + path, port: 0)
        case .socket(let endpoint) where rulesListen != nil:
            // For an address for all, the address that the client asked counts: rules may name it.
            RuleRequest.Endpoint(
                address: endpoint.isForAll ? localAddress ?? endpoint.host : endpoint.host,
                port: endpoint.port
            )
        case .socket: localAddress.flatMap { address in port.map { RuleRequest.Endpoint(address: address, port: $0) } }
        }
    }
}

extension Listener.Address: CustomStringConvertible {
    /// Reads an address and port or `unix:` and a path.
    init?(_ text: String) {
        if text.hasPrefix("unix:") {
            guard text.utf8.count > 5 else { return nil }
            self = .unix(String(text.dropFirst(5)))
        } else {
            guard let endpoint = SocketEndpoint(text) else { return nil }
            self = .socket(endpoint)
        }
    }

    /// The form of a `listen`.
    public var description: String {
        switch self {
        case .socket(let endpoint): endpoint.description
        case .unix(let path): "unix:" + path
        }
    }
}
#endif
