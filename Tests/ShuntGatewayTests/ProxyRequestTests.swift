#if Gateway
import Glibc
import NginxOracle
import Shunt
import ShuntGateway
import Testing

/// The method, the headers and the body that rules set for a request, compared with a real nginx with the same rules.
@Suite("Changes by rules of a request for an upstream")
struct ProxyRequestTests {
    private static let to = "proxy_pass http://{upstream};"
    /// Rules, and the method and the target of a request.
    private static let cases: [(rules: String, method: String, target: String)] = [
        ("location / { proxy_pass_request_headers off; \(to) }", "POST", "/a"),
        ("location / { proxy_pass_request_headers off; proxy_set_header X-Kept $http_x_y; \(to) }", "GET", "/a"),
        ("proxy_pass_request_headers off; location / { proxy_pass_request_headers on; \(to) }", "POST", "/a"),
        ("location / { proxy_method GET; \(to) }", "POST", "/a"),
        ("location / { proxy_method $arg_m; \(to) }", "POST", "/a?m=PATCH"),
        ("location / { proxy_method HEAD; \(to) }", "GET", "/a"),
        ("location / { proxy_method GET; \(to) }", "HEAD", "/a"),
        ("location / { proxy_set_body \"fixed=$arg_x\"; \(to) }", "POST", "/a?x=1"),
        ("location / { proxy_set_body \"fixed=$arg_x\"; \(to) }", "GET", "/a?x=2"),
        ("location / { proxy_set_body \"\"; \(to) }", "POST", "/a"),
        ("location / { proxy_set_body x; proxy_pass_request_body off; \(to) }", "POST", "/a"),
        (
            "location / { proxy_pass_request_headers off; proxy_set_body x; proxy_set_header Content-Type t/x; \(to) }",
            "POST", "/a"
        ),
        ("location / { proxy_pass_request_body off; proxy_set_header X-A 1; \(to) }", "GET", "/a"),
        ("location / { proxy_set_header Host \"\"; \(to) }", "POST", "/a"),
        ("location / { proxy_set_header Host $arg_none; \(to) }", "GET", "/a"),
        ("location /a { error_page 403 /up; deny all; } location /up { \(to) }", "POST", "/a"),
        ("location /a { error_page 403 /up; deny all; } location /up { \(to) }", "HEAD", "/a"),
        ("location /a { error_page 403 @up; deny all; } location @up { \(to) }", "POST", "/a"),
        ("location /a { try_files /none /up; } location /up { \(to) }", "POST", "/a"),
    ]

    /// The request that an upstream got, but for what is the connection's and what the gateway adds on its own.
    private struct OutgoingRequest: Equatable, CustomStringConvertible {
        var line: String
        var headers: [String]
        var body: String

        init?(_ request: TestUpstream.Received?) {
            guard let request else { return nil }
            line = request.line.replacing("HTTP/1.0", with: "HTTP/1.1")
            let own = ["connection", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"]
            headers = request.headers.map { "\($0.name.lowercased()): \($0.value)" }
                .filter { header in !own.contains { header.hasPrefix($0 + ":") } }
                .sorted()
            body = String(decoding: request.body, as: UTF8.self)
        }

        var description: String { ([line] + headers + [body]).joined(separator: "\n") }
    }

    private static func request(_ method: String, _ target: String) -> String {
        let body = method == "POST" ? "abc" : ""
        let length = method == "POST" ? "Content-Length: 3\r\nContent-Type: text/p\r\n" : ""
        let headers = "Host: a.test\r\nCookie: a=b\r\nAuthorization: Bearer s\r\nX-Y: z\r\nConnection: close\r\n"
        return "\(method) \(target) HTTP/1.1\r\n\(headers)\(length)\r\n\(body)"
    }

