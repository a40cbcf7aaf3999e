#if Gateway
import Glibc
import NIOCore

struct ListenSocket: Sendable {
    let descriptor: CInt
    /// The file of a Unix socket that was created for it; nil for others.
    private(set) var file: SocketFile?
    /// The most connections that wait to be accepted.
    let backlog: Int32

    /// Keeps a socket that listens already.
    init(inherited descriptor: CInt) {
        self.descriptor = descriptor
        backlog = Listener.usualBacklog
    }

    /// Opens a socket and listens.
    ///
    /// - Parameters:
    ///   - listener: The address.
    ///   - others: All listeners of the gateway.
    ///   - isShared: Whether other processes may listen at the same address.
    ///   - mode: The mode of the file of a Unix socket; nil for the usual one.
    /// - Throws: The reason why the address cannot be used.
    init(_ listener: Listener, among others: [Listener], isShared: Bool, mode: mode_t?) throws(ListenError) {
        let address: SocketAddress
        backlog = Int32(clamping: listener.backlog)
        do {
            switch listener.address {
            case .unix(let path):
                file = try SocketFile(path, for: listener, isShared: isShared)
                address = try SocketAddress(unixDomainSocketPath: file?.hiddenPath ?? path)
            case .socket(let endpoint):
                address = try SocketAddress.makeAddressResolvingHost(endpoint.host, port: endpoint.port)
            }
        } catch let failure as ListenError {
            throw failure
        } catch {
            throw ListenError(listener, file == nil ? "the name has no address" : "the path is too long")
        }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        descriptor = socket(address.protocol.rawValue, kind, 0)
        guard descriptor >= 0 else { throw ListenError(listener, errno) }
        if address.protocol != .unix {
            set(SO_REUSEADDR, 1)
            if isShared { set(SO_REUSEPORT, 1) }
        }
        if address.protocol == .inet6 {
            set(IPV6_V6ONLY, listener.takesIPv4(among: others) ? 0 : 1, level: Int32(IPPROTO_IPV6))
        }
        do throws(ListenError) {
            let bound = address.withSockAddr { Glibc.bind(descriptor, $0, socklen_t($1)) }
            guard bound == 0 else { throw ListenError(listener, errno) }
            // The mode is there before the first connection is possible.
            if let mode, let file, chmod(file.hiddenPath, mode) != 0 { throw ListenError(listener, errno) }
            guard listen(descriptor, backlog) == 0 else {
                throw ListenError(listener, errno)
            }
            try file?.show(for: listener)
        } catch {
            close()
            throw error
        }
    }

    private func set(_ option: Int32, _ value: Int32, level: Int32 = SOL_SOCKET) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sets the backlog again: the channel that takes the socket over calls `listen` with a separate number.
    func restoreBacklog() { _ = listen(descriptor, backlog) }

    /// Closes a socket that no channel has.
    func close() {
        Glibc.close(descriptor)
        file?.remove()
    }
}
#endif
