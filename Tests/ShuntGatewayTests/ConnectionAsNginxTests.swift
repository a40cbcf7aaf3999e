#if Gateway
import Glibc
import NIOCore
import NginxOracle
import Shunt
import Testing

@testable import ShuntGateway

/// The fate of a client's connection, and of the requests that it sends ahead: the same as at a real nginx.
@Suite(.serialized) struct ConnectionAsNginxTests {
    private static func rules(_ upstream: TestUpstream) -> String {
        """
        server {
            listen 80;
            add_header X-Always a always;
            add_header X-Usual u;
            location = /own { return 200 own; }
            location = /typed204 { add_header Content-Type text/y; return 204; }
            location = /typed304 { add_header Content-Type text/y; return 304; }
            location = /r400 { return 400; }
            location = /r400text { return 400 text; }
            location = /r403 { return 403; }
            location = /r500 { return 500; }
            location = /r502 { return 502; }
            location = /loop { rewrite ^ /loop; }
            location = /close { keepalive_timeout 0; return 200 x; }
            location = /close-up { keepalive_timeout 0s 5; proxy_pass \(upstream.url); }
            location = /last { keepalive_requests 1; return 200 x; }
            location = /last-up { keepalive_requests 1; proxy_pass \(upstream.url); }
            location = /second { keepalive_requests 2; return 200 x; }
            location = /none { keepalive_requests 0; return 200 x; }
            location = /keep { keepalive_timeout 60s; return 200 x; }
            location = /dead { add_header X-Loc l always; proxy_pass http://127.0.0.1:1; }
            location = /up { proxy_pass \(upstream.url); }
            location = /big { add_header X-Loc l always; client_max_body_size 2; proxy_pass \(upstream.url); }
            location = /line { return 200 "$request"; }
            location = /i413 { error_page 413 /keep; return 413; }
            location = /odd { return 200 "[$http_x_ok]"; }
            location = /paged { client_max_body_size 2; error_page 413 /keep; proxy_pass \(upstream.url); }
        }
        server { listen 80; server_name b.test; error_page 405 =200 /page; location = /page { return 200 page; } }
        """
    }

    /// The answer to a request, and whether one that was sent after it is answered.
    private struct Outcome: Equatable {
        var answers: [String] = []
        var isNextAnswered = false
    }

    private static let next = "GET /own HTTP/1.1\r\nHost: a.test\r\n\r\n"

    private static func ask(_ port: UInt16, _ text: String) throws -> Outcome {
        var connection = try TestConnection(port: port)
        try connection.send(text + next)
        var outcome = Outcome()
        while let response = try connection.response(isHead: text.hasPrefix("HEAD") && outcome.answers.isEmpty) {
            if response.text == "own" {
                outcome.isNextAnswered = true
                break
            }
            let headers = ["X-Always", "X-Usual", "X-Loc"].map { response[$0] ?? "-" }.joined(separator: " ")
            let isTyped = response["Content-Type"]?.contains("text/y") == true
            let text = response.status == 200 ? response.text : ""
            outcome.answers.append("\(response.status) \(headers)\(isTyped ? " typed" : "") \(text)")
        }
        return outcome
    }

    private static func request(_ line: String, _ headers: String = "", body: String = "") -> String {
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        return "\(line) HTTP/1.1\r\nHost: a.test\r\n\(headers)\(length)\r\n\(body)"
    }

