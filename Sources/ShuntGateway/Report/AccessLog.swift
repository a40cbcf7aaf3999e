#if Gateway
import Glibc
import Shunt
import Synchronization

/// An access log: a file with a line for each request.
///
/// Lines are gathered and written together, when there are many or when `flush` is called, which the gateway does twice
/// a second.
final class AccessLog: Sendable {
    /// What is gathered before it is written.
    private static let size = 32_768

    /// Nil is standard output.
    private let path: String?
    private let descriptor: Mutex<Int32>
    private let buffer = Mutex<[UInt8]>([])
    private let lost = Counter()

    /// Opens the log: a file that is appended to, or `-` for standard output.
    init(path: String) throws(SystemFailure) {
        self.path = path == "-" ? nil : path
        descriptor = Mutex(path == "-" ? STDOUT_FILENO : try Self.opened(path))
    }

    /// Opens a log that rules name; where that fails, lines are lost until it can be opened anew.
    init(ofRules path: String, _ tell: (SystemFailure) -> Void) {
        self.path = path
        do throws(SystemFailure) {
            descriptor = Mutex(try Self.opened(path))
        } catch {
            descriptor = Mutex(-1)
            tell(error)
        }
    }

    deinit {
        flush()
        if path != nil { _ = descriptor.withLock { $0 < 0 ? 0 : close($0) } }
    }

    private static func opened(_ path: String) throws(SystemFailure) -> Int32 {
        // A pipe that nobody reads would have the program wait for ever.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else { throw SystemFailure(what: "cannot open \(path)", number: errno) }
        _ = fcntl(descriptor, F_SETFL, O_APPEND)
        return descriptor
    }

    /// Goes on in a new file of the name, after the old one was renamed; what was gathered is still written to the old one.
    ///
    /// - Throws: When the new one cannot be opened; the old one is kept then.
    func reopen() throws(SystemFailure) {
        guard let path else { return }
        let fresh = try Self.opened(path)
        flush()
        let old = descriptor.withLock { current in
            defer { current = fresh }
            return current
        }
        if old >= 0 { close(old) }
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
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return lost.add(bytes.count) }
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
}

/// A call of the system that failed.
public struct SystemFailure: Error, CustomStringConvertible {
    let what: String
    let number: Int32

    /// What could not be done, and why.
    public var description: String { "\(what): \(String(cString: strerror(number)))" }
}
#endif
