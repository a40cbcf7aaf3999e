import ShuntCore

/// The files that a command line names.
enum InputFile {
    /// Reads a file, or the file at the end of a link.
    static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        try LocalFileStorage().read(path, limit: limit)
    }
}

#if Command
extension InputFile {
    /// Reads a file; one that cannot be read is shown, and ends the command.
    static func content(_ path: String, limit: Int) throws -> [UInt8] {
        do throws(FileError) {
            return try read(path, limit: limit)
        } catch {
            throw Failure.error("cannot read \(path): \(error)")
        }
    }
}
#endif
