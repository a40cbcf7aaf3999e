#if Gateway
import Glibc
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Accepts the connections of a listener until a shutdown, and then lets their requests come to an end.
struct ListenService: Service {
    let listener: Listener
    let channels: GatewayChannel
    /// The most connections at a time.
    let limit: Int
    /// Whether other processes may listen at the same port.
    let sharesPort: Bool
    /// The socket that the process was started with; nil binds one.
    let inherited: CInt?
    let group: any EventLoopGroup
    let whenListening: @Sendable (any Channel) -> Void

    func run() async throws {
        let loop = group.next()
        let gate =
            try await loop
            .submit { [limit, inherited] in
                NIOLoopBound(AcceptGate(limit: limit, isShared: inherited != nil), eventLoop: loop)
            }
            .get()
        let server = try await bound(on: loop, gate)
        whenListening(server)
        let end = loop.makePromise(of: Void.self)
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                try? await server.closeFuture.get()
                try? await end.futureResult.get()
            } onGracefulShutdown: {
                loop.execute { gate.value.shutDown(server, end) }
            }
        } onCancel: {
            loop.execute {
                gate.value.closeAll(server)
                end.succeed()
            }
        }
    }

    private func bound(on loop: any EventLoop, _ gate: NIOLoopBound<AcceptGate>) async throws -> any Channel {
        let channels = channels
        var bootstrap = ServerBootstrap(group: loop, childGroup: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(gate.value) }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channels.setUp($0) }
        if let inherited { return try await bootstrap.withBoundSocket(inherited).get() }
        switch listener.address {
        case .unix(let path):
            return try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        case .socket(let endpoint):
            if sharesPort {
                bootstrap = bootstrap.serverChannelOption(
                    .socketOption(NIOBSDSocket.Option(rawValue: SO_REUSEPORT)),
                    value: 1
                )
            }
            return try await bootstrap.bind(host: endpoint.host, port: endpoint.port).get()
        }
    }
}
#endif
