#if Gateway
public import Glibc
public import Logging
import Shunt
import ShuntCore

/// Writes the log of a program as JSON, one object a line: time, level, message, and the metadata by their names.
public struct JSONLogHandler: LogHandler {
    /// The least level that is written.
    public var logLevel: Logger.Level = .info
    /// What every line has.
    public var metadata: Logger.Metadata = [:]
    private let descriptor: CInt

    /// Makes a handler that writes to a descriptor, which stays open; standard error unless given.
    public init(descriptor: CInt = STDERR_FILENO) { self.descriptor = descriptor }

    /// What every line has under a name.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a line.
    public func log(event: LogEvent) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("time", Timestamp.now().iso8601())
        writer.member("level", event.level.rawValue)
        writer.member("message", event.message.description)
        let own: Set<String> = ["time", "level", "message"]
        for (name, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 })
            .sorted(by: { $0.key < $1.key })
        where !own.contains(name) { writer.member(name, "\(value)") }
        writer.endObject()
        writer.newline()
        // One write for a line: lines of several threads do not mix.
        let bytes = writer.bytes
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
#endif
