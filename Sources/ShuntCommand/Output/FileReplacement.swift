import Glibc
import ShuntCore

/// Files that are replaced whole: a reader finds the old content or the new.
enum FileReplacement {
    /// Replaces the content of a file and keeps its owner and permissions; a link stays one.
    static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
        let real = try LocalFileSystem().realPath(path)
        var status = stat()
        guard stat(real, &status) == 0 else { throw FileError(.system(errno)) }
        let directory = real.lastIndex(of: "/").map { String(real[..<$0]) } ?? ""
        let name = real.split(separator: "/").last.map(String.init) ?? real
        let other = "\(directory)/.\(name).\(getpid()).tmp"
        let storage = LocalFileStorage()
        do throws(FileError) {
            try storage.write(other, bytes)
            // A file of someone else's may be written, but not made theirs; then it belongs to the user who formats it.
            _ = chown(other, status.st_uid, status.st_gid)
            guard chmod(other, status.st_mode & 0o7777) == 0 else { throw FileError(.system(errno)) }
            try storage.rename(other, to: real)
        } catch {
            try? storage.remove(other)
            throw error
        }
        try storage.synchronize(directory: directory.isEmpty ? "/" : directory)
    }
}