    @Test("As nginx sends it", arguments: cases.indices)
    func agreesWithNginx(number: Int) async throws {
        let (written, method, target) = Self.cases[number]
        let upstream = try TestUpstream { request in
            let isHead = request.line.hasPrefix("HEAD")
            return .init(parts: ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + (isHead ? "" : "ok")])
        }
        let rules = "server { listen 80; \(written.replacing("{upstream}", with: "127.0.0.1:\(upstream.port)")) }"
        let request = Self.request(method, target)
        let expected = try await Blocking.run {
            try RealNginx.with(rules) { port in
                var connection = try TestConnection(port: port)
                try connection.send(request)
                // nginx answers GET with a length and no body after it has asked with HEAD.
                _ = try? connection.response(isHead: method == "HEAD" || written.contains("HEAD"))
                for _ in 0..<3_000 where upstream.requests.isEmpty { usleep(20_000) }
            }
            return try #require(OutgoingRequest(upstream.requests.last))
        }
        let before = upstream.requests.count
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let response = try await Blocking.run {
                var connection = try TestConnection(port: gateway.port)
                try connection.send(request)
                let response = try connection.response(isHead: method == "HEAD")
                #expect(try connection.isAtEnd())
                return response
            }
            #expect(response?.status == (written.contains("deny") ? 403 : 200))
            #expect(upstream.requests.count == before + 1)
            #expect(OutgoingRequest(upstream.requests.last) == expected)
        }
    }

    @Test("A body that is not passed on has no length, and the connection is kept")
    func withoutBody() async throws {
        let upstream = try TestUpstream { .text("\($0.line) \($0.body.count)") }
        let rules = """
            server {
                listen 80;
                location /off { proxy_pass_request_body off; proxy_pass \(upstream.url); }
                location /set { proxy_set_body fixed; proxy_pass \(upstream.url); }
                location / { proxy_pass \(upstream.url); }
            }
            """
        let length = "Content-Length: 3\r\n\r\nabc"
        let chunks = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let lengths = try await Blocking.run {
                var connection = try TestConnection(port: gateway.port)
                return try ["/off", "/set", "/"]
                    .flatMap { target in
                        try [length, chunks]
                            .map { body in
                                try connection.send("POST \(target) HTTP/1.1\r\nHost: a.test\r\n\(body)")
                                return try connection.response()?.text.split(separator: " ").last ?? ""
                            }
                    }
            }
            #expect(lengths == ["0", "0", "5", "5", "3", "3"])
            #expect(upstream.requests.first?["content-length"] == "0")
        }
    }

    @Test(
        "A body that is too long reaches no upstream, also where another one goes there",
        arguments: ["/off", "/set"]
    )
    func longBody(target: String) async throws {
        let upstream = try TestUpstream { _ in .text("done") }
        let rules = """
            server {
                listen 80;
                client_max_body_size 10;
                location /off { proxy_pass_request_body off; proxy_pass \(upstream.url); }
                location /set { proxy_set_body fixed; proxy_pass \(upstream.url); }
                location / { proxy_pass \(upstream.url); }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let statuses = try await Blocking.run {
                // The connection to the upstream is open when the body comes.
                var connection = try TestConnection(port: gateway.port)
                try connection.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
                let first = try connection.response()?.status
                let head = "POST \(target) HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n"
                try connection.send(head + "16\r\n0123456789012345678901\r\n0\r\n\r\n")
                return [first, try connection.response()?.status]
            }
            #expect(statuses == [200, 413])
            #expect(upstream.requests.map(\.line) == ["GET / HTTP/1.1"])
        }
    }

    @Test("A blank of a variable does not end the target")
    func blankOfAVariable() async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        let rules =
            "server { location / { proxy_pass \(upstream.url)$uri; } location /c { proxy_pass \(upstream.url)/é; } }"
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            _ = try await gateway.get("/a%20b")
            _ = try await gateway.get("/c")
            #expect(upstream.requests.map(\.line) == ["GET /a%20b HTTP/1.1", "GET /%C3%A9 HTTP/1.1"])
        }
    }

    @Test(
        "A method that usually has a body announces that there is none",
        arguments: [("POST", "0"), ("PUT", "0"), ("PATCH", "0"), ("GET", nil), ("DELETE", nil)] as [(String, String?)]
    )
    func bodilessMethods(method: String, length: String?) async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        let rules = "server { location / { proxy_pass \(upstream.url); } }"
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let response = try await gateway.send("\(method) / HTTP/1.1\r\nHost: a.test\r\n\r\n").first
            #expect(response?.text == "ok")
            #expect(upstream.requests.map { $0["content-length"] } == [length])
        }
    }

    @Test("A name in a variable is looked up without a resolver")
    func variableName() async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        let rules = "server { location / { set $name localhost; proxy_pass http://$name:\(upstream.port)/x; } }"
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let response = try await gateway.get("/")
            #expect(response.text == "ok")
            #expect(upstream.requests.map(\.line) == ["GET /x HTTP/1.1"])
        }
    }

    @Test("An invalid method is not sent")
    func invalidMethod() async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        let rules = "server { location / { proxy_method $arg_m; proxy_pass \(upstream.url); } }"
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            for value in ["", "a:b", "a/b"] {
                let response = try await gateway.get("/?m=" + value)
                #expect(response.status == 500, "\(value)")
            }
            #expect(upstream.requests.isEmpty)
        }
    }
}
#endif
