#if Gateway
import Glibc
import NginxOracle
import Synchronization

/// An upstream of one's own: answers every request by a closure, over plain sockets, and remembers what was asked.
final class TestUpstream: Sendable {
    /// A request as it came over the wire.
    struct Received: Sendable {
        var line: String
        var headers: [(name: String, value: String)]
        var body: [UInt8]

        subscript(_ name: String) -> String? {
            let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
    }

    /// What to send back, byte for byte, and whether the connection is closed then.
    struct Reply: Sendable {
        var parts: [String]
        var closes = false

        static func text(_ text: String, status: String = "200 OK", headers: [String] = []) -> Reply {
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(text.utf8.count)"] + headers + ["", ""]
            return Reply(parts: [lines.joined(separator: "\r\n") + text])
        }
    }

    private let server: SocketServer
    private let gathered: Gathered

    private final class Gathered: Sendable {
        let requests = Mutex<[Received]>([])
    }

    var port: UInt16 { server.port }
    var requests: [Received] { gathered.requests.withLock { $0 } }
    var url: String { "http://127.0.0.1:\(port)" }
    /// How many connections were made.
    var connectionCount: Int { server.connectionCount }

    init(_ answer: @escaping @Sendable (Received) -> Reply) throws {
        let gathered = Gathered()
        self.gathered = gathered
        server = try SocketServer { connection, _ in
            var reader = Reader(descriptor: connection)
            while let request = reader.request() {
                gathered.requests.withLock { $0.append(request) }
                let reply = answer(request)
                for part in reply.parts {
                    let bytes = Array(part.utf8)
                    guard send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
                }
                if reply.closes { return }
            }
        }
    }

    private struct Reader {
        let descriptor: Int32
        var buffer: [UInt8] = []

        mutating func request() -> Received? {
            guard let first = line() else { return nil }
            var request = Received(line: first, headers: [], body: [])
            while let header = line(), !header.isEmpty {
                let halves = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                request.headers.append((String(halves[0]), String((halves.last ?? "").drop { $0 == " " })))
            }
            if request["transfer-encoding"] == "chunked" {
                while let size = line(), let count = Int(size, radix: 16) {
                    guard let part = bytes(count + 2) else { return nil }
                    request.body += part.dropLast(2)
                    if count == 0 { break }
                }
            } else if let length = request["content-length"].flatMap({ Int($0) }) {
                guard let body = bytes(length) else { return nil }
                request.body = body
            }
            return request
        }

        private mutating func line() -> String? {
            while true {
                if let end = buffer.firstIndex(of: 0x0a) {
                    let text = String(decoding: buffer[..<end].filter { $0 != 0x0d }, as: UTF8.self)
                    buffer.removeFirst(end + 1)
                    return text
                }
                guard fill() else { return nil }
            }
        }

        private mutating func bytes(_ count: Int) -> [UInt8]? {
            while buffer.count < count { guard fill() else { return nil } }
            defer { buffer.removeFirst(count) }
            return Array(buffer[..<count])
        }

        private mutating func fill() -> Bool {
            var space = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &space, space.count, 0)
            guard count > 0 else { return false }
            buffer += space[..<count]
            return true
        }
    }
}
#endif
