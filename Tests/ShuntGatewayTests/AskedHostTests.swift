#if Gateway
import Shunt
import ShuntGateway
import Testing

/// The host that rules judge is the only one that an upstream sees, or the request is refused.
@Suite(.serialized) struct AskedHostTests {
    static let rules = [
        "rules.conf": """
        block = http://www.example.com/x 410;
        server { listen 80 default_server; server_name _; location = / { return 403; } location / { } }
        server { listen 80; server_name admin.example.com; return 403; }
        server { listen 80; server_name www.example.com; location / { } }
        """
    ]

    @Test(
        "A text that is not a host with or without a port is refused",
        arguments: [
            "admin.example.com#", "admin.example.com?a=1#", "www#", "www?", "user@www", "www\\admin", "a,b", "a:b",
            "a:80:80", "a:65536", "[::1", "[::1]a", "[1.2.3.4]", "[x]", "%61dmin.example.com", "a..b", ".a", ".", ":80",
            "a;b", "a=b", "a/b", "a\"b", "<a>", "\u{e9}.test", "",
        ]
    )
    func refused(_ host: String) async throws {
        let upstream = try TestUpstream { _ in .text("reached") }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            let lines = ["POST /zz HTTP/1.1", "Host: \(host)", "Content-Length: 0", "", ""]
            let response = try await gateway.send(lines.joined(separator: "\r\n")).first
            #expect(response?.status == 400)
            #expect(response?["connection"] == "close")
            // In an absolute target the slash begins the path.
            if !host.contains("/") {
                let absolute = ["POST http://\(host)/zz HTTP/1.1", "Host: a", "Content-Length: 0", "", ""]
                #expect(try await gateway.send(absolute.joined(separator: "\r\n")).first?.status != 200)
            }
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test(
        "Spellings of one host are one host, for rules and for the upstream",
        arguments: [
            "www.example.com", "WWW.Example.COM", "www.example.com.", "www.example.com:", "www.example.com:80",
            "www.example.com:080", "WWW.example.com.:80",
        ]
    )
    func spelled(_ host: String) async throws {
        let upstream = try TestUpstream { _ in .text("reached") }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            for form in ["GET /x HTTP/1.1\r\nHost: \(host)", "GET HTTP://\(host)/x HTTP/1.1\r\nHost: a"] {
                let response = try await gateway.send(form + "\r\n\r\n").first
                #expect(response?.status == 410, "\(form)")
            }
            _ = try await gateway.send("GET /y HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            let request = try #require(upstream.requests.last)
            #expect(request["host"] == "www.example.com")
            #expect(request["x-forwarded-host"] == "www.example.com")
        }
    }

    @Test(
        "An absolute target names the host, and the Host header is not passed on",
        arguments: [nil, GatewayOptions.UpstreamHost.client, .upstream]
    )
    func absolute(_ sent: GatewayOptions.UpstreamHost?) async throws {
        let upstream = try TestUpstream { .text($0.line) }
        let rules = [
            "rules.conf": """
            server { server_name www.example.com; location /p { proxy_pass http://127.0.0.1:\(upstream.port); } }
            server { server_name admin.example.com; return 403; }
            """
        ]
        let options = RunningGateway.Change {
            $0.upstream = UpstreamAddress(upstream.url)
            $0.upstreamHost = sent
        }
        try await RunningGateway.with(rules, options: options) { gateway in
            for path in ["/p?x=http://b/", "/other", ""] {
                let text = "GET http://www.example.com\(path) HTTP/1.1\r\nHost: admin.example.com\r\n\r\n"
                let response = try await gateway.send(text).first
                #expect(response?.text == "GET \(path.isEmpty ? "/" : path) HTTP/1.1")
                let request = try #require(upstream.requests.last)
                #expect(request["x-forwarded-host"] == "www.example.com")
                let hosts = request.headers.filter { $0.name.lowercased() == "host" }.map(\.value)
                #expect(hosts == ["www.example.com"] || hosts == ["127.0.0.1:\(upstream.port)"], "\(hosts)")
            }
        }
    }

    @Test(
        "Absolute targets of other schemes are refused",
        arguments: ["ftp://www.example.com/x", "foo://www.example.com/x", "httpss://www.example.com/x", "://a/x"]
    )
    func otherSchemes(_ target: String) async throws {
        let upstream = try TestUpstream { _ in .text("reached") }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            let response = try await gateway.send("GET \(target) HTTP/1.1\r\nHost: www.example.com\r\n\r\n").first
            #expect(response?.status == 400)
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test("A URL of rules without a host that can be asked is an error, not a guess")
    func madeHosts() async throws {
        let upstream = try TestUpstream { _ in .text("reached") }
        let rules = ["rules.conf": "server { location / { proxy_pass http://$arg_to; } }"]
        try await RunningGateway.with(rules, options: .upstream(upstream)) { gateway in
            for made in ["u@127.0.0.1:\(upstream.port)", "127.0.0.1:\(upstream.port)%23", "a,b", "127.0.0.1:x", ""] {
                let response = try await gateway.get("/?to=\(made)")
                #expect(response.status == 500, "\(made)")
            }
            #expect(upstream.requests.isEmpty)
            #expect(try await gateway.get("/?to=127.0.0.1:\(upstream.port)").text == "reached")
        }
    }
}
#endif