    private static let requests: [String] = [
        // Malformed targets and heads.
        request("GET /%zz"), request("GET abc"), request("GET /own", "X Y: 1\r\n"), request("HEAD /own", "X Y: 1\r\n"),
        request("HEAD abc"), request("HEAD /%zz"), "HEAD /a HTTP/1.1\r\n\r\n", request("CONNECT a:80"),
        // Statuses that end a connection, and others.
        request("GET /r400"), request("GET /r400text"), request("GET /r403"), request("GET /r500"),
        request("GET /r502"),
        request("GET /loop"), request("GET /dead"), request("HEAD /r400"),
        // Headers that come twice, and names that are not tokens.
        request("GET /up", "Authorization: a\r\nAuthorization: b\r\n"), request("GET /odd", "X(: 1\r\nX-Ok: y\r\n"),
        request("GET /odd", "X\u{e9}: 1\r\nX-Ok: y\r\n"), request("GET /odd", "X\u{1}: 1\r\nX-Ok: y\r\n"),
        // Upgrades, expectations and bodies.
        request("GET /keep", "Upgrade: websocket\r\nConnection: Upgrade\r\n"),
        request("GET /up", "Upgrade: websocket\r\nConnection: Upgrade\r\n"),
        request("POST /keep", "Expect: 100-continue\r\n", body: "abc"),
        request("POST /up", "Expect: 100-continue\r\n", body: "abc"),
        request("POST /dead", "Expect: 100-continue\r\n", body: "abc"),
        request("POST /keep", "Expect: x\r\n", body: "abc"),
        request("POST /up", "Expect: x\r\n", body: "abc"), request("POST /big", body: "abcdef"),
        request("POST /big", body: "ab"),
        // The time that a connection is kept.
        request("GET /close"), request("GET /close-up"), request("GET /keep"),
        request("GET /last"), request("GET /last-up"), request("GET /second"), request("GET /none"),
        request("GET /keep") + request("GET /second"),
        // Methods and versions; targets with a host.
        request("TRACE /own"), "GET /keep HTTP/1.2\r\nHost: a.test\r\n\r\n", request("GET http://a.test/line"),
        // Expectations without a body, and a status that an `error_page` has taken.
        request("GET /keep", "Expect: 100-continue\r\n"), request("GET /r403", "Expect: 100-continue\r\n"),
        request("GET /keep", "Expect: 100-continue\r\nConnection: close\r\n"), request("GET /i413"),
        request("POST /paged", "Expect: 100-continue\r\n", body: "abcdef"),
        // A page for a method that no server takes, and versions of other protocols.
        "TRACE /a HTTP/1.1\r\nHost: b.test\r\n\r\n", "GET /keep HTTP/2.0\r\nHost: a.test\r\n\r\n",
        "GET /keep HTTP/3\r\n\r\n", "HEAD /%zz HTTP/12.0\r\n\r\n", "GET * HTTP/2.0\r\n\r\n", "GET /keep HTTP/x\r\n\r\n",
        // Types of answers without a body.
        request("GET /typed204"), request("GET /typed304"),
    ]

    @Test(
        "A connection is kept or closed as nginx keeps or closes it, with the same headers of rules",
        .timeLimit(.minutes(10))
    )
    func asNginx() async throws {
        let upstream = try TestUpstream { .text("up \(String(decoding: $0.body, as: UTF8.self))") }
        let rules = Self.rules(upstream)
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let port = gateway.port
            try await Blocking.run {
                try RealNginx.with(rules) { nginx in
                    for request in Self.requests {
                        let expected = try Self.ask(nginx, request)
                        #expect(try Self.ask(port, request) == expected, "\(request)")
                    }
                }
            }
        }
    }

    @Test("An error in the place of a body that the client waits to send ends the connection")
    func unaskedBody() async throws {
        try await RunningGateway.with(["r.conf": "server { return 403; }"]) { gateway in
            let head = "POST / HTTP/1.1\r\nHost: a.test\r\nExpect: 100-continue\r\nContent-Length: 36\r\n\r\n"
            let answers = try await gateway.send(head + Self.next, responses: 2)
            #expect(answers.map(\.status) == [403] && answers.first?["connection"] == "close")
        }
    }

    @Test("After an invalid body nothing of the connection is read")
    func malformedBody() async throws {
        try await RunningGateway.with(["r.conf": "server { return 200 own; }"]) { gateway in
            let head = "POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n"
            let answers = try await gateway.send(head + "-1\r\n\r\n" + Self.next, responses: 2)
            #expect(answers.map(\.text) == ["own"])
        }
    }

    @Test("A later request with a body is answered, whatever was sent before it")
    func laterBody() async throws {
        let upstream = try TestUpstream { request in
            if request.line.contains("/slow") { usleep(50_000) }
            return .text("\(request.line.split(separator: " ")[1]) \(String(decoding: request.body, as: UTF8.self))")
        }
        try await RunningGateway.with(["r.conf": "server { }"], options: .upstream(upstream)) { gateway in
            for first in [Self.request("GET /slow"), Self.request("POST /slow", body: "first")] {
                let second = Self.request("POST /second", body: "second")
                let third =
                    "PUT /third HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nthird\r\n0\r\n\r\n"
                let answers = try await gateway.send(first + second + third, responses: 3)
                #expect(answers.map(\.text).dropFirst() == ["/second second", "/third third"])
            }
        }
    }
}
#endif
