#if Gateway
import NginxOracle
import Testing

/// The server whose `underscores_in_headers` and `ignore_invalid_headers` hold for a header: the one of the Host, if it came before.
@Suite(.serialized) struct NamesOfHeadersTests {
    private static let settings = ["", "underscores_in_headers on;", "ignore_invalid_headers off;"]
    private static let requests = [
        "GET / HTTP/1.1\r\nHost: HOST\r\nA_B: c\r\nA.B: d", "GET / HTTP/1.1\r\nA_B: c\r\nA.B: d\r\nHost: HOST",
        "GET / HTTP/1.1\r\nA_B: c\r\nHost: HOST\r\nX_Y: z",
        "GET http://HOST/ HTTP/1.1\r\nA_B: c\r\nHost: other\r\nX_Y: z",
        "GET / HTTP/1.0\r\nA_B: c\r\nX_Y: z", "GET http://HOST/ HTTP/1.0\r\nA_B: c\r\nX_Y: z",
        "GET /up HTTP/1.1\r\nA_B: c\r\nX_Y: z\r\nHost: HOST", "GET /up HTTP/1.1\r\nHost: HOST\r\nA_B: c\r\nX_Y: z",
        "GET /asks HTTP/1.1\r\nHost: HOST\r\nA_B: c",
    ]

    @Test("A header has the name that nginx reads", arguments: settings, settings)
    func same(first: String, named: String) async throws {
        let upstream = try TestUpstream { request in
            .text(
                request.headers.filter { $0.name.contains("_") || $0.name.contains(".") }.map { "\($0)" }
                    .joined(separator: " ")
            )
        }
        let content = """
            location / { return 200 "[$http_a_b][$http_x_y]"; }
            location = /up { proxy_pass \(upstream.url); }
            location = /asks { auth_request /asked; proxy_pass \(upstream.url); }
            location = /asked { if ($http_a_b) { return 204; } return 403; }
            """
        let rules = """
            server { listen 80; server_name first; \(first) \(content) }
            server { listen 80; server_name named; \(named) \(content) }
            server { listen 80; server_name ~^pattern; \(named) \(content) }
            """
        @Sendable func answers(at port: UInt16) throws -> [String] {
            try ["first", "named", "NAMED:80", "pattern1", "none"]
                .flatMap { host in
                    try Self.requests.map { request in
                        var connection = try TestConnection(port: port)
                        try connection.send("\(request.replacing("HOST", with: host))\r\nConnection: close\r\n\r\n")
                        guard let answer = try connection.response() else { return "closed" }
                        return "\(host) \(request): \(answer.status) \(answer.status == 200 ? answer.text : "")"
                    }
                }
        }
        try await RunningGateway.expectAsNginx(rules, answers(at:))
    }
}
#endif
