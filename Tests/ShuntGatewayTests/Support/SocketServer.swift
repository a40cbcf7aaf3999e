#if Gateway
import Glibc
import NginxOracle
import Synchronization

/// A server on a port of the loopback interface that has a thread for each connection, and that can die and come back.
final class SocketServer: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let connections = Connections()
    private let serve: @Sendable (_ descriptor: Int32, _ number: Int) -> Void

    private final class Connections: Sendable {
        struct State {
            var isDead = false
            var count = 0
            var killed = 0
            var open: Set<Int32> = []
        }

        let state = Mutex(State())
    }

    /// The number of connections that were accepted.
    var connectionCount: Int { connections.state.withLock { $0.count } }

    /// The number of connections that broke off when the server died.
    var killedCount: Int { connections.state.withLock { $0.killed } }

    /// Listens until it is gone.
    ///
    /// - Parameter serve: Gets each connection, which is closed afterwards, and its number from 0.
    /// - Throws: When it cannot listen.
    init(_ serve: @escaping @Sendable (_ descriptor: Int32, _ number: Int) -> Void) throws {
        let socket = try LoopbackSocket.listening()
        port = socket.port
        descriptor = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
        self.serve = serve
        accept()
    }

    /// Listens at a Unix socket until it is gone.
    ///
    /// - Throws: When it cannot listen.
    init(path: String, _ serve: @escaping @Sendable (_ descriptor: Int32, _ number: Int) -> Void) throws {
        port = 0
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.serve = serve
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        guard isBound, chmod(path, 0o777) == 0, listen(descriptor, 511) == 0 else {
            throw TestProblem("cannot listen at \(path): \(errno)")
        }
        accept()
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// Closes all connections and refuses others, as a process does that is killed.
    func die() {
        connections.state.withLock { state in
            state.isDead = true
            shutdown(descriptor, Int32(SHUT_RDWR))
            state.killed += state.open.count
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    /// Listens again on the same port, which no other program could take meanwhile.
    ///
    /// - Throws: When it cannot listen.
    func comeBack() throws {
        try connections.state.withLock { state in
            guard listen(descriptor, 511) == 0 else { throw TestProblem("listen: \(errno)") }
            state.isDead = false
        }
        accept()
    }

    private func accept() {
        let (descriptor, connections, serve) = (descriptor, connections, serve)
        Self.detach {
            while true {
                let connection = Glibc.accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                let number: Int? = connections.state.withLock { state in
                    state.count += 1
                    if state.isDead {
                        state.killed += 1
                        return nil
                    }
                    state.open.insert(connection)
                    return state.count - 1
                }
                guard let number else {
                    close(connection)
                    continue
                }
                Self.detach {
                    serve(connection, number)
                    // A program that another test starts at this moment may hold the descriptor, too.
                    shutdown(connection, Int32(SHUT_RDWR))
                    connections.state.withLock { _ = $0.open.remove(connection) }
                    close(connection)
                }
            }
        }
    }

    private static func detach(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(body))
        let status = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            box.toOpaque()
        )
        if status == 0 { pthread_detach(thread) } else { box.release() }
    }
}
#endif
