#if Gateway
import Dispatch
public import Glibc
public import Logging
import Shunt

/// The log of a program: lines on standard error, whose reader no caller waits for.
///
/// Lines that the reader does not take in time are lost and counted, which a later line reports.
public final class ProgramLog: Sendable {
    /// The form of the lines.
    public enum Form: String, Sendable {
        /// The time, the level, the metadata and the message.
        case text
        /// One JSON object: time, level, message, and the metadata by their names.
        case json
    }

    private let form: Form
    private let writer: LogWriter
    /// The number of lost lines of all such logs of the process.
    static let lostLines = Counter()

    /// Makes a log on a descriptor, which stays open; standard error unless given.
    public init(_ form: Form = .text, descriptor: CInt = STDERR_FILENO) {
        self.form = form
        writer = LogWriter(LogFile(descriptor, isOwned: false), lostLines: Self.lostLines) { event, writer in
            guard case .writesAgain(let lost) = event else { return }
            writer.append(
                form.line(.warning, label: "shunt", message: "\(lost) lines of this log were lost", metadata: [:])
            )
        }
    }

    /// A logger that writes here.
    public func logger(_ label: String = "shunt") -> Logger { Logger(label: label) { Handler(log: self, label: $0) } }

    /// Waits until everything so far is written, for a second at most.
    public func finish() { writer.finish(before: .now() + .seconds(1)) }

    private struct Handler: LogHandler {
        let log: ProgramLog
        let label: String
        var logLevel: Logger.Level = .info
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 })
            log.writer.append(
                log.form.line(event.level, label: label, message: event.message.description, metadata: metadata)
            )
        }
    }
}

extension ProgramLog.Form {
    /// The members of a JSON line that metadata do not replace.
    private static let own: Set<String> = ["time", "level", "message"]

    /// A line with its end.
    fileprivate func line(_ level: Logger.Level, label: String, message: String, metadata: Logger.Metadata) -> [UInt8] {
        let (time, metadata) = (Timestamp.now().iso8601(), metadata.sorted { $0.key < $1.key })
        guard self == .json else {
            let pairs = metadata.map { "\($0.key)=\($0.value) " }.joined()
            // A message may have several lines, and names of files that a terminal would obey.
            let lines = "\(pairs)\(message)".split(separator: "\n", omittingEmptySubsequences: false)
            let text = lines.map { ShownBytes.text(String($0)) }.joined(separator: "\n")
            return Array("\(time) \(level) \(label): \(text)\n".utf8)
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("time", time)
        writer.member("level", level.rawValue)
        writer.member("message", message)
        for (name, value) in metadata where !Self.own.contains(name) { writer.member(name, "\(value)") }
        writer.endObject()
        writer.newline()
        return writer.bytes
    }
}
#endif
