#if Gateway
import NIOCore
import Shunt
import Synchronization

/// The two ends of a client's connection.
struct ClientConnection {
    /// The client's address; `unix:` at a Unix socket.
    var address = ""
    /// The number of the connection since the program started.
    var number = 0
    var port = 0
    /// The place where the rules take its requests to have arrived.
    var listen: RuleRequest.Endpoint?
    /// True if TLS ends here.
    var isSecure = false
    /// True if the client speaks plain HTTP although TLS is spoken here.
    var isPlain = false
    /// The variables of the rules of the TLS session; none without TLS.
    var sessionInputs: [(name: String, value: [UInt8])] = []
    /// True if a proxy that is trusted is at the other end.
    var isTrusted = false
    /// The preface of the connection; nil if its listener expects none.
    private(set) var preface: ProxyPreface?

    private static let count = Atomic<Int>(0)

    init() {}

    init(_ channel: any Channel, at listener: Listener, trusting proxies: TrustedProxies) {
        if let remote = channel.remoteAddress {
            address = remote.ipAddress ?? "unix:"
            port = remote.port ?? 0
            isTrusted = proxies.contains(remote.ipAddress)
        }
        number = Self.count.add(1, ordering: .relaxed).newValue
        isSecure = listener.isSecure
        listen = listener.endpoint(localAddress: channel.localAddress?.ipAddress, port: channel.localAddress?.port)
        // Whatever the `listen` of the rules has: this connection is encrypted.
        if isSecure { listen?.isSecure = true }
    }

    /// Speaks plain HTTP at a port for TLS, which servers refuse.
    mutating func takePlain() {
        isPlain = true
        isSecure = false
        listen?.isSecure = false
    }

    /// Takes over what the connection began with.
    ///
    /// The client is the client that a trusted proxy names. The headers of its requests are then its own word, also
    /// where the proxy does not know its address.
    mutating func take(_ preface: ProxyPreface, trusting proxies: TrustedProxies) {
        self.preface = preface
        guard isTrusted, !preface.isLocal else { return }
        isTrusted = preface.client.map { proxies.contains($0.address) } ?? false
        guard let client = preface.client else { return }
        address = client.address
        port = client.port
    }

    /// The place where the rules take a request to have arrived that a proxy reports.
    func listen(_ forwarded: ForwardedHeaders, host: HostAndPort?) -> RuleRequest.Endpoint? {
        guard var listen else { return nil }
        listen.publicPort = forwarded.port
        if let isSecure = forwarded.isSecure {
            listen.isSecure = isSecure
            if forwarded.port == nil {
                listen.publicPort = isSecure ? 443 : 80
                listen.hostPort = host?.port
            }
        }
        return listen
    }
}
#endif
