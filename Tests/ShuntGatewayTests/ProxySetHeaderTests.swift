#if Gateway
import NginxOracle
import Shunt
import Testing

@testable import ShuntGateway

/// `proxy_set_header`, compared with a real nginx with the same rules.
@Suite("The headers that rules set for an upstream")
struct ProxySetHeaderTests {
    /// Rules whose `{upstream}` is a server that notes what it gets, and the headers of a request.
    private static let cases: [(rules: String, headers: [String])] = [
        ("location / { proxy_pass http://{upstream}; proxy_set_header X-One 1; }", []),
        ("location / { proxy_pass http://{upstream}; proxy_set_header Host $host; }", []),
        ("location / { proxy_pass http://{upstream}; proxy_set_header Host $http_host; }", []),
        ("location / { proxy_pass http://{upstream}; proxy_set_header host shop.test:81; }", []),
        (
            """
            location / {
                proxy_pass http://{upstream};
                proxy_set_header X-Real-IP $remote_addr;
                proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                proxy_set_header X-Forwarded-Proto $scheme;
                proxy_set_header X-Host $proxy_host;
                proxy_set_header X-Port $proxy_port;
            }
            """, ["X-Forwarded-For: 6.6.6.6", "X-Forwarded-Proto: gopher", "X-Real-IP: 1.1.1.1"]
        ),
        // An empty value keeps the client's header from being sent.
        (
            "location / { proxy_pass http://{upstream}; proxy_set_header Accept-Encoding \"\"; proxy_set_header X-Empty $arg_none; }",
            ["Accept-Encoding: gzip", "X-Empty: no", "X-Kept: yes"]
        ),
        // A level with any of them has none of the levels around it.
        (
            """
            proxy_set_header X-Server s;
            location / { proxy_pass http://{upstream}; proxy_set_header X-Location l; }
            """, ["X-Server: client"]
        ),
        ("proxy_set_header X-Server s; location / { proxy_pass http://{upstream}; }", ["X-Server: client"]),
        (
            """
            set $name before;
            proxy_set_header X-Name $name-$uri-$args;
            location / { rewrite ^/(.*)$ /new/$1?b=2 break; set $name after; proxy_pass http://{upstream}; }
            """, []
        ),
        (
            """
            location / {
                proxy_pass http://{upstream};
                proxy_set_header X-If outside;
                if ($http_x_want) { proxy_pass http://{upstream}; }
            }
            """, ["X-Want: 1"]
        ),
        (
            """
            location / {
                proxy_pass http://{upstream};
                proxy_set_header Proxy-Authorization $http_authorization;
                proxy_set_header TE trailers;
                proxy_set_header Keep-Alive x;
                proxy_set_header Proxy-Connection y;
                proxy_set_header Trailer z;
            }
            """, ["Authorization: Basic dTpw"]
        ),
        // A name twice is sent twice.
        ("location / { proxy_pass http://{upstream}; proxy_set_header X-Two a; proxy_set_header X-Two b; }", []),
        ("location / { proxy_pass http://{upstream}/base/; proxy_set_header X-Variable $upstream_addr; }", []),
        (
            "location / { set $to {upstream}; proxy_pass http://$to; proxy_set_header X-Host $proxy_host:$proxy_port; }",
            []
        ),
    ]

    /// The headers that an upstream got, but for those of the connection and those that the gateway always adds.
    private static func received(_ request: TestUpstream.Received?, _ rules: String) throws -> [String] {
        guard let request else { throw TestProblem("nothing reached the upstream") }
        let own = ["connection", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"]
        return [request.line.replacing("HTTP/1.0", with: "HTTP/1.1")]
            + request.headers
            .map { (name: $0.name.lowercased(), value: $0.value) }
            .filter { header in
                !own.contains(header.name) || header.name != "connection" && rules.lowercased().contains(header.name)
            }
            .map { "\($0.name): \($0.value)" }
            .sorted()
    }

    @Test("As nginx sends them", arguments: cases.indices)
    func agreesWithNginx(number: Int) async throws {
        let (written, headers) = Self.cases[number]
        let upstream = try TestUpstream { _ in .text("ok") }
        let rules = "server { listen 80; \(written.replacing("{upstream}", with: "127.0.0.1:\(upstream.port)")) }"
        let request = (["GET /a?b=1 HTTP/1.1", "Host: a.test", "Connection: close"] + headers + ["", ""])
            .joined(separator: "\r\n")
        let expected = try await Blocking.run {
            try RealNginx.with(rules) { port in
                var connection = try TestConnection(port: port)
                try connection.send(request)
                _ = try connection.response()
            }
            return try Self.received(upstream.requests.last, written)
        }
        let before = upstream.requests.count
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            _ = try await gateway.send(request)
            #expect(upstream.requests.count == before + 1)
            #expect(try Self.received(upstream.requests.last, written) == expected)
        }
    }

    @Test func whatBelongsToTheConnectionStaysTheGateways() async throws {
        let upstream = try TestUpstream { .text("\($0.body.count)") }
        let rules = """
            server {
                location / {
                    proxy_pass http://127.0.0.1:\(upstream.port);
                    proxy_set_header Connection "upgrade";
                    proxy_set_header Upgrade websocket;
                    proxy_set_header Content-Length 100;
                    proxy_set_header Transfer-Encoding chunked;
                    proxy_set_header X-Line "a\nX-Injected: 1";
                }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let response = try await gateway.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi").first
            #expect(response?.text == "2")
            let request = try #require(upstream.requests.first)
            #expect(request["content-length"] == "2")
            for name in ["upgrade", "transfer-encoding", "x-injected"] { #expect(request[name] == nil) }
            #expect(request["x-line"] == "a%0AX-Injected: 1")
        }
    }

    @Test func aProgramThatEmbedsTheEngineSeesThem() throws {
        let rules =
            "server { location / { proxy_pass http://up; proxy_set_header X-Path $uri; proxy_set_header TE \"\"; } }"
        let decision = Engine(try RuleSet(text: rules)).decide(RuleRequest(target: "/a", host: "a.test"))
        guard case .forward(let forward) = decision.action else { throw TestProblem("not forwarded: \(decision)") }
        #expect(
            forward.upstreamHeaders == [RuleRequest.Header("X-Path", "/a"), RuleRequest.Header("TE", "")]
        )
    }
}
#endif
