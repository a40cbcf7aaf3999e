#if Gateway
import Glibc
import Shunt
import Synchronization

/// The access log: one JSON object a line.
///
/// Lines are gathered and written together, when there are many or when `flush` is called, which the gateway does twice
/// a second.
final class AccessLog: Sendable {
    /// What is gathered before it is written.
    private static let size = 32_768

    private let descriptor: Int32
    private let owns: Bool
    private let buffer = Mutex<[UInt8]>([])
    private let lost = Counter()

    /// Opens the log: a file that is appended to, or `-` for standard output.
    init(path: String) throws(SystemFailure) {
        if path == "-" {
            descriptor = STDOUT_FILENO
            owns = false
        } else {
            descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
            owns = true
            guard descriptor >= 0 else { throw SystemFailure(what: "cannot open \(path)", number: errno) }
        }
    }

    deinit {
        flush()
        if owns { close(descriptor) }
    }

    /// How many bytes could not be written.
    var lostBytes: Int { lost.value }

    /// Adds a line.
    func append(_ line: [UInt8]) {
        let full: [UInt8]? = buffer.withLock { buffer in
            buffer.append(contentsOf: line)
            guard buffer.count >= Self.size else { return nil }
            defer { buffer = [] }
            return buffer
        }
        if let full { write(full) }
    }

    /// Writes what has been gathered.
    func flush() {
        let bytes = buffer.withLock { buffer in
            defer { buffer = [] }
            return buffer
        }
        write(bytes)
    }

    /// Writes all of `bytes`; what the system refuses is lost and counted, as nothing could be done about it.
    private func write(_ bytes: [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            let written = bytes[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                offset += written
            } else if errno != EINTR {
                lost.add(bytes.count - offset)
                return
            }
        }
    }
}

/// A call of the system that failed.
public struct SystemFailure: Error, CustomStringConvertible {
    let what: String
    let number: Int32

    /// What could not be done, and why.
    public var description: String { "\(what): \(String(cString: strerror(number)))" }
}
#endif
