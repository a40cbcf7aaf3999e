#if Gateway && Modules
import Glibc
import NIOCore
import ShuntLinks
import ShuntHummingbird
import Testing

/// A bridge over a WebSocket, frame by frame.
@Suite(.timeLimit(.minutes(10))) struct BridgeSocketTests {
    private static func echo(_ id: Int, _ text: String) -> String {
        #"{"id":\#(id),"type":"post","url":"test://echo","param":{"text":"\#(text)"}}"#
    }

    @Test("A handshake becomes a connection, also after other requests, and messages are answered")
    func answers() async throws {
        try await BridgeServer.with { server in
            let first = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            for before in ["", first] {
                try await Blocking.run {
                    var socket = try TestWebSocket(server.port, first: before)
                    #expect(socket.status == 101)
                    // The value of RFC 6455, section 1.3.
                    #expect(socket.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                    socket.send(Self.echo(1, "ä"))
                    #expect(try socket.text() == #"{"id":1,"value":"ä"}"#)
                    socket.send(1, Array(Self.echo(2, "b").utf8.prefix(9)), first: 0)
                    socket.send(9, [7])
                    socket.send(0, Array(Self.echo(2, "b").utf8.dropFirst(9)))
                    #expect(try socket.frame() == (10, [7]))
                    #expect(try socket.text() == #"{"id":2,"value":"b"}"#)
                    let long = String(repeating: "y", count: 60_000)
                    socket.send(Self.echo(3, long))
                    #expect(try socket.text() == #"{"id":3,"value":"\#(long)"}"#)
                    socket.send(8, [3, 232])
                    #expect(try socket.end() == (1000, ""))
                    #expect(try socket.isAtEnd())
                }
            }
        }
    }

    @Test("A handshake that is invalid, or of another origin, opens nothing")
    func refused() async throws {
        try await BridgeServer.with { server in
            let origin = "Origin: http://127.0.0.1:\(server.port)"
            let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
            let upgrade = ["Upgrade: websocket", "Connection: Upgrade"]
            let version = "Sec-WebSocket-Version: 13"
            let cases: [([String], Int)] = [
                ([origin, key, version] + upgrade, 101), ([key, version] + upgrade, 403),
                (["Origin: http://localhost:\(server.port)", key, version] + upgrade, 403),
                (["Origin: null", key, version] + upgrade, 403), ([origin, origin, key, version] + upgrade, 403),
                ([origin, key, "Sec-WebSocket-Version: 8"] + upgrade, 426), ([origin, key] + upgrade, 426),
                ([origin, version] + upgrade, 400), ([origin, key, key, version] + upgrade, 400),
                ([origin, key, version, "Upgrade: websocket"], 426),
                ([origin, key, version, "Upgrade: h2c", "Connection: Upgrade"], 426),
            ]
            for (lines, status) in cases {
                try await Blocking.run {
                    let socket = try TestWebSocket(server.port, lines: lines)
                    #expect(socket.status == status, "\(lines)")
                }
            }
            try await Blocking.run {
                let other = try TestWebSocket(server.port, path: "/other")
                #expect(other.status == 404)
            }
        }
    }

    @Test(
        "A frame that breaks the protocol ends the connection with a code and a reason",
        arguments: [
            (1, [0x61], 0x80, 0, 1002, "a frame is not masked"), (2, [0x61], 0x80, 0x80, 1003, "messages must be text"),
            (1, [0xff], 0x80, 0x80, 1007, "a message is not UTF-8"),
            (9, [], 0, 0x80, 1002, "a control frame is too long, or in parts"),
            (
                1, [UInt8](repeating: 0x61, count: 1_001), 0x80, 0x80, 1009,
                "a message has more bytes than messageSize (1000)"
            ),
            (8, [3, 237], 0x80, 0x80, 1002, "the code of the end is invalid"),
        ] as [(UInt8, [UInt8], UInt8, UInt8, Int, String)]
    )
    func broken(opcode: UInt8, data: [UInt8], first: UInt8, mask: UInt8, code: Int, reason: String) async throws {
        var options = Bridge.Options()
        options.messageSize = 1_000
        try await BridgeServer.with(options: options) { server in
            try await Blocking.run {
                var socket = try TestWebSocket(server.port)
                socket.send(#"{"id":1,"type":"post","url":"test://endless"}"#)
                socket.send(opcode, data, first: first, mask: mask)
                #expect(try socket.end() == (code, reason))
                socket.send(8, [UInt8(code >> 8), UInt8(code & 255)])
                #expect(try socket.isAtEnd())
            }
            try await Wait.until("the call is cancelled") {
                server.counts.cancelled.value == server.counts.begun.value
            }
        }
    }

    @Test("A connection that ends without a word cancels what is under way")
    func gone() async throws {
        try await BridgeServer.with { server in
            try await Blocking.run {
                let socket = try TestWebSocket(server.port)
                for id in 1...3 { socket.send(#"{"id":\#(id),"type":"post","url":"test://endless"}"#) }
                for _ in 0..<20_000 where server.counts.begun.value < 3 { usleep(1_000) }
            }
            try await Wait.until("all are cancelled") { server.counts.cancelled.value == 3 }
        }
    }

    @Test("A page that answers no ping is gone; one that does stays, also where idle connections of HTTP do not")
    func pings() async throws {
        // A page has as long as the interval for its answer, also on a machine that is busy with other tests.
        try await BridgeServer.with(idleTimeout: .milliseconds(300)) {
            $0.pingInterval = .seconds(2)
        } _: { server in
            try await Blocking.run {
                var silent = try TestWebSocket(server.port)
                var alive = try TestWebSocket(server.port)
                for _ in 0..<2 {
                    #expect(try alive.frame() == (9, []))
                    alive.send(10, [])
                }
                alive.send(Self.echo(1, "here"))
                #expect(try alive.text() == #"{"id":1,"value":"here"}"#)
                #expect(try silent.frame() == (9, []))
                #expect(try silent.isAtEnd())
            }
        }
    }

    @Test("A feed waits for a page that does not read, and loses nothing")
    func backpressure() async throws {
        // No ping: this page answers none while it does not read.
        try await BridgeServer.with {
            $0.pingInterval = .hours(1)
        } _: { server in
            try await Blocking.run {
                var socket = try TestWebSocket(server.port)
                socket.send(#"{"id":1,"type":"listen","url":"test://blocks"}"#)
                // The feed pauses when it has filled what there is between it and the page.
                var (last, still) = (0, 0)
                for _ in 0..<30_000 where last == 0 || still < 300 {
                    usleep(1_000)
                    let now = server.counts.blocks.value
                    still = now == last ? still + 1 : 0
                    last = now
                }
                #expect((1..<5_000).contains(last))
                for number in 0..<200 { #expect(try socket.text().hasPrefix(#"{"id":1,"value":"\#(number) x"#)) }
            }
        }
    }

    @Test("A server that stops ends its connections with a word")
    func stops() async throws {
        try await BridgeServer.with { server in
            let (opened, isOpen) = AsyncStream<Void>.makeStream()
            async let end = Blocking.run {
                defer { isOpen.finish() }
                var socket = try TestWebSocket(server.port)
                isOpen.yield()
                let end = try socket.end()
                socket.send(8, [3, 233])
                return (end.code, end.reason, try socket.isAtEnd())
            }
            for await _ in opened { break }
            await server.shutDown()
            let seen = try await end
            #expect(seen == (1001, "the server stops", true))
        }
    }
}
#endif
