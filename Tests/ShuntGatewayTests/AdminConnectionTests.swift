#if Gateway
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("Connections to the admin listener", .timeLimit(.minutes(10)))
struct AdminConnectionTests {
    private static let rules = ["rules.conf": "server { return 200 ok; }"]

    /// A connection on an event loop whose time a test moves.
    private static func connection() throws -> EmbeddedChannel {
        var routes = AdminRoutes(guarding: AdminGuard(names: []))
        routes.get("/health") { _ in .text("ok\n") }
        let channel = EmbeddedChannel()
        try AdminConnection.setUp(channel, routes).wait()
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    @Test(
        "A request that does not end in ten seconds ends the connection, whatever has arrived",
        arguments: [
            "", "GET /health HTTP/1.1\r\nHos", "POST /explain HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab",
        ]
    )
    func timesOut(sent: String) throws {
        let channel = try Self.connection()
        try channel.writeInbound(ByteBuffer(string: sent))
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(channel.isActive)
        try channel.writeInbound(ByteBuffer(string: sent.isEmpty ? "G" : "x"))
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test("HEAD is answered wherever GET is, without a body")
    func head() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let admin = gateway.adminPort
            for path in ["/health", "/ready", "/metrics", "/status", "/", "/rules?limit=1", "/events"] {
                let answer = try await Blocking.run {
                    var connection = try TestConnection(port: admin)
                    try connection.send("HEAD \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    let answer = try connection.response(isHead: true)
                    // The next answer begins where the head ended.
                    try connection.send("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    #expect(try connection.response()?.text == "ok\n")
                    return answer
                }
                #expect(answer?.status == 200, "\(path)")
            }
            let text = "HEAD /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let none = try await Blocking.run {
                var connection = try TestConnection(port: admin)
                try connection.send(text)
                return try connection.response(isHead: true)
            }
            #expect(none?.status == 404)
        }
    }

    @Test(
        "HTTP/1.0 ends with its answer, unless the client asks for more",
        arguments: [("", "close"), ("Connection: keep-alive\r\n", "keep-alive")]
    )
    func oldVersion(header: String, expected: String) async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let admin = gateway.adminPort
            try await Blocking.run {
                var connection = try TestConnection(port: admin)
                try connection.send("GET /ready HTTP/1.0\r\n\(header)\r\n")
                let answer = try connection.response()
                #expect(answer?.text == "ready\n")
                #expect(answer?["connection"] == expected)
                if expected == "close" { #expect(try connection.isAtEnd()) }
            }
        }
    }

    @Test("Requests that are too long or malformed are refused, and others are answered")
    func refuses() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let admin = gateway.adminPort
            let body = String(repeating: "x", count: 1 << 20) + "x"
            let long = "POST /explain HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            let nonsense = "nonsense\r\n\r\n"
            let two = "GET /status HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            for (text, status) in [(long, 413), (nonsense, 400), (two, 421)] {
                let answers = try await gateway.send(text, to: admin)
                #expect(answers.first?.status == status)
            }
            #expect(try await gateway.get("/rules/none", from: admin).status == 404)
        }
    }

    @Test("Requests that do not end take no descriptors from the gateway")
    func leavesDescriptors() async throws {
        let folder = try TestFolder(Self.rules)
        let program = try await ServedProgram.serving(rules: folder.path, limits: "ulimit -Sn 300; ulimit -Hn 300")
        let admin = program.adminPort
        let held = try await Blocking.run {
            try (0..<350)
                .map { _ in
                    let connection = try TestConnection(port: admin)
                    try connection.send("GET /status HTTP/1.1\r\nHos")
                    return SendableConnection(connection)
                }
        }
        for _ in 0..<3 { #expect(try await program.ask("/").text == "ok") }
        _ = held.count
    }
}
#endif
