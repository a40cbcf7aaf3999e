import Glibc
import TestFolder

/// A pipe whose ends are not inherited by programs that other tests start.
struct Pipe {
    let readEnd: Int32
    let writeEnd: Int32

    /// Makes a pipe by way of a file, which, unlike `pipe`, opens it without a moment when it could be inherited.
    init(in folder: TestFolder) throws {
        // A write without a reader is to be an error here, and no signal.
        signal(SIGPIPE, SIG_IGN)
        let path = folder.path + "/.pipe-\(UInt64.random(in: .min ... .max))"
        guard mkfifo(path, 0o600) == 0 else { throw ProgramError("cannot make \(path): error \(errno)") }
        readEnd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        writeEnd = open(path, O_WRONLY | O_CLOEXEC)
        guard readEnd >= 0, writeEnd >= 0, fcntl(readEnd, F_SETFL, 0) == 0 else {
            throw ProgramError("cannot open \(path): error \(errno)")
        }
    }

    /// Writes everything, however long it takes the reader; false when the reader is gone.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }
}

/// The lines that come out of a pipe.
struct PipeLines {
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var start = 0
    private var end = 0

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The next line, without its LF; nil at the end.
    ///
    /// Waits for it as long as a program may take that works, so that one that does not fails a test and hangs none.
    mutating func next() -> String? {
        var line: [UInt8] = []
        while true {
            let lineFeed = buffer.withUnsafeBytes { bytes -> Int? in
                guard let base = bytes.baseAddress, start < end else { return nil }
                return memchr(base + start, 0x0a, end - start).map { base.distance(to: UnsafeRawPointer($0)) }
            }
            line += buffer[start..<(lineFeed ?? end)]
            start = end
            if let lineFeed {
                start = lineFeed + 1
                return String(decoding: line, as: UTF8.self)
            }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&request, 1, 120_000)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            start = 0
            end = max(0, count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
        }
    }
}
