#if Gateway
import NginxOracle

/// A response as it came over the wire.
struct TestResponse: Sendable, Hashable {
    var version: String
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The values of a header, joined.
    subscript(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    static func == (left: TestResponse, right: TestResponse) -> Bool {
        left.status == right.status && left.body == right.body
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(body)
    }
}

/// A connection that blocks, with a limit to every wait.
struct TestConnection: ~Copyable {
    private let socket: LoopbackSocket
    private var buffer: [UInt8] = []
    private var position = 0
    private var space = [UInt8](repeating: 0, count: 65_536)
    private var hasEnded = false

    init(port: UInt16) throws {
        socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
    }

    func send(_ bytes: [UInt8]) throws {
        guard socket.send(bytes) else { throw TestProblem("the connection is closed") }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// The next response; nil when the connection ends before one begins.
    mutating func response(isHead: Bool = false) throws -> TestResponse? {
        while let first = try line() {
            let parts = first.split(separator: " ", maxSplits: 2).map(String.init)
            guard parts.count >= 2, let status = Int(parts[1]) else { throw TestProblem("no status line: \(first)") }
            var response = TestResponse(version: parts[0], status: status, headers: [], body: [])
            while let header = try line(), !header.isEmpty {
                let halves = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2 else { throw TestProblem("no header: \(header)") }
                response.headers.append((String(halves[0]), halves[1].trimmed))
            }
            if status == 100 { return response }
            if isHead || status == 204 || status == 304 { return response }
            if response["transfer-encoding"] == "chunked" {
                while let size = try line(), let count = Int(size, radix: 16) {
                    response.body += try bytes(count)
                    guard try line() != nil else { throw TestProblem("a chunk breaks off") }
                    if count == 0 { return response }
                }
                throw TestProblem("chunks break off")
            }
            if let length = response["content-length"].flatMap({ Int($0) }) {
                response.body = try bytes(length)
            } else {
                while try fill() {}
                response.body = Array(buffer[position...])
                position = buffer.count
            }
            return response
        }
        return nil
    }

    /// Whether the other end has closed the connection, with nothing left to read.
    ///
    /// Waits for it.
    mutating func isAtEnd() throws -> Bool {
        if position < buffer.count { return false }
        return try !fill()
    }

    private mutating func fill() throws -> Bool {
        if hasEnded { return false }
        switch socket.receive(into: &buffer, space: &space) {
        case .bytes: return true
        case .end:
            hasEnded = true
            return false
        case .timeout: throw TestProblem("nothing came in 20 seconds")
        }
    }

    private mutating func line() throws -> String? {
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

    private mutating func bytes(_ count: Int) throws -> [UInt8] {
        while buffer.count - position < count {
            guard try fill() else { throw TestProblem("a body breaks off") }
        }
        defer { position += count }
        return Array(buffer[position..<position + count])
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
#endif
