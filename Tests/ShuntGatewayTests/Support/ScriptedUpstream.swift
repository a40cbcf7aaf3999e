#if Gateway
import Glibc
import Synchronization

/// An upstream that handles the bytes of each connection as a test requires.
struct ScriptedUpstream: Sendable {
    /// A connection of the gateway.
    struct Connection {
        let descriptor: Int32
        /// The number of the connection, from 0.
        let number: Int

        /// Sends bytes; false where the gateway is gone.
        @discardableResult
        func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        @discardableResult
        func send(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...]
                    .withUnsafeBytes {
                        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                if count <= 0 { return false }
                sent += count
            }
            return true
        }

        /// The next bytes; empty at the end.
        func receive(_ most: Int = 65_536) -> [UInt8] {
            var space = [UInt8](repeating: 0, count: most)
            let count = recv(descriptor, &space, space.count, 0)
            return count > 0 ? Array(space[..<count]) : []
        }

        /// The bytes up to an empty line; nil where the gateway has ended before.
        func head() -> String? {
            var bytes: [UInt8] = []
            while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                let next = receive(1)
                if next.isEmpty { return nil }
                bytes += next
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Ends the sending side.
        func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }
    }

    private let server: SocketServer
    var port: UInt16 { server.port }
    var url: String { "http://127.0.0.1:\(port)" }
    var connectionCount: Int { server.connectionCount }

    init(_ script: @escaping @Sendable (Connection) -> Void) throws {
        server = try SocketServer { descriptor, number in script(Connection(descriptor: descriptor, number: number)) }
    }
}

/// A value that is there some time, for which threads may wait.
final class Awaited<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ value: Value) { self.value.withLock { $0 = value } }

    /// Waits for it.
    ///
    /// - Returns: It; nil where it was not there in time.
    func get(milliseconds: Int = 5_000) -> Value? {
        for _ in 0..<milliseconds {
            if let value = value.withLock({ $0 }) { return value }
            usleep(1_000)
        }
        return value.withLock { $0 }
    }
}
#endif
