#if Gateway
import Glibc
import NginxOracle

/// The socket at which systemd would listen for messages of a service.
final class NoticeSocket: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: name.sun_path) else { throw TestProblem("\(path) is too long") }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard bound == 0 else { throw TestProblem("cannot bind \(path): \(errno)") }
    }

    deinit { close(descriptor) }

    /// The next message; nil if none came.
    func tryNext() -> String? {
        var space = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &space, space.count, Int32(MSG_DONTWAIT))
        return count > 0 ? String(decoding: space[..<count], as: UTF8.self) : nil
    }

    /// The next message, which is waited for.
    func next() async throws -> String {
        var message: String?
        try await Wait.until("something is told") {
            message = tryNext()
            return message != nil
        }
        return message ?? ""
    }
}

/// A socket that listens and that programs may be started with.
final class InheritableSocket: Sendable {
    let descriptor: Int32
    let port: UInt16

    init() throws {
        let socket = try LoopbackSocket.listening()
        port = socket.port
        descriptor = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 10)
        guard descriptor >= 0 else { throw TestProblem("cannot copy a socket: \(errno)") }
    }

    deinit { close(descriptor) }
}
#endif
