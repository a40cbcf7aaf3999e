import Glibc
import Synchronization

/// A TCP socket on 127.0.0.1, or a connection to a Unix socket, that closes itself.
package struct LoopbackSocket: ~Copyable {
    package let descriptor: Int32

    /// The ports that a test may ask for, below those that the kernel picks for connections: a port that is free now is
    /// then free when a program that the test starts listens on it.
    private static let ports: Range<UInt32> = 10_000..<32_000

    /// The number of the next port, from a start that differs between the processes of tests.
    private static let number = Atomic<UInt32>(UInt32(truncatingIfNeeded: getpid()) &* 2_654_435_761 >> 8)

    /// A socket that listens on a port that no other test of this process is given, and that keeps the port when it stops.
    package static func listening() throws -> LoopbackSocket {
        for _ in ports {
            let (_, number) = number.wrappingAdd(1, ordering: .relaxed)
            let port = UInt16(ports.lowerBound + number % UInt32(ports.count))
            let socket = try LoopbackSocket()
            var one: Int32 = 1
            setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
            guard socket.bind(to: port) else { continue }
            guard listen(socket.descriptor, 511) == 0 else { throw failure("listen") }
            return socket
        }
        throw failure("bind")
    }

    private borrowing func bind(to port: UInt16) -> Bool {
        var address = Self.address(port: port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, size) == 0 }
        }
    }

    /// A connection to a port.
    package static func connected(to port: UInt16, timeoutSeconds: Int) throws -> LoopbackSocket {
        let socket = try LoopbackSocket()
        socket.limitWaits(to: timeoutSeconds)
        var one: Int32 = 1
        setsockopt(socket.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = Self.address(port: port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket.descriptor, $0, size) }
        }
        guard connected == 0 else { throw failure("connect to port \(port)") }
        return socket
    }

    /// A connection to a Unix socket.
    package static func connected(toPath path: String, timeoutSeconds: Int) throws -> LoopbackSocket {
        let socket = try LoopbackSocket(AF_UNIX)
        socket.limitWaits(to: timeoutSeconds)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else { throw OracleFailure("\(path) is too long") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket.descriptor, $0, size) }
        }
        guard connected == 0 else { throw failure("connect to \(path)") }
        return socket
    }

    private borrowing func limitWaits(to seconds: Int) {
        var timeout = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
    }

    private init(_ family: Int32 = AF_INET) throws {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw Self.failure("socket") }
    }

    deinit { close(descriptor) }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func failure(_ what: String) -> OracleFailure {
        OracleFailure("\(what): \(String(cString: strerror(errno)))")
    }

    /// The port of this end.
    package var port: UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Sends everything; false when the other end is gone.
    package borrowing func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// The result of a receive.
    package enum Received {
        case bytes
        case end
        case timeout
    }

    /// Appends what has arrived to `buffer`, waiting for at least one byte.
    ///
    /// `space` is where it lands first.
    package borrowing func receive(into buffer: inout [UInt8], space: inout [UInt8]) -> Received {
        var count = 0
        repeat {
            count = space.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        } while count < 0 && errno == EINTR
        let reason = errno
        if count > 0 {
            buffer += space[..<count]
            return .bytes
        }
        return count < 0 && (reason == EAGAIN || reason == EWOULDBLOCK) ? .timeout : .end
    }
}
