#if Gateway
import Glibc
import NIOCore
import NIOPosix
import NIOSSL

/// TLS for tests that read and write sockets unchanged: another thread puts the bytes into records and takes them out.
enum TLSBridge {
    /// Passes bytes to another channel, and ends it where its own channel ends.
    private final class Glue: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        let other: NIOLoopBoundBox<(any Channel)?>

        init(_ other: any Channel) { self.other = NIOLoopBoundBox(other, eventLoop: other.eventLoop) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            other.value?.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) { other.value?.close(promise: nil) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// All channels are on one loop, so that each may write to the other.
    private static let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// Passes bytes both ways between two channels that have not read yet.
    private static func join(_ one: any Channel, _ other: any Channel) -> EventLoopFuture<Void> {
        one.eventLoop
            .makeCompletedFuture {
                try one.pipeline.syncOperations.addHandler(Glue(other))
                try other.pipeline.syncOperations.addHandler(Glue(one))
            }
            .flatMap { one.setOption(.autoRead, value: true).and(other.setOption(.autoRead, value: true)).map { _ in } }
    }

    /// A server with the certificate of `a.test` in front of a port.
    final class Server: Sendable {
        let port: UInt16
        private let channel: any Channel

        init(to port: UInt16) throws {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: [
                    .certificate(try NIOSSLCertificate(bytes: Array(TestCertificates.a.utf8), format: .pem))
                ],
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(TestCertificates.keyOfA.utf8), format: .pem))
            )
            configuration.minimumTLSVersion = .tlsv12
            let context = try NIOSSLContext(configuration: configuration)
            channel = try ServerBootstrap(group: loop)
                .childChannelOption(.autoRead, value: false)
                .childChannelInitializer { channel in
                    channel.eventLoop
                        .makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                        }
                        .flatMap {
                            ClientBootstrap(group: loop).channelOption(.autoRead, value: false)
                                .connect(host: "127.0.0.1", port: Int(port))
                        }
                        .flatMap { join(channel, $0) }
                }
                .bind(host: "127.0.0.1", port: 0).wait()
            self.port = UInt16(channel.localAddress?.port ?? 0)
        }

        deinit { channel.close(promise: nil) }
    }

    /// The descriptor of a connection with TLS, whose certificate is not read.
    static func connected(to port: UInt16, name: String) throws -> Int32 {
        var pair: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw TestProblem("socketpair: \(errno)")
        }
        let (near, far) = (pair[0], pair[1])
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        let context = try NIOSSLContext(configuration: configuration)
        do {
            let secure = try ClientBootstrap(group: loop)
                .channelOption(.autoRead, value: false)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = try NIOSSLClientHandler(
                            context: context,
                            serverHostname: name.isEmpty ? nil : name
                        )
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .connect(host: "127.0.0.1", port: Int(port)).wait()
            let plain = try NIOPipeBootstrap(group: loop).channelOption(.autoRead, value: false)
                .takingOwnershipOfDescriptor(inputOutput: far).wait()
            try loop.flatSubmit { join(plain, secure) }.wait()
            return near
        } catch {
            close(near)
            throw error
        }
    }
}
#endif
