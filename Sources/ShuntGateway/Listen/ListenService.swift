#if Gateway
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Accepts the connections of a listener until a shutdown, and then lets their requests end.
struct ListenService: Service {
    let socket: ListenSocket
    /// True if another process has the socket as well.
    let isShared: Bool
    /// The most connections at a time.
    let limit: Int
    let group: any EventLoopGroup
    /// Sets up a connection.
    let setUp: @Sendable (any Channel) -> EventLoopFuture<Void>
    let whenListening: @Sendable (any Channel) -> Void

    func run() async throws {
        let loop = group.next()
        let gate =
            try await loop
            .submit { [limit, isShared] in
                NIOLoopBound(AcceptGate(limit: limit, isShared: isShared), eventLoop: loop)
            }
            .get()
        let server = try await accepting(on: loop, gate)
        whenListening(server)
        let end = loop.makePromise(of: Void.self)
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                try? await server.closeFuture.get()
                try? await end.futureResult.get()
            } onGracefulShutdown: {
                socket.file?.remove()
                loop.execute { gate.value.shutDown(server, end) }
            }
        } onCancel: {
            socket.file?.remove()
            loop.execute {
                gate.value.closeAll(server)
                end.succeed()
            }
        }
    }

    private func accepting(on loop: any EventLoop, _ gate: NIOLoopBound<AcceptGate>) async throws -> any Channel {
        let server = try await ServerBootstrap(group: loop, childGroup: group)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(gate.value) }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer(setUp)
            .withBoundSocket(socket.descriptor)
            .get()
        socket.restoreBacklog()
        return server
    }
}
#endif
