#if Gateway
import TestFolder
import Testing

/// The longest body of a request without a `client_max_body_size`: 1 MiB, as in nginx.
@Suite(.serialized) struct BodyLimitTests {
    private static let targets = [
        "a /f", "a /none", "a /", "a /text", "a /moved", "a /page", "a /inner", "a /again", "a /any", "a /up",
        "a /dir",
        "a /question", "s /text",
    ]

    @Test(
        "A body has a limit wherever the rules send it, and one in chunks only on its way to an upstream",
        arguments: targets
    )
    func limit(target: String) async throws {
        let upstream = try TestUpstream { .text($0.line) }
        let folder = try TestFolder(["f": "file"])
        let rules = """
            server {
                listen 80;
                root \(folder.path);
                proxy_http_version 1.1;
                location = /text { return 200 text; }
                location = /moved { return 301 /to; }
                location = /page { error_page 413 =200 /text; }
                location = /inner { internal; }
                location = /again { rewrite ^ /text last; }
                location = /any { client_max_body_size 0; proxy_pass \(upstream.url); }
                location = /up { proxy_pass \(upstream.url); }
                location /dir/ { proxy_pass \(upstream.url); }
                location = /question { client_max_body_size 2m; auth_request /text; proxy_pass \(upstream.url); }
            }
            server { listen 80; server_name s; return 200 server; }
            """
        let parts = target.split(separator: " ")
        let chunk = String(repeating: "x", count: 65_536)
        let (longest, longer) = (String(repeating: chunk, count: 16), String(repeating: chunk, count: 16) + "x")
        let chunks = String(repeating: "10000\r\n\(chunk)\r\n", count: 16)
        let bodies = [
            "Content-Length: \(longest.utf8.count)\r\n\r\n\(longest)",
            "Content-Length: \(longer.utf8.count)\r\n\r\n\(longer)",
            "Transfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n\(chunks)1\r\nx\r\n0\r\n\r\n",
        ]
        @Sendable func answers(at port: UInt16) throws -> [String] {
            try ["GET", "POST"]
                .flatMap { method in
                    try bodies.map { body in
                        let before = upstream.requests.count
                        var connection = try TestConnection(port: port)
                        // A server that closes may not take all of it.
                        try? connection.send("\(method) \(parts[1]) HTTP/1.1\r\nHost: \(parts[0])\r\n\(body)")
                        guard let answer = try connection.response() else { return "closed" }
                        let asked = upstream.requests.count - before
                        let text = answer.status == 200 ? answer.text : ""
                        return "\(answer.status) \(answer["Connection"] == "close") \(asked) \(text)"
                    }
                }
        }
        try await RunningGateway.expectAsNginx(rules, answers(at:))
    }
}
#endif
