#if Gateway
import Glibc
import Logging
import NIOCore
import Shunt

/// The listening sockets that the process was started with, as systemd hands them over.
///
/// They are open before the program is and stay so when it ends: a restart loses no connection.
///
/// https://www.freedesktop.org/software/systemd/man/latest/sd_listen_fds.html
struct InheritedSockets {
    /// The descriptors by what a listener is written as.
    private var descriptors: [(address: Listener.Address, descriptor: CInt)] = []

    /// None.
    init() {}

    /// Those that the environment names, if they are for this process.
    init(_ environment: [String: String]) {
        guard let text = environment["LISTEN_FDS"], let count = CInt(text), (1...1024).contains(count),
            environment["LISTEN_PID"].map({ CInt($0) == getpid() }) ?? true
        else { return }
        for descriptor in 3..<(3 + count) {
            // Programs that this one starts do not get them.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            guard let address = Self.address(of: descriptor) else { continue }
            descriptors.append((address, descriptor))
        }
    }

    /// Takes the socket for a listener; nil where there is none.
    mutating func take(for listener: Listener) -> CInt? {
        guard let index = descriptors.firstIndex(where: { $0.address == listener.address }) else { return nil }
        return descriptors.remove(at: index).descriptor
    }

    /// Reports the sockets that no listener has taken, and closes them: their connections would wait for ever.
    func closeOthers(_ logger: Logger) {
        for (address, descriptor) in descriptors {
            logger.warning("an inherited socket is closed, for no listener is at \(address)")
            close(descriptor)
        }
    }

    private static func address(of descriptor: CInt) -> Listener.Address? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isNamed = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
        }
        guard isNamed else { return nil }
        let family = Int32(storage.ss_family)
        return withUnsafePointer(to: &storage) { pointer in
            switch family {
            case AF_INET:
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { name in
                    text(SocketAddress(name.pointee))
                }
            case AF_INET6:
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { name in
                    text(SocketAddress(name.pointee))
                }
            case AF_UNIX:
                pointer.withMemoryRebound(to: sockaddr_un.self, capacity: 1) { name in
                    SocketAddress(name.pointee).pathname.map { .unix($0) }
                }
            default: nil
            }
        }
    }

    private static func text(_ address: SocketAddress) -> Listener.Address? {
        guard let host = address.ipAddress, let port = address.port else { return nil }
        return .socket(SocketEndpoint(host: host, port: port))
    }
}
#endif
