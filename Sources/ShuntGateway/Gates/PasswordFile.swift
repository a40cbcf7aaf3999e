#if Gateway
import Crypto
import Glibc
import ShuntRules
import Synchronization

/// A file of users and passwords as `htpasswd` writes them, as it was when it was read.
final class PasswordFile: Sendable {
    /// The outcome of reading a file.
    enum Content: Sendable {
        case passwords(PasswordFile)
        case missing
        case unreadable
    }

    private let bytes: [UInt8]
    private let stamp: Stamp
    /// The users and passwords that were right, as digests with a key that no one else knows: checking them is slow on purpose.
    private let known = Mutex<Set<[UInt8]>>([])
    private let key = SymmetricKey(size: .bits256)
    private static let knownLimit = 4_096
    /// The longest file that is searched where others must not wait.
    private static let quickSearch = 65_536

    private init(_ bytes: [UInt8], _ stamp: Stamp) { (self.bytes, self.stamp) = (bytes, stamp) }

    /// Makes a file of bytes.
    convenience init(_ bytes: [UInt8]) { self.init(bytes, Stamp()) }

    /// Looks a user up; see `AccessGate`.
    func check(_ login: Login, mayWait: Bool) -> PasswordAnswer {
        let digest = digest(of: login)
        if known.withLock({ $0.contains(digest) }) { return .right }
        guard mayWait || bytes.count <= Self.quickSearch else { return .takesLong }
        guard let stored = stored(for: login.user) else { return .wrong }
        let hash = PasswordHash(stored)
        guard mayWait || hash.isQuick else { return .takesLong }
        guard let isRight = hash.fits(login.password) else { return .failed }
        guard isRight else { return .wrong }
        known.withLock { known in
            if known.count >= Self.knownLimit { known.removeAll() }
            known.insert(digest)
        }
        return .right
    }

    private func digest(of login: Login) -> [UInt8] {
        var code = HMAC<SHA256>(key: key)
        // A user has no colon.
        code.update(data: login.user + [UInt8(ascii: ":")] + login.password)
        return Array(code.finalize())
    }

    /// The password that is stored for a user; nil where the file has none.
    ///
    /// Read as nginx reads it, byte by byte: a line without a colon that a user's name begins with takes the next line with it.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_auth_basic_module.html
    func stored(for user: [UInt8]) -> ArraySlice<UInt8>? {
        let (lineFeed, colon) = (UInt8(ascii: "\n"), UInt8(ascii: ":"))
        var index = 0
        while index < bytes.count {
            // At the beginning of a line.
            if bytes[index] == lineFeed {
                index += 1
                continue
            }
            var matched = 0
            if bytes[index] != UInt8(ascii: "#"), bytes[index] != UInt8(ascii: "\r") {
                while matched < user.count, index < bytes.count, bytes[index] == user[matched] {
                    (matched, index) = (matched + 1, index + 1)
                }
                guard index < bytes.count else { return nil }
                if matched == user.count, bytes[index] == colon {
                    let rest = bytes[(index + 1)...]
                    return rest.prefix { $0 != lineFeed && $0 != UInt8(ascii: "\r") && $0 != colon }
                        .prefix(Self.longestPassword)
                }
            }
            // The byte that differs is passed over, a line feed among them, and then the line.
            index += 1
            while index < bytes.count, bytes[index] != lineFeed { index += 1 }
            index += 1
        }
        return nil
    }

    /// The size of the buffer that nginx reads a password into.
    private static let longestPassword = 2_048
}

extension PasswordFile {
    /// The state of a file on the disk.
    fileprivate struct Stamp: Equatable {
        var device: UInt64 = 0
        var inode: UInt64 = 0
        var size: Int64 = 0
        /// The seconds and nanoseconds of the last change of the content and of the file.
        var modified = [0, 0]
        var changed = [0, 0]

        init() {}

        init(_ status: stat) {
            (device, inode, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
            modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
            changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        }

        /// True if it changed so long ago that another change has another time.
        var isSettled: Bool { time(nil) - changed[0] > 2 }
    }
}

extension PasswordFile.Content {
    /// The longest file.
    private static let limit = 64 << 20

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path, whose links are followed.
    ///   - known: The content that was read before, which stays where nothing has changed.
    init(at path: [UInt8], replacing known: PasswordFile.Content?) {
        guard !path.contains(0) else {
            self = .unreadable
            return
        }
        // Opening a pipe does not wait for its other end.
        let descriptor = (path + [0])
            .withUnsafeBytes { bytes in
                bytes.bindMemory(to: CChar.self).baseAddress
                    .map { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) } ?? -1
            }
        guard descriptor >= 0 else {
            self = errno == ENOENT ? .missing : .unreadable
            return
        }
        defer { _ = close(descriptor) }
        var status = stat()
        // Some name /dev/null for a file without users.
        guard fstat(descriptor, &status) == 0, [S_IFREG, S_IFCHR].contains(status.st_mode & S_IFMT) else {
            self = .unreadable
            return
        }
        let stamp = PasswordFile.Stamp(status)
        if case .passwords(let file) = known, file.stamp == stamp, stamp.isSettled {
            self = .passwords(file)
            return
        }
        guard let bytes = Self.read(descriptor) else {
            self = .unreadable
            return
        }
        if case .passwords(let file) = known, file.bytes == bytes, file.stamp == stamp {
            // The passwords that were right still are.
            self = .passwords(file)
        } else {
            self = .passwords(PasswordFile(bytes, stamp))
        }
    }

    private static func read(_ descriptor: CInt) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = part.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count < 0, errno != EINTR { return nil }
            if count > 0 { bytes += part[..<count] }
        }
        return nil
    }
}
#endif
