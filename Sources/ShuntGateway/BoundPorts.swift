#if Gateway
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The ports that the system gave.
final class BoundPorts: Sendable {
    let main: EventLoopPromise<Int>
    let admin: EventLoopPromise<Int>
    private let listens = Atomic<Bool>(false)

    init(_ loop: any EventLoop) {
        main = loop.makePromise()
        admin = loop.makePromise()
    }

    deinit { close() }

    /// Whether requests are taken.
    var isListening: Bool { listens.load(ordering: .acquiring) }

    func mainListens(at port: Int) {
        listens.store(true, ordering: .releasing)
        main.succeed(port)
    }

    /// No more requests are taken.
    func drain() { listens.store(false, ordering: .releasing) }

    /// Ends the waiting of those who still wait.
    func close() {
        drain()
        main.fail(ChannelError.ioOnClosedChannel)
        admin.fail(ChannelError.ioOnClosedChannel)
    }
}

/// Says that the gateway is not ready any more as soon as a shutdown begins, while requests still come to their ends.
struct DrainNotice: Service {
    let ports: BoundPorts
    let logger: Logger
    let seconds: Int

    func run() async throws {
        do { try await gracefulShutdown() } catch { return }
        ports.drain()
        logger.notice("stopping: no more connections; requests under way have \(seconds) seconds")
    }
}
#endif
