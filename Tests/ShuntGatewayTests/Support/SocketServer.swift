#if Gateway
import Glibc
import NginxOracle
import Synchronization

/// A server on a port of the loopback interface that has a thread for each connection.
final class SocketServer: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let count = Count()

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    /// How many connections were accepted.
    var connectionCount: Int { count.value.load(ordering: .relaxed) }

    /// Listens until it is gone.
    ///
    /// - Parameter serve: Gets each connection, which is closed afterwards, and its number from 0.
    /// - Throws: When it cannot listen.
    init(_ serve: @escaping @Sendable (_ descriptor: Int32, _ number: Int) -> Void) throws {
        let socket = try LoopbackSocket.listening()
        port = socket.port
        descriptor = dup(socket.descriptor)
        let descriptor = descriptor
        let count = count
        Self.detach {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                let number = count.value.add(1, ordering: .relaxed).oldValue
                Self.detach {
                    serve(connection, number)
                    // A program that another test starts at this moment may hold the descriptor, too.
                    shutdown(connection, Int32(SHUT_RDWR))
                    close(connection)
                }
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
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
