#if Gateway
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Testing

@testable import ShuntGateway

/// TLS to upstreams.
@Suite struct UpstreamTLSTests {
    /// Tells how a handshake ends.
    final class HandshakeEnd: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let end: EventLoopPromise<Void>

        init(_ end: EventLoopPromise<Void>) { self.end = end }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent { end.succeed() }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            end.fail(error)
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) { end.fail(ChannelError.eof) }
    }

    @Test(
        "A certificate has to be for the name that is asked, and from an authority that is trusted",
        arguments: [
            ("a.test", TestCertificates.a, true), ("b.test", TestCertificates.a, false),
            ("x.a.test", TestCertificates.a, false), ("127.0.0.1", TestCertificates.a, false),
            ("a.test", TestCertificates.b, false),
        ]
    )
    func checksName(_ name: String, _ authority: String, _ isRight: Bool) async throws {
        let certificate = try NIOSSLCertificate(bytes: Array(TestCertificates.a.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(TestCertificates.keyOfA.utf8), format: .pem)
        let serverContext = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)],
                privateKey: .privateKey(key)
            )
        )
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: serverContext))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let trusted = try NIOSSLCertificate(bytes: Array(authority.utf8), format: .pem)
        let tls = UpstreamTLS(trusting: .certificates([trusted]))
        let end = group.next().makePromise(of: Void.self)
        let client = try await ClientBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let operations = channel.pipeline.syncOperations
                    try operations.addHandler(try tls.handler(for: name))
                    try operations.addHandler(HandshakeEnd(end))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        do {
            try await end.futureResult.get()
            #expect(isRight)
        } catch {
            #expect(!isRight)
            #expect(UpstreamFailure(error, isSecured: false).isHandshake)
        }
        _ = try? await client.close().get()
        _ = try? await server.close().get()
    }
}
#endif
