#if Gateway
import Shunt
import ShuntGateway
import Testing

/// What an upstream says is input like any other.
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
}
#endif
