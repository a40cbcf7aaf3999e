/// The place where files are written so that they outlast a crash.
///
/// Apart from `FileSystem`, since what loads rules must not be able to write.
package protocol FileStorage: Sendable {
    /// Writes a file, which replaces one of that name, and waits until its content is on the disk.
    func write(_ path: String, _ bytes: [UInt8]) throws(FileError)

    /// Renames a file in one step, in place of a file that has it.
    func rename(_ path: String, to other: String) throws(FileError)

    /// Waits until the names in a directory are on the disk.
    func synchronize(directory: String) throws(FileError)

    func remove(_ path: String) throws(FileError)

    /// The content of a regular file of at most `limit` bytes.
    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8]
}
