#if Gateway
import Glibc
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
    private var reader: WireReader
    /// True if the head of a response has come and its end has not.
    private(set) var isWithinResponse = false

    init(port: UInt16) throws {
        socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
        reader = WireReader(socket.descriptor)
    }

    init(path: String) throws {
        socket = try LoopbackSocket.connected(toPath: path, timeoutSeconds: 20)
        reader = WireReader(socket.descriptor)
    }

    func send(_ bytes: [UInt8]) throws {
        guard !socket.send(bytes) else { return }
        let isSilence = errno == EAGAIN
        throw TestProblem(isSilence ? "nothing was taken in time" : "the connection is closed", isSilence: isSilence)
    }

    /// Sends nothing more.
    func endInput() { _ = shutdown(socket.descriptor, Int32(SHUT_WR)) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// The next response; nil when the connection ends before one begins.
    mutating func response(isHead: Bool = false) throws -> TestResponse? {
        guard let head = try reader.head() else { return nil }
        let parts = head.first.split(separator: " ", maxSplits: 2).map(String.init)
        guard parts.count >= 2, let status = Int(parts[1]) else { throw TestProblem("no status line: \(head.first)") }
        var response = TestResponse(version: parts[0], status: status, headers: head.fields, body: [])
        if status == 100 || isHead || status == 204 || status == 304 { return response }
        isWithinResponse = true
        if response["transfer-encoding"] == "chunked" {
            response.body = try reader.chunks()
        } else if let length = response["content-length"].flatMap({ Int($0) }) {
            response.body = try reader.bytes(length)
        } else {
            response.body = try reader.rest()
        }
        isWithinResponse = false
        return response
    }

    /// Returns true if the other end has closed the connection, with nothing left to read.
    ///
    /// Waits for it.
    mutating func isAtEnd() throws -> Bool { try reader.isAtEnd() }
}
#endif
