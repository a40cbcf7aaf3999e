#if Gateway
import NIOCore
import NIOHTTP1
import Shunt
import Testing

@testable import ShuntGateway

/// Requests that are decided about again after a question, with all that came with them.
@Suite struct LateDecisionTests {
    @Test("A body that came with its head is whole after a question and a slow decision", arguments: [1, 700, 100_000])
    func body(_ length: Int) async throws {
        let upstream = try TestUpstream { request in
            .text(request.line.contains("/auth") ? "" : "\(request.line) \(request.body.count)")
        }
        let rules = """
            server {
                location / {
                    if ($uri ~ "(a+)+b$") { return 403; }
                    auth_request /ask;
                    proxy_pass \(upstream.url);
                }
                location = /ask {
                    internal;
                    proxy_pass \(upstream.url)/auth;
                    proxy_pass_request_body off;
                    proxy_set_header Content-Length "";
                }
            }
            """
        try await RunningGateway.with(["r.conf": rules]) { gateway in
            let body = String(repeating: "b", count: length)
            let text = SlowDecisionTests.request(SlowDecisionTests.slow, body: body, method: "POST")
            let both = text + SlowDecisionTests.request("/next", ["Connection: close"])
            let responses = try await gateway.send(both, responses: 2)
            #expect(responses.map(\.status) == [200, 200])
            #expect(responses.first?.text == "POST \(SlowDecisionTests.slow) HTTP/1.1 \(length)")
            #expect(responses.last?.text == "GET /next HTTP/1.1 0")
        }
    }

    @Test("A part of a body that would be lost ends the request: an upstream would take the next one for it")
    func lostPart() throws {
        let text = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"
        for event in [Exchange.Event.awaitsDecision, .delayed, .decided] {
            var parser = RequestParser(headerLimit: 1_000)
            parser.append(ByteBuffer(string: text))
            guard case .head(let head)? = try parser.next() else { throw CancellationError() }
            var exchange = Exchange(ExchangeAccount(head, time: .init(seconds: 0, nanoseconds: 0), start: .now()))
            var effects = Exchange.Effects()
            exchange.handle(event, at: .now(), &effects)
            #expect(exchange.isUndecided)
            while effects.popFirst() != nil {}
            exchange.handle(.part(ByteBuffer(string: "ab")), at: .now(), &effects)
            #expect(!exchange.isKeptAlive)
            guard case .refuse(let refusal)? = effects.popFirst() else {
                Issue.record("it continues after \(event)")
                continue
            }
            #expect(refusal.status == .internalServerError)
        }
    }

    @Test("A body in chunks has a limit on its way to the upstream of the gateway, too")
    func limitOfChunks() async throws {
        let upstream = try TestUpstream { .text("\($0.body.count)") }
        let rules = "server { client_max_body_size 10; location / { } location /any { client_max_body_size 0; } }"
        try await RunningGateway.with(["r.conf": rules], options: .upstream(upstream)) { (gateway) async throws in
            func answer(_ path: String, _ count: Int) async throws -> String {
                let chunk = String(repeating: "x", count: count)
                let text =
                    "POST \(path) HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "\(String(count, radix: 16))\r\n\(chunk)\r\n0\r\n\r\n"
                let response = try await gateway.send(text).first
                return response.map { "\($0.status) \($0.status == 200 ? $0.text : "")" } ?? ""
            }
            #expect(try await answer("/", 10) == "200 10")
            #expect(try await answer("/", 20) == "413 ")
            #expect(try await answer("/any", 20) == "200 20")
        }
    }

    /// The directives of a location, and of the location to which it is led.
    static let redirects: [(first: String, second: String)] = [
        ("proxy_cookie_flags ~ secure httponly samesite=strict; proxy_cookie_path /app/ /;", "return 200 end;"),
        ("proxy_cookie_path /app/ /;", "proxy_cookie_path / /b/; proxy_pass UP;"),
        ("", "expires 1h; return 200 end;"), ("", "expires off; return 200 end;"), ("", "expires -1; proxy_pass UP;"),
        ("", "expires 1h; return 404;"), ("expires 1h;", "return 200 end;"), ("", "expires epoch; proxy_pass UP/404;"),
    ]

    @Test("Headers that an answer keeps after X-Accel-Redirect are those of nginx", arguments: redirects)
    func kept(first: String, second: String) async throws {
        let upstream = try TestUpstream { request in
            if request.line.contains("/first") {
                let kept = ["Cache-Control: private, no-store", "Expires: Thu, 01 Jan 2099 00:00:00 GMT"]
                let cookie = "Set-Cookie: sid=1; Path=/app/"
                return .text("up", headers: ["X-Accel-Redirect: /second", cookie] + kept)
            }
            let status = request.line.contains("404") ? "404 N" : "200 OK"
            return .text("second", status: status, headers: ["Set-Cookie: b=1; Path=/x"])
        }
        let rules = """
            server {
                listen 80;
                location /first { \(first) proxy_pass \(upstream.url); }
                location /second { internal; \(second.replacing("UP", with: upstream.url)) }
            }
            """
        try await RunningGateway.expectAsNginx(rules) { (port) throws -> [String] in
            var connection = try TestConnection(port: port)
            try connection.send("GET /first HTTP/1.1\r\nHost: a.test\r\n\r\n")
            guard let answer = try connection.response() else { return [] }
            let names = ["set-cookie", "cache-control", "expires"]
            // The clock moves between the two.
            return ["\(answer.status)"]
                + answer.headers.filter { names.contains($0.name.lowercased()) }
                .map { "\($0.name.lowercased()): \($0.value.prefix(24))" }.sorted()
        }
    }

    @Test("A map over the answer has the value of the answer that is sent, whatever an answer to a question added")
    func mapsAfterQuestions() async throws {
        let upstream = try TestUpstream { _ in .text("up", headers: ["X-Kind: css"]) }
        let rules = """
            map $upstream_http_x_kind $csp { default none; css "default-src none"; }
            server {
                listen 80;
                add_header X-CSP $csp always;
                location / { auth_request /ok; proxy_pass \(upstream.url); }
                location = /ok { internal; return 204; }
            }
            """
        try await RunningGateway.expectAsNginx(rules) { (port) throws -> String? in
            var connection = try TestConnection(port: port)
            try connection.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
            return try connection.response()?["x-csp"]
        }
    }
}
#endif
