#if Gateway
import NIOCore
import NIOSSL
import Synchronization

/// TLS to upstreams: certificates have to be for the name that was asked, and from an authority that the system trusts.
final class UpstreamTLS: Sendable {
    private let trusted: NIOSSLTrustRoots
    private let context = Mutex<NIOSSLContext?>(nil)

    /// - Parameter trusted: The authorities whose certificates count.
    init(trusting trusted: NIOSSLTrustRoots = .default) { self.trusted = trusted }

    /// A handler for a connection to an upstream of a name.
    func handler(for name: String) throws -> NIOSSLClientHandler {
        let context = try context.withLock { known in
            if let known { return known }
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = trusted
            configuration.applicationProtocols = ["http/1.1"]
            let made = try NIOSSLContext(configuration: configuration)
            known = made
            return made
        }
        // The certificate of an address has to name the address that the connection has.
        let isAddress = (try? SocketAddress(ipAddress: name, port: 0)) != nil
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : name)
    }
}
#endif
