import Glibc

/// The reason why output could not be written: the system's error number.
struct OutputError: Error, Equatable {
    var number: Int32
}

enum SystemError {
    static func text(_ number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "system error \(number)"
    }
}

/// A file descriptor that is written in large pieces.
final class OutputStream {
    private let descriptor: Int32
    private var pending: [UInt8] = []
    private let capacity = 65_536
    /// True if the reader closed the pipe: it has seen enough, and what is written afterwards is dropped.
    ///
    /// The answer stays the same, so a command continues to its exit status.
    private(set) var isClosed = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Passes the standard output to `body`, and writes what is waiting after it, also if it throws.
    static func standard(_ body: (OutputStream) throws -> Void) throws {
        let stream = OutputStream(STDOUT_FILENO)
        do {
            try body(stream)
        } catch {
            try stream.flush()
            throw error
        }
        try stream.flush()
    }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// True if ANSI colours are wanted there: on a terminal that knows them, and not against `NO_COLOR`.
    var wantsColor: Bool {
        guard isTerminal else { return false }
        if let noColor = getenv("NO_COLOR"), noColor.pointee != 0 { return false }
        guard let terminal = getenv("TERM") else { return false }
        return String(cString: terminal) != "dumb"
    }

    func write(_ text: String) throws(OutputError) {
        pending.append(contentsOf: text.utf8)
        if pending.count >= capacity { try flush() }
    }

    func write(_ bytes: [UInt8]) throws(OutputError) {
        pending.append(contentsOf: bytes)
        if pending.count >= capacity { try flush() }
    }

    func flush() throws(OutputError) {
        var written = 0
        defer { pending.removeAll(keepingCapacity: true) }
        while !isClosed, written < pending.count {
            let count = pending.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: try waitUntilWritable()
            case EPIPE: isClosed = true
            default: throw OutputError(number: errno)
            }
        }
    }

    /// Waits where a descriptor shared with another program does not block.
    private func waitUntilWritable() throws(OutputError) {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&request, 1, -1) >= 0 || errno == EINTR else { throw OutputError(number: errno) }
    }
}
