#if Command
import Glibc
import Shunt
import ShuntTools

extension LineReader {
    /// Reads a file, `-` for standard input, until `body` answers no to a line and its number; a failure to read is shown,
    /// and ends the command.
    static func readFile(_ path: String, _ body: (Line, Int) -> Bool) throws {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure.error("cannot read \(path): \(SystemError.text(errno))") }
        defer { if path != "-" { close(descriptor) } }
        var reader = LineReader(descriptor, limit: RequestRecord.limit)
        var number = 0
        do {
            while let line = try reader.next(beforeWaiting: {}) {
                number += 1
                guard body(line, number) else { return }
            }
        } catch let error as InputError {
            throw Failure.error("cannot read \(path): \(SystemError.text(error.number))")
        }
    }

    /// Reads URLs from standard input until the output is closed, and writes the output whenever it has to wait for a line;
    /// `finish` is called when the last of it is written.
    static func readInput(writingTo output: OutputStream, finish: () -> Void = {}, _ body: (Line) throws -> Void) throws
    {
        var reader = LineReader(STDIN_FILENO, limit: RequestRecord.limit)
        if isatty(STDIN_FILENO) == 1 { Failure.report("Type one URL a line; end with Ctrl-D.") }
        do {
            while !output.isClosed, let line = try reader.next(beforeWaiting: output.flush) { try body(line) }
        } catch let error as InputError {
            try output.flush()
            finish()
            throw Failure.error("cannot read the input: \(SystemError.text(error.number))")
        }
        try output.flush()
        finish()
    }
}
#endif
