#if Gateway
import Testing

/// Headers that rules change in the answers of upstreams, compared with a real nginx.
@Suite struct ProxyAnswerHeaderTests {
    private static let answers = [
        "200;text/html", "200;TEXT/Plain", "200;text/css", "200;text/html; charset=x", "200;text/html; a=b",
        "404;text/html",
        "301;text/html", "200;text/x", "200;", "204;text/html",
    ]

    @Test(
        "The type and the time of an answer are changed as nginx changes them",
        arguments: [
            "charset utf-8;", "charset utf-8; charset_types text/css Text/X;", "charset utf-8; charset_types *;",
            "charset $arg_c;", "charset off;", "expires epoch;", "expires max;", "expires off;",
            "expires modified 10d;", "expires -1;", "expires max; add_header Cache-Control public;",
            "add_header ETag own; add_header Last-Modified now always;",
        ]
    )
    func changed(directives: String) async throws {
        let upstream = try TestUpstream { request in
            let parts = (request["x-answer"] ?? "")
                .split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            let type = parts[1].isEmpty ? [] : ["Content-Type: \(parts[1])"]
            let kept = ["Expires: never", "Cache-Control: private", "Cache-Control: x", "ETag: e"]
            let changed = ["Last-Modified: Tue, 14 Nov 2023 22:13:20 GMT"]
            return .text(parts[0] == "204" ? "" : "up", status: "\(parts[0]) S", headers: type + kept + changed)
        }
        let rules = """
            server { listen 80; location / { \(directives) proxy_pass http://127.0.0.1:\(upstream.port); } }
            """
        @Sendable func received(_ answer: String, at port: UInt16) throws -> [String] {
            var connection = try TestConnection(port: port)
            try connection.send("GET /?c=koi8-r HTTP/1.1\r\nHost: a.test\r\nX-Answer: \(answer)\r\n\r\n")
            let response = try connection.response()
            let names = ["Content-Type", "Cache-Control", "ETag", "Last-Modified", "Expires"]
            let isNow = directives.hasPrefix("expires -1")
            return names.map { $0 == "Expires" && isNow ? "" : "\($0) \(response?[$0] ?? "-")" }
        }
        try await RunningGateway.with(["r.conf": rules]) { (gateway) async throws in
            let port = gateway.port
            let pairs = try await Blocking.run {
                try RealNginx.with(rules) { nginx in
                    try Self.answers.map { ($0, try received($0, at: nginx), try received($0, at: port)) }
                }
            }
            for (answer, expected, found) in pairs { #expect(found == expected, "\(answer)") }
        }
    }

    @Test("An X-Accel-Charset of an upstream counts for nothing, and stays here")
    func accelCharset() async throws {
        let upstream = try TestUpstream { _ in
            .text("up", headers: ["Content-Type: text/html", "X-Accel-Charset: utf-8"])
        }
        let rules = """
            server {
                location / { proxy_pass \(upstream.url); }
                location /own { charset koi8-r; proxy_pass \(upstream.url); }
            }
            """
        try await RunningGateway.with(["r.conf": rules]) { (gateway) async throws in
            for (target, type) in [("/", "text/html"), ("/own", "text/html; charset=koi8-r")] {
                let answer = try await gateway.get(target)
                #expect(answer["content-type"] == type)
                #expect(answer["x-accel-charset"] == nil)
            }
        }
    }
}
#endif
