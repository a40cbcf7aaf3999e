#if Gateway
import Glibc

/// Lines and counted bytes from a socket, with a buffer between.
struct WireReader {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var position = 0
    private var space = [UInt8](repeating: 0, count: 65_536)
    private var hasEnded = false

    /// Reads from a socket that another object closes.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next line without its end; nil where the other end has closed before it.
    ///
    /// - Throws: Where a line breaks off, or nothing comes in the time of the socket.
    mutating func line() throws -> String? {
        if position > 1 << 20 {
            buffer.removeFirst(position)
            position = 0
        }
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0a) {
                var text = buffer[position..<end]
                if text.last == 0x0d { text.removeLast() }
                position = end + 1
                return String(decoding: text, as: UTF8.self)
            }
            searched = buffer.count
            guard try fill() else {
                guard position == buffer.count else { throw TestProblem("a line breaks off") }
                return nil
            }
        }
    }

    /// The lines up to an empty one, the first of them apart, as names in lower case and values; nil at the end.
    mutating func head() throws -> (first: String, fields: [(name: String, value: String)])? {
        guard let first = try line() else { return nil }
        var fields: [(name: String, value: String)] = []
        while true {
            guard let field = try line() else { throw TestProblem("a head breaks off") }
            if field.isEmpty { return (first, fields) }
            let halves = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { throw TestProblem("no header: \(field)") }
            let value = halves[1].drop { $0 == " " }
            fields.append((String(halves[0]), String(value.reversed().drop { $0 == " " }.reversed())))
        }
    }

    /// So many bytes.
    mutating func bytes(_ count: Int) throws -> [UInt8] {
        while buffer.count - position < count {
            guard try fill() else { throw TestProblem("a body breaks off") }
        }
        defer { position += count }
        return Array(buffer[position..<position + count])
    }

    /// A body in chunks.
    mutating func chunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while let size = try line(), let count = Int(size, radix: 16) {
            body += try bytes(count)
            guard try line() != nil else { throw TestProblem("a chunk breaks off") }
            if count == 0 { return body }
        }
        throw TestProblem("chunks break off")
    }

    /// Reads until the other end closes.
    mutating func rest() throws -> [UInt8] {
        while try fill() {}
        defer { position = buffer.count }
        return Array(buffer[position...])
    }

    /// Returns true if the other end has closed the connection, with nothing left to read.
    ///
    /// Waits for it.
    mutating func isAtEnd() throws -> Bool {
        if position < buffer.count { return false }
        return try !fill()
    }

    private mutating func fill() throws -> Bool {
        if hasEnded { return false }
        var count = 0
        repeat { count = recv(descriptor, &space, space.count, 0) } while count < 0 && errno == EINTR
        if count < 0, errno == EAGAIN { throw TestProblem("nothing came in time", isSilence: true) }
        hasEnded = count <= 0
        if count > 0 { buffer += space[..<count] }
        return !hasEnded
    }
}
#endif
