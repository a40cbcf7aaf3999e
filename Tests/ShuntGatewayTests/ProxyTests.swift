#if Gateway
import Shunt
import ShuntGateway
import Testing

/// Requests that the gateway forwards.
@Suite(.serialized) struct ProxyTests {
    static let rules = [
        "rules.conf": """
        server {
            listen 80;
            add_header X-Usual u;
            rewrite ^/old/(.*)$ /new/$1 last;
            location /fixed { return 200 fixed; }
        }
        """
    ]

    @Test func forwardsWhatRulesLeave() async throws {
        let upstream = try TestUpstream {
            .text("\($0.line)", headers: ["X-From: upstream", "Connection: X-Gone", "X-Gone: 1"])
        }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            let response = try await gateway.get("/old/a%20b?c=d", headers: ["X-Test: 1"])
            #expect(response.status == 200)
            #expect(response.text == "GET /new/a%20b?c=d HTTP/1.1")
            #expect(response["x-from"] == "upstream")
            #expect(response["x-usual"] == "u")
            #expect(response["x-gone"] == nil)
            let request = try #require(upstream.requests.last)
            #expect(request["host"] == "a.test")
            #expect(request["x-test"] == "1")
            #expect(request["x-forwarded-for"] == "127.0.0.1")
            #expect(request["x-forwarded-proto"] == "http")
            #expect(request["x-forwarded-host"] == "a.test")
            #expect(request["connection"] == nil)
            #expect(try await gateway.get("/fixed").text == "fixed")
            #expect(upstream.requests.count == 1)
        }
    }

    @Test(
        "Untouched targets reach the upstream as they came",
        arguments: ["/a%2Fb//c?x=%zz", "/%E4%BD?y", "/a;b=1,c", "/a|b{c}?[d]=^"]
    )
    func untouched(_ target: String) async throws {
        let upstream = try TestUpstream { .text($0.line) }
        let rules = ["rules.conf": "server { }"]
        try await RunningGateway.with(rules, options: .upstream(upstream)) { gateway in
            let response = try await gateway.get(target)
            #expect(response.text == "GET \(target) HTTP/1.1")
        }
    }

    @Test func removesHopByHopHeaders() async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            let response = try await gateway.send(
                """
                GET /x HTTP/1.1\r
                Host: a.test\r
                Connection: close, X-Private\r
                X-Private: secret\r
                Keep-Alive: 5\r
                TE: trailers\r
                Upgrade: h2c\r
                Proxy-Authorization: Basic eDp5\r
                X-Forwarded-For: 6.6.6.6\r
                X-Forwarded-Proto: https\r
                X-Kept: yes\r
                \r

                """
            )
            #expect(response.first?.status == 200)
            let request = try #require(upstream.requests.first)
            for name in ["x-private", "keep-alive", "te", "upgrade", "proxy-authorization", "connection"] {
                #expect(request[name] == nil, "\(name)")
            }
            #expect(request["x-kept"] == "yes")
            #expect(request["x-forwarded-for"] == "127.0.0.1")
            #expect(request["x-forwarded-proto"] == "http")
        }
    }

    @Test func believesForwardedHeadersWhenTold() async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        let headers = ["X-Forwarded-For: 6.6.6.6", "X-Forwarded-Proto: https", "X-Forwarded-Host: shop.test"]
        try await RunningGateway.with(
            Self.rules,
            options: RunningGateway.Change {
                $0.upstream = UpstreamAddress(upstream.url)
                $0.trustedProxies.headers = [.proto, .host]
                _ = $0.trustedProxies.trust("127.0.0.0/8")
                $0.upstreamHost = .upstream
            }
        ) { gateway in
            _ = try await gateway.get("/x", headers: headers)
            let request = try #require(upstream.requests.first)
            #expect(request["x-forwarded-for"] == "6.6.6.6, 127.0.0.1")
            #expect(request["x-forwarded-proto"] == "https")
            #expect(request["x-forwarded-host"] == "shop.test")
            #expect(request["host"] == "127.0.0.1:\(upstream.port)")
        }
    }

    @Test("The list of addresses stays where the rules take the client from a header")
    func keepsAddressesOfTrustedProxies() async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        func rules(_ address: String) -> String {
            "server { set_real_ip_from \(address); real_ip_header X-R; location / { proxy_pass \(upstream.url); } }"
        }
        for (address, expected) in [("127.0.0.1", "6.6.6.6, 127.0.0.1"), ("192.0.2.0/24", "127.0.0.1")] {
            try await RunningGateway.with(["rules.conf": rules(address)]) { gateway in
                _ = try await gateway.get("/x", headers: ["X-R: 6.6.6.6", "X-Forwarded-For: 6.6.6.6"])
            }
            #expect(upstream.requests.last?["x-forwarded-for"] == expected)
        }
    }

    @Test func goesWhereRulesSay() async throws {
        let named = try TestUpstream { .text("named \($0.line) \($0["host"] ?? "")") }
        let general = try TestUpstream { .text("general \($0.line)") }
        let rules = ["rules.conf": "server { location /api/ { proxy_pass http://127.0.0.1:\(named.port)/v1/; } }"]
        try await RunningGateway.with(rules, options: .upstream(general)) { gateway in
            let api = try await gateway.get("/api/x?y=1")
            #expect(api.text == "named GET /v1/x?y=1 HTTP/1.1 127.0.0.1:\(named.port)")
            #expect(try await gateway.get("/other").text == "general GET /other HTTP/1.1")
        }
    }

    @Test func streamsBodiesBothWays() async throws {
        let upstream = try TestUpstream { request in
            let text = String(decoding: request.body, as: UTF8.self)
            let chunk = String(text.utf8.count, radix: 16)
            return .init(parts: [
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "\(chunk)\r\n\(text)\r\n", "0\r\n\r\n",
            ])
        }
        let body = String(repeating: "0123456789abcdef", count: 30_000)
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            let known = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
            let size = String(body.utf8.count, radix: 16)
            let chunked =
                "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n\(body)\r\n0\r\n\r\n"
            let responses = try await gateway.send(known + chunked, responses: 2)
            #expect(responses.count == 2)
            for response in responses {
                #expect(response.status == 200)
                #expect(response.text == body)
                #expect(response["transfer-encoding"] == "chunked")
            }
            // As nginx does, the gateway announces the length of chunks that are all there.
            #expect(upstream.requests.map { $0["content-length"] } == ["\(body.utf8.count)", "\(body.utf8.count)"])
            let old = try await gateway.send("POST /x HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello")
            #expect(old.first?.text == "hello")
            #expect(old.first?["transfer-encoding"] == nil)
        }
    }

    @Test func continuesWhenAsked() async throws {
        let upstream = try TestUpstream { .text(String(decoding: $0.body, as: UTF8.self)) }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            let port = gateway.port
            try await Blocking.run {
                var connection = try TestConnection(port: port)
                try connection.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
                #expect(try connection.response()?.status == 100)
                try connection.send("hi")
                #expect(try connection.response()?.text == "hi")
            }
            #expect(upstream.requests.first?["expect"] == nil)
        }
    }

    @Test func answersHeadAndBodilessStatuses() async throws {
        let upstream = try TestUpstream { request in
            request.line.hasPrefix("HEAD")
                ? .init(parts: ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"])
                : .init(parts: ["HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n"])
        }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            let port = gateway.port
            try await Blocking.run {
                var connection = try TestConnection(port: port)
                try connection.send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try connection.response(isHead: true)?["content-length"] == "5")
                try connection.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                let response = try connection.response()
                #expect(response?.status == 304)
                #expect(response?["transfer-encoding"] == nil)
                try connection.send("GET /fixed HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try connection.response()?.text == "fixed")
            }
        }
    }

    @Test func reportsUpstreamsThatFail() async throws {
        let silent = try TestUpstream { _ in .init(parts: [], closes: false) }
        let closing = try TestUpstream { _ in .init(parts: [], closes: true) }
        let breaking = try TestUpstream { _ in
            .init(parts: ["HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"], closes: true)
        }
        let rules = [
            "rules.conf": """
            server {
                location /refused { proxy_pass http://127.0.0.1:1; }
                location /silent { proxy_pass http://127.0.0.1:\(silent.port); }
                location /closing { proxy_pass http://127.0.0.1:\(closing.port); }
                location /breaking { proxy_pass http://127.0.0.1:\(breaking.port); }
            }
            """
        ]
        try await RunningGateway.with(rules, options: RunningGateway.Change { $0.upstreamTimeout = 1 }) { gateway in
            #expect(try await gateway.get("/refused").status == 502)
            #expect(try await gateway.get("/silent").status == 504)
            #expect(try await gateway.get("/closing").status == 502)
            await #expect(throws: TestProblem.self) { try await gateway.get("/breaking") }
            let metrics = try await gateway.get("/metrics", from: gateway.adminPort).text
            #expect(metrics.contains("shunt_upstream_timeouts_total 1\n"))
            #expect(metrics.contains("shunt_upstream_failures_total 3\n"))
        }
    }

    @Test func asksAgainWhenAnIdleConnectionIsLost() async throws {
        // Each connection serves one request and is closed without a word.
        let upstream = try TestUpstream { _ in
            .init(parts: ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"], closes: true)
        }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            let requests = String(repeating: "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", count: 50)
            let responses = try await gateway.send(requests, responses: 50)
            #expect(responses.allSatisfy { $0.status == 200 }, "\(gateway.messages.all)")
        }
    }

    @Test("Thousands of requests sent ahead are answered one after the other")
    func takesManyPipelinedRequests() async throws {
        let upstream = try TestUpstream { _ in .text("first") }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            let ahead = String(repeating: "GET /fixed HTTP/1.1\r\nHost:a\r\n\r\n", count: 5_000)
            let responses = try await gateway.send("GET /x HTTP/1.1\r\nHost:a\r\n\r\n" + ahead, responses: 5_001)
            #expect(responses.first?.text == "first")
            #expect(responses.dropFirst().count { $0.text == "fixed" } == 5_000)
        }
    }

    @Test func refusesLongBodies() async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        try await RunningGateway.with(
            Self.rules,
            options: RunningGateway.Change {
                $0.upstream = UpstreamAddress(upstream.url)
                $0.maximumBodyBytes = 10
            }
        ) { gateway in
            let known = try await gateway.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n")
            #expect(known.first?.status == 413)
            let chunked =
                "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n0123456789a\r\n0\r\n\r\n"
            let long = try await gateway.send(chunked)
            #expect(long.first?.status == 413)
        }
    }
}
#endif
