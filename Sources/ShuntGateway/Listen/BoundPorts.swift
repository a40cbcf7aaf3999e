#if Gateway
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The sockets of a gateway and the ports that the system chose.
final class BoundPorts: Sendable {
    /// The sockets that listen.
    struct Sockets: Sendable {
        /// Those for requests, in the order of the listeners.
        var main: [ListenSocket] = []
        /// True if the process was started with each of them.
        var isInherited: [Bool] = []
        var admin: ListenSocket?
    }

    /// The port of each listener, in their order; 0 for a Unix socket.
    let main: EventLoopPromise<[Int]>
    let admin: EventLoopPromise<Int>
    private let listens = Atomic<Bool>(false)
    private let bound: Mutex<[Int?]>
    private let opened = Mutex<Sockets?>(nil)

    init(_ loop: any EventLoop, listeners: Int) {
        bound = Mutex([Int?](repeating: nil, count: listeners))
        main = loop.makePromise()
        admin = loop.makePromise()
    }

    deinit { close() }

    /// The sockets; none before they are opened.
    var sockets: Sockets { opened.withLock { $0 ?? Sockets() } }

    /// Opens the sockets unless they are open.
    func open(_ open: () throws(ListenError) -> Sockets) throws(ListenError) {
        if opened.withLock({ $0 != nil }) { return }
        let sockets = try open()
        opened.withLock { $0 = sockets }
    }

    /// True if requests are taken.
    var isListening: Bool { listens.load(ordering: .acquiring) }

    /// One of the listeners takes requests; the gateway is ready when all do.
    func listener(_ index: Int, listensAt port: Int) {
        let ports = bound.withLock { bound in
            bound[index] = port
            return bound.compactMap(\.self)
        }
        guard ports.count == bound.withLock({ $0.count }) else { return }
        listens.store(true, ordering: .releasing)
        main.succeed(ports)
    }

    /// No more requests are taken.
    func drain() { listens.store(false, ordering: .releasing) }

    /// Ends the waiting of those who still wait.
    func close(_ error: any Error = ChannelError.ioOnClosedChannel) {
        drain()
        main.fail(error)
        admin.fail(error)
    }
}

/// Reports that the gateway is not ready any more as soon as a shutdown begins, while requests still end.
struct DrainNotice: Service {
    let ports: BoundPorts
    let logger: Logger
    let delay: Int
    let seconds: Int

    func run() async throws {
        do { try await gracefulShutdown() } catch { return }
        ports.drain()
        if delay > 0 {
            logger.notice("stopping: not ready; connections are accepted for \(delay) more seconds")
            do { try await Task.sleep(for: .seconds(delay)) } catch { return }
        }
        logger.notice("stopping: no more connections; requests under way have \(seconds) seconds")
    }
}
#endif
