/// The disks of this machine.
package struct LocalFileStorage: FileStorage {
    /// Makes access to this machine's disks.
    package init() {}

    /// Writes a file that only its owner may read, and waits until its content is on the disk.
    ///
    /// The file is a new one: what had the name before, a pipe or a link among it, is taken away and not opened.
    package func write(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        do throws(FileError) { try remove(path) } catch  where error.reason != .notFound { throw error } catch {}
        try FileCalls.create(path, bytes)
    }

    /// Renames a file in one step.
    package func rename(_ path: String, to other: String) throws(FileError) { try FileCalls.move(path, to: other) }

    /// Waits until the names in a directory are on the disk.
    package func synchronize(directory: String) throws(FileError) {
        let descriptor = try unsafe FileCalls.open(directory, FileCalls.listing)
        defer { FileCalls.end(descriptor) }
        try FileCalls.synchronize(descriptor)
    }

    package func remove(_ path: String) throws(FileError) { try FileCalls.remove(path) }

    package func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        let files = LocalFileSystem()
        return try files.read(try files.realPath(path), limit: limit)
    }
}
