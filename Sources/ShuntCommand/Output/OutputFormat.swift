#if Command
import ArgumentParser
import Glibc
import Shunt

enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    /// Writes the one of two answers that is wanted to standard output, the text in the style for it.
    func write(json: @autoclosure () -> [UInt8], text: (Style) -> String) throws {
        let output = OutputStream(STDOUT_FILENO)
        switch self {
        case .text: try output.write(text(Style(usesColor: output.wantsColor)))
        case .json: try output.write(json())
        }
        try output.flush()
    }
}

/// Files that a person names for the output of a command.
enum OutputFile {
    /// Writes a file in place of what it has; one that cannot be written is shown, and ends the command.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Failure.error("cannot write \(path): \(SystemError.text(errno))") }
        defer { close(descriptor) }
        let stream = OutputStream(descriptor)
        try stream.write(bytes)
        try stream.flush()
    }

    /// Replaces the content of a file that is there; one that cannot be written is shown, and ends the command.
    static func replace(_ path: String, with bytes: [UInt8]) throws {
        do throws(FileError) {
            try FileReplacement.replace(path, with: bytes)
        } catch {
            throw Failure.error("cannot write \(path): \(error)")
        }
    }
}
#endif
