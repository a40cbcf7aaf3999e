import Glibc

/// A file as the system identifies it, whatever name it has.
///
/// Why the unsafe code is sound: the pointers handed to system calls are those of local values which outlive the calls.
package struct FileIdentity: Sendable, Equatable {
    private let device: UInt64
    private let inode: UInt64
    package let owner: UInt32
    package let isSocket: Bool
    package let isRegular: Bool

    /// The file with a name, which may be a link; nil where there is none, or it cannot be read.
    package init?(_ path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    package init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        owner = UInt32(status.st_uid)
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }
}
