#if Gateway
import Glibc
import Shunt
import Testing

@testable import ShuntGateway

/// Bodies that an upstream gets after their beginning has come, and requests of clients that are gone.
@Suite struct RequestBufferingTests {
    private static func rules(_ upstream: TestUpstream, _ settings: String) -> [String: String] {
        [
            "r.conf":
                "server { location / { \(settings) proxy_pass \(upstream.url); } location /end { return 200 end; } }"
        ]
    }

    private static func upstream() throws -> TestUpstream {
        try TestUpstream { request in
            let framing = request["content-length"].map { "length \($0)" } ?? "chunks"
            return .text("\(request.body.count) \(framing)")
        }
    }

    @Test("An upstream is asked when the body is there, and gets the length of chunks")
    func slowClient() async throws {
        let upstream = try Self.upstream()
        try await RunningGateway.with(Self.rules(upstream, "")) { gateway in
            var slow = try TestConnection(port: gateway.port)
            try slow.send("POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
            // The other request is answered after that part was read.
            let other = try await gateway.send("POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nxy")
            #expect(other.first?.text == "2 length 2")
            #expect(upstream.requests.count == 1)
            try slow.send("2\r\nde\r\n0\r\n\r\n")
            let text = try slow.response()?.text
            #expect(text == "5 length 5")
        }
    }

    @Test("Headers of the rules do not know the length of a body in chunks, though the upstream gets it")
    func lengthInHeaders() async throws {
        let upstream = try TestUpstream { .text("[\($0["x-length"] ?? "")] \($0["content-length"] ?? "")") }
        let rules = Self.rules(upstream, "proxy_set_header X-Length $content_length;")
        try await RunningGateway.with(rules) { (gateway) async throws in
            let head = "POST / HTTP/1.1\r\nHost: a.test\r\n"
            let chunks = try await gateway.send(head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n").first
            #expect(chunks?.text == "[] 3")
            let known = try await gateway.send(head + "Content-Length: 3\r\n\r\nabc").first
            #expect(known?.text == "[3] 3")
        }
    }

    @Test("With proxy_request_buffering off an upstream gets what has come")
    func unbuffered() async throws {
        let upstream = try Self.upstream()
        try await RunningGateway.with(Self.rules(upstream, "proxy_request_buffering off;")) { (gateway) async throws in
            let text = "POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            let answer = try await gateway.send(text).first
            #expect(answer?.text == "3 chunks")
        }
    }

    @Test("A client that has closed its side gets an answer with proxy_ignore_client_abort", arguments: [true, false])
    func closedSide(ignores: Bool) async throws {
        let upstream = try Self.upstream()
        let settings = "proxy_ignore_client_abort \(ignores ? "on" : "off");"
        try await RunningGateway.with(Self.rules(upstream, settings)) { gateway in
            var connection = try TestConnection(port: gateway.port)
            try connection.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
            connection.endInput()
            let status = try connection.response()?.status
            #expect(status == (ignores ? 200 : nil))
        }
    }

    @Test(
        "A client that leaves while a question is asked holds no upstream, and what it asked for is not done",
        .timeLimit(.minutes(10)),
        arguments: [
            "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 100\r\n\r\nabc",
            "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nabc",
            "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n", "DELETE / HTTP/1.1\r\nHost: a.test\r\n\r\n",
        ]
    )
    func leaves(request: String) async throws {
        let upstream = try TestUpstream { request in
            if request.line.contains("/auth") { usleep(100_000) }
            return .text("")
        }
        let rules = """
            server {
                location / { auth_request /ask; proxy_pass \(upstream.url); }
                location = /ask { internal; proxy_pass \(upstream.url)/auth; }
            }
            """
        try await RunningGateway.with(["r.conf": rules]) { gateway in
            var connection = try TestConnection(port: gateway.port)
            try connection.send(request)
            connection.endInput()
            let response = try connection.response()
            #expect(response == nil)
            try await Task.sleep(for: .milliseconds(300))
            #expect(upstream.requests.allSatisfy { $0.line.contains("/auth") })
        }
    }

    @Test("A later location refuses a long body that came in chunks, too", arguments: ["/in/e", "@named"])
    func laterLimit(page: String) async throws {
        let upstream = try TestUpstream {
            .text("\($0.body.count)", status: $0.line.contains("/a") ? "404 N" : "200 OK")
        }
        let rules = """
            server {
                listen 80;
                location /a { proxy_intercept_errors on; error_page 404 = \(page); proxy_pass \(upstream.url); }
                location /in/ { internal; client_max_body_size 10; proxy_pass \(upstream.url)/b; }
                location @named { client_max_body_size 10; rewrite ^ /b break; proxy_pass \(upstream.url); }
            }
            """
        try await RunningGateway.expectAsNginx(rules) { (port) throws -> [String] in
            try [5, 30]
                .map { count in
                    let chunk = "\(String(count, radix: 16))\r\n\(String(repeating: "x", count: count))\r\n0\r\n\r\n"
                    var connection = try TestConnection(port: port)
                    try connection.send("PUT /a HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)")
                    guard let answer = try connection.response() else { return "none" }
                    return "\(answer.status) \(answer.status == 200 ? answer.text : "")"
                }
        }
    }

    @Test(
        "A long body in chunks that came with the head is refused before a server is missed",
        arguments: ["on", "off"]
    )
    func longBeforeNoServer(buffering: String) async throws {
        let rules = """
            upstream none { server 127.0.0.1:1 down; server 127.0.0.1:2 down; }
            server {
                listen 80;
                client_max_body_size 10;
                proxy_request_buffering \(buffering);
                proxy_http_version 1.1;
                location / { proxy_pass http://none; }
                location /page { error_page 413 =200 /long; error_page 502 =200 /none; proxy_pass http://none; }
                location = /long { return 200 long; }
                location = /none { return 200 none; }
            }
            """
        try await RunningGateway.expectAsNginx(rules) { (port) throws -> [String] in
            try ["/", "/page"]
                .flatMap { target in
                    try [10, 11]
                        .map { count in
                            let rest = String(repeating: "x", count: count - 6)
                            let chunks = "6\r\nabcdef\r\n\(rest.utf8.count)\r\n\(rest)\r\n0\r\n\r\n"
                            var connection = try TestConnection(port: port)
                            let head = "PUT \(target) HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n"
                            try connection.send(head + chunks)
                            guard let answer = try connection.response() else { return "closed" }
                            return "\(answer.status) \(answer.status == 200 ? answer.text : "")"
                        }
                }
        }
    }

    @Test("A connection stays of use after a body was dropped for the page of a redirect")
    func droppedBody() async throws {
        let rules = """
            server {
                listen 80;
                location /a { error_page 301 =200 /page; return 301 /b; }
                location /page { return 200 page; }
                location /end { return 200 end; }
            }
            """
        try await RunningGateway.expectAsNginx(rules) { (port) throws -> [String] in
            var connection = try TestConnection(port: port)
            try connection.send("DELETE /a HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nabc")
            let first = try connection.response()
            try connection.send("GET /end HTTP/1.1\r\nHost: a.test\r\n\r\n")
            return [first?.text ?? "none", try connection.response()?.text ?? "none"]
        }
    }
}
#endif
