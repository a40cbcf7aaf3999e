#if Gateway
import Shunt
import ShuntGateway
import Testing

/// Messages that are too long are refused with the status of their kind, at default options.
@Suite(.serialized) struct LengthTests {
    static let rules = ["rules.conf": "server { return 200 ok; }"]

    @Test(
        arguments: [
            (65_535, 0, 200), (65_536, 0, 200), (65_537, 0, 414), (66_000, 0, 414), (131_100, 0, 414),
            (140_000, 0, 414), (1_000_000, 0, 414), (1, 65_000, 200), (1, 66_000, 431), (1, 200_000, 431),
            (65_000, 65_000, 200), (65_000, 70_000, 431),
        ]
    )
    func sizes(_ target: Int, _ header: Int, _ status: Int) async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let path = "/" + String(repeating: "a", count: target - 1)
            let field = header == 0 ? "" : "X: \(String(repeating: "b", count: header))\r\n"
            let response = try await gateway.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\(field)\r\n").first
            #expect(response?.status == status)
            if status == 414 { #expect(response?.text.contains("65536 bytes") == true) }
            if status == 431 { #expect(response?.text.contains("header fields") == true) }
        }
    }

    @Test("A second request on a connection is distinguished, too")
    func later() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let port = gateway.port
            try await Blocking.run {
                var connection = try TestConnection(port: port)
                try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try connection.response()?.status == 200)
                try connection.send("GET /\(String(repeating: "a", count: 300_000)) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try connection.response()?.status == 414)
                #expect(try connection.isAtEnd())
            }
        }
    }

    @Test("More header fields than the parser takes")
    func count() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let fields = (0..<300).map { "X-\($0): 1" }
            let response = try await gateway.get("/", headers: fields)
            #expect(response.status == 431)
        }
    }
}
#endif
