#if Gateway
import Glibc
import NginxOracle

/// A connection to a gateway whose rules answer every request with two numbers.
///
/// Reads with few instructions, because tests are built without optimization and have to be faster than the gateway.
struct NumberedAnswers: ~Copyable {
    private let socket: LoopbackSocket
    private var space = [UInt8](repeating: 0, count: 65_536)
    private var start = 0
    private var end = 0

    init(port: UInt16) throws {
        socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
    }

    func send(_ bytes: [UInt8]) throws {
        guard socket.send(bytes) else { throw TestProblem("the connection is closed") }
    }

    /// The numbers in the next response.
    mutating func next() throws -> [Int] {
        while true {
            if let (numbers, length) = try parse() {
                start += length
                return numbers
            }
            try fill()
        }
    }

    private mutating func fill() throws {
        if start > space.count / 2 {
            space.replaceSubrange(0..<(end - start), with: space[start..<end])
            space += [UInt8](repeating: 0, count: 65_536 - space.count)
            end -= start
            start = 0
        }
        let descriptor = socket.descriptor
        let offset = end
        let count = space.withUnsafeMutableBytes { bytes in
            recv(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset - 1, 0)
        }
        guard count > 0 else { throw TestProblem(count == 0 ? "the connection was closed" : "recv: \(errno)") }
        end += count
        // What has come ends like a C string, for `strstr`.
        space[end] = 0
    }

    /// The numbers and the length of the response that begins at `start`; nil when it has not come in full.
    private func parse() throws -> ([Int], Int)? {
        let length = end - start
        return try space.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                case let first = base + start, let border = strstr(first, "\r\n\r\n")
            else { return nil }
            let head = UnsafePointer(border) - first
            guard memcmp(first, "HTTP/1.1 200 ", min(13, head)) == 0,
                let field = strstr(first, "Content-Length: "), UnsafePointer(field) < border
            else {
                let received = UnsafeRawBufferPointer(start: first, count: length)
                throw TestProblem(String(decoding: received, as: UTF8.self))
            }
            let count = strtol(field + 16, nil, 10)
            guard (3...40).contains(count) else { throw TestProblem("a body of \(count) bytes") }
            guard head + 4 + count <= length else { return nil }
            // Two numbers with a space between them, and nothing else.
            let body = UnsafeRawBufferPointer(start: first + head + 4, count: count)
            var numbers = [0, 0]
            var index = 0
            for byte in body {
                if byte == 0x20, index == 0 {
                    index = 1
                } else if (0x30...0x39).contains(byte) {
                    numbers[index] = numbers[index] * 10 + Int(byte - 0x30)
                } else {
                    throw TestProblem("a body of \(String(decoding: body, as: UTF8.self))")
                }
            }
            guard index == 1 else { throw TestProblem("a body of \(String(decoding: body, as: UTF8.self))") }
            return (numbers, head + 4 + count)
        }
    }
}
#endif
