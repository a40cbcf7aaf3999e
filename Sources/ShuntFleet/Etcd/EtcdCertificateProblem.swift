#if Fleet
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Reports why a member's certificate was refused, which TLS itself does not.
///
/// It connects once more, reads the certificate, and closes the connection before anything is sent.
enum EtcdCertificateProblem {
    private struct Seen: Error {}

    /// The reason in words; `now` is in seconds since 1970.
    static func text(_ endpoint: String, _ configuration: TLSConfiguration, now: Int) async -> String {
        guard let leaf = await certificate(endpoint, configuration) else { return "its certificate cannot be verified" }
        if leaf.notValidAfter < now { return "its certificate has expired" }
        if leaf.notValidBefore > now { return "its certificate is not valid yet" }
        return "its certificate is not from an authority that is trusted"
    }

    private static func certificate(_ endpoint: String, _ configuration: TLSConfiguration) async -> NIOSSLCertificate? {
        guard let place = endpoint.split(separator: "/").last, let colon = place.lastIndex(of: ":"),
            let port = Int(place[place.index(after: colon)...]),
            let context = try? NIOSSLContext(configuration: configuration)
        else { return nil }
        let host = String(place[..<colon].filter { !"[]".contains($0) })
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let found = loop.makePromise(of: NIOSSLCertificate.self)
        let limit = loop.scheduleTask(in: .seconds(2)) { found.fail(Seen()) }
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(.seconds(2))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(
                        context: context,
                        serverHostname: isAddress ? nil : host,
                        customVerificationCallback: { chain, verdict in
                            if let leaf = chain.first { found.succeed(leaf) } else { found.fail(Seen()) }
                            verdict.succeed(.failed)
                        }
                    )
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        let connected = bootstrap.connect(host: host, port: port)
        connected.whenFailure { found.fail($0) }
        let leaf = try? await found.futureResult.get()
        limit.cancel()
        connected.whenSuccess { $0.close(promise: nil) }
        return leaf
    }
}
#endif
