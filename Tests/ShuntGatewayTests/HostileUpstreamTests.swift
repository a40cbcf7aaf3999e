#if Gateway
import Shunt
import ShuntGateway
import Testing

/// The answer of an upstream is input like any other.
@Suite(.serialized) struct HostileUpstreamTests {
    static let rules = ["rules.conf": "server { location = /own { return 200 own; } location / { } }"]

    @Test(
        "A status that an upstream may not send is a 502, and frees its connection",
        arguments: [
            "HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 001 X\r\n\r\n",
            "HTTP/1.1 099 X\r\nContent-Length: 2\r\n\r\nhi",
            "HTTP/1.1 101 S\r\n\r\n", "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nframes",
            "HTTP/1.1 99 X\r\n\r\n", "HTTP/1.1 2000 X\r\n\r\n", "HTTP/1.1 -1 X\r\n\r\n", "nonsense\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nhi",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nhi",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nhi",
        ]
    )
    func refused(_ answer: String) async throws {
        let upstream = try TestUpstream { _ in .init(parts: [answer]) }
        let options = RunningGateway.Change {
            $0.upstream = UpstreamAddress(upstream.url)
            $0.maximumConnections = 4
        }
        try await RunningGateway.with(Self.rules, options: options) { gateway in
            // More than there may be connections: one that stayed would keep the last from being accepted.
            for _ in 0..<8 {
                let response = try await gateway.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n").first
                #expect(response?.status == 502)
            }
            #expect(try await gateway.get("/own").text == "own")
        }
    }

    @Test("Interim responses are waited out, but not without end")
    func interim() async throws {
        let some = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 3)
        let flood = String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 1_000)
        let end = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let upstream = try TestUpstream { request in
            .init(parts: [request.line.contains("/some") ? some + end : flood + end])
        }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            for _ in 0..<20 {
                let response = try await gateway.get("/some")
                #expect(response.text == "ok")
            }
            #expect(try await gateway.get("/flood").status == 502)
            #expect(try await gateway.get("/some").text == "ok")
        }
    }

    /// An answer of so many bytes.
    static func answer(of length: Int) -> String {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: "
        var body = length - head.utf8.count - 4
        body -= String(body).utf8.count
        return head + "\(body)\r\n\r\n" + String(repeating: "a", count: body)
    }

    /// Answers that fill the buffers that the gateway reads into, from the first on: 2 KiB, 4, 8 and 16.
    static let filling = [2_047, 2_048, 2_049, 6_144, 14_336, 30_720, 30_721]

    @Test("Bytes after an answer are never the next answer", arguments: filling)
    func followed(_ length: Int) async throws {
        let smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nSMUGGLED"
        let upstream = try TestUpstream { _ in .init(parts: [Self.answer(of: length) + smuggled]) }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            for _ in 0..<5 {
                let requests = String(repeating: "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", count: 4)
                let answers = try await gateway.send(requests, responses: 4)
                #expect(answers.count == 4)
                #expect(answers.allSatisfy { $0.text.hasPrefix("aaaa") })
            }
        }
    }

    @Test("A connection is kept after an answer that nothing follows, whatever its length", arguments: filling)
    func kept(_ length: Int) async throws {
        let upstream = try TestUpstream { _ in .init(parts: [Self.answer(of: length)]) }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            let port = gateway.port
            try await Blocking.run {
                var connection = try TestConnection(port: port)
                for _ in 0..<4 {
                    try connection.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                    #expect(try connection.response()?.text.hasPrefix("aaaa") == true)
                }
            }
            // After four reads that fill their buffers, whether anything follows is not known: that connection is closed.
            #expect(upstream.connectionCount <= (length == 30_720 ? 4 : 1))
        }
    }
}
#endif
