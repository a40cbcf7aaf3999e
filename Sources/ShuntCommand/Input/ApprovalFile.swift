#if Command
import Glibc
import Shunt
import ShuntCore

/// A file of changes that are meant, one a line, for a pull request to carry.
enum ApprovalFile {
    private static let heading = "# Changes that are meant: what, before, after, the rule before, the rule after."
    /// The largest file, in bytes.
    private static let limit = 64 << 20

    /// Reads the changes; a file that cannot be read is shown, and ends the command.
    static func read(_ path: String) throws -> [String] {
        do throws(FileError) {
            let files = LocalFileSystem()
            let text = String(decoding: try files.read(try files.realPath(path), limit: limit), as: UTF8.self)
            return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
        } catch {
            Failure.report("shunt: error: cannot read \(path): \(error)")
            throw Failure.unanswered
        }
    }

    /// Writes the changes in place of what the file has.
    static func write(_ names: [String], to path: String) throws {
        let text = ([heading] + names).map { $0 + "\n" }.joined()
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            Failure.report("shunt: error: cannot write \(path): \(SystemError.text(errno))")
            throw Failure.unanswered
        }
        defer { close(descriptor) }
        let output = OutputStream(descriptor)
        try output.write(text)
        try output.flush()
    }
}
#endif
