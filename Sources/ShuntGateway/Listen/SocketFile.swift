#if Gateway
import Glibc
import NIOCore
import ShuntCore

/// The file of a Unix socket: it takes the place of another one only if no program answers there, and only the gateway that
/// created it removes it.
struct SocketFile: Sendable {
    private let path: String
    /// The name that the socket is bound under until it listens.
    let hiddenPath: String
    /// The file itself, whatever has its name later.
    private var identity: FileIdentity?

    /// Checks that a socket may be created.
    ///
    /// - Throws: The reason why the path is not free.
    init(_ path: String, for listener: Listener, isShared: Bool) throws(ListenError) {
        self.path = path
        let parent = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        hiddenPath = "\(parent).\(getpid()).sock"
        guard (try? SocketAddress(unixDomainSocketPath: path)) != nil else {
            throw ListenError(listener, "the path is too long")
        }
        unlink(hiddenPath)
        guard let file = FileIdentity(path) else { return }
        guard file.isSocket else {
            throw ListenError(listener, "there is a file that is not a socket")
        }
        // A rule author must not choose a socket of another service.
        if Self.isAnswered(path), !isShared || listener.isOfRules {
            throw ListenError(listener, "another program listens there")
        }
        if listener.isOfRules, file.owner != geteuid() {
            throw ListenError(listener, "there is a socket of another user")
        }
    }

    /// A Boolean value that is false only if the system reports that no program listens.
    private static func isAnswered(_ path: String) -> Bool {
        guard let address = try? SocketAddress(unixDomainSocketPath: path) else { return true }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        return address.withSockAddr { connect(descriptor, $0, socklen_t($1)) } == 0
            || errno != ECONNREFUSED && errno != ENOENT
    }

    /// Puts the socket in its place in one step.
    mutating func show(for listener: Listener) throws(ListenError) {
        identity = FileIdentity(hiddenPath)
        guard rename(hiddenPath, path) == 0 else {
            throw ListenError(listener, errno)
        }
    }

    /// Removes the file, unless another one has its name.
    func remove() {
        guard let identity else {
            unlink(hiddenPath)
            return
        }
        if FileIdentity(path) == identity { unlink(path) }
    }
}
#endif
