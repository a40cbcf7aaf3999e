#if Command
import Shunt

/// A file of changes that are meant, one a line, for a pull request to carry.
enum ApprovalFile {
    private static let heading =
        "# Changes that are meant: what, before, after, the rule before, the rule after, the blocks around each."
    /// The largest file, in bytes.
    private static let limit = 64 << 20

    /// Reads the changes; a file that cannot be read is shown, and ends the command.
    static func read(_ path: String) throws -> [String] {
        let text = String(decoding: try InputFile.content(path, limit: limit), as: UTF8.self)
        return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    /// Writes the changes in place of what the file has.
    static func write(_ names: [String], to path: String) throws {
        try OutputFile.write(Array(([heading] + names).map { $0 + "\n" }.joined().utf8), to: path)
    }
}
#endif
