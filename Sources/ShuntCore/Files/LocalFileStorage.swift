import Glibc

/// The disks of this machine.
///
/// Why the unsafe code is sound: every pointer handed to a system call is that of a local value or array which outlives
/// the call, with its own length.
package struct LocalFileStorage: FileStorage {
    /// Makes access to this machine's disks.
    package init() {}

    /// Writes a file that only its owner may read, and waits until its content is on the disk.
    ///
    /// The file is a new one: what had the name before, a pipe or a link among it, is taken away and not opened.
    package func write(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        do throws(FileError) { try remove(path) } catch  where error.reason != .notFound { throw error } catch {}
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = try LocalFileSystem.retrying { unsafe open(path, flags, 0o600) }
        var isOpen = true
        defer { if isOpen { _ = close(descriptor) } }
        var start = 0
        while start < bytes.count {
            let written = unsafe bytes[start...]
                .withUnsafeBytes { part in
                    unsafe Glibc.write(descriptor, part.baseAddress, part.count)
                }
            if written < 0 {
                if errno == EINTR { continue }
                throw LocalFileSystem.lastError()
            }
            start += written
        }
        _ = try LocalFileSystem.retrying { fsync(descriptor) }
        isOpen = false
        guard close(descriptor) == 0 else { throw LocalFileSystem.lastError() }
    }

    /// Renames a file in one step.
    package func rename(_ path: String, to other: String) throws(FileError) {
        guard unsafe Glibc.rename(path, other) == 0 else { throw LocalFileSystem.lastError() }
    }

    /// Waits until the names in a directory are on the disk.
    package func synchronize(directory: String) throws(FileError) {
        let descriptor = try LocalFileSystem.retrying { unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { _ = close(descriptor) }
        _ = try LocalFileSystem.retrying { fsync(descriptor) }
    }

    package func remove(_ path: String) throws(FileError) {
        guard unsafe unlink(path) == 0 else { throw LocalFileSystem.lastError() }
    }

    package func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        let files = LocalFileSystem()
        return try files.read(try files.realPath(path), limit: limit)
    }
}
