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

    /// The bytes to send back, and whether the connection is closed then.
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
    /// The number of connections that were opened.
    var connectionCount: Int { server.connectionCount }

    /// - Parameters:
    ///   - path: The Unix socket that it listens at; nil for a port.
    ///   - answer: Answers a request.
    /// - Throws: When it cannot listen.
    init(path: String? = nil, _ answer: @escaping @Sendable (Received) -> Reply) throws {
        let gathered = Gathered()
        self.gathered = gathered
        let serve: @Sendable (Int32, Int) -> Void = { connection, _ in
            var reader = WireReader(connection)
            while let request = Self.request(&reader) {
                gathered.requests.withLock { $0.append(request) }
                let reply = answer(request)
                for part in reply.parts {
                    let bytes = Array(part.utf8)
                    guard send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
                }
                if reply.closes { return }
            }
        }
        server = try path.map { try SocketServer(path: $0, serve) } ?? SocketServer(serve)
    }

    /// The next request on a connection; nil where it has ended, or none comes.
    static func request(_ reader: inout WireReader) -> Received? {
        do {
            guard let head = try reader.head() else { return nil }
            var request = Received(line: head.first, headers: head.fields, body: [])
            if request["transfer-encoding"] == "chunked" {
                request.body = try reader.chunks()
            } else if let length = request["content-length"].flatMap({ Int($0) }) {
                request.body = try reader.bytes(length)
            }
            return request
        } catch {
            return nil
        }
    }
}
#endif
