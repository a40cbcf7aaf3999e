#if Gateway
import Dispatch
import Glibc
import Logging

/// An access log: a file with a line for each request.
///
/// Lines are gathered and written together, when there are many or when `flush` is called, which the gateway does twice
/// a second.
final class AccessLog: Sendable {
    /// The size at which the buffer is written.
    private static let batch = 32_768
    /// The longest time that the end of the gateway waits for the last lines.
    static let lastWait = DispatchTimeInterval.seconds(1)

    private let open: @Sendable () throws(SystemCallError) -> LogFile
    private let writer: LogWriter

    /// Opens the log that an operator names: a file, pipe or terminal that is appended to, or `-` for standard output.
    init(path: String, limit: Int, _ logger: Logger) throws(SystemCallError) {
        open = { () throws(SystemCallError) in
            path == "-" ? LogFile(STDOUT_FILENO, isOwned: false) : try LogFile(path: path)
        }
        writer = Self.writer(try open(), limit: limit, name: "the access log \(path)", logger: logger)
    }

    /// Opens a log later, on the thread that writes it; where that fails, lines are lost until it can be opened.
    init(
        named name: String,
        limit: Int,
        _ logger: Logger,
        open: @escaping @Sendable () throws(SystemCallError) -> LogFile
    ) {
        self.open = open
        writer = Self.writer(nil, limit: limit, name: name, logger: logger)
        writer.open(open)
    }

    private static func writer(_ file: LogFile?, limit: Int, name: String, logger: Logger) -> LogWriter {
        LogWriter(file, batch: min(batch, limit / 2), limit: limit) { event, _ in
            switch event {
            case .loses(let reason): logger.warning("\(name) is not written: \(reason); lines are lost")
            case .writesAgain(let lost): logger.notice("\(name) is written again; \(lost) lines were lost")
            }
        }
    }

    /// Continues in a new file of the name, after the old one was renamed; earlier lines are written to the old one.
    ///
    /// - Throws: When the new one cannot be opened; the old one is kept then.
    func reopen() throws(SystemCallError) { writer.change(to: try open()) }

    /// The number of bytes that could not be written.
    var lostBytes: Int { writer.lostBytes.value }

    /// The number of lines that could not be written.
    var lostLines: Int { writer.lostLines.value }

    /// Adds a line.
    func append(_ line: [UInt8]) { writer.append(line) }

    /// Writes what has been gathered, and returns before it is written.
    func flush() { writer.flush() }

    /// Writes what has been gathered; waits for it until a time at most.
    func finish(before deadline: DispatchTime) { writer.finish(before: deadline) }
}
#endif
