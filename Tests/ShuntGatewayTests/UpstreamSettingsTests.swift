#if Gateway
import Glibc
import NginxOracle
import Shunt
import ShuntGateway
import Testing

/// Settings of locations for passing requests on, as nginx reads them.
@Suite(.serialized) struct UpstreamSettingsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var directives: String
        var behaviours: [BalancedServers.Behaviour]
        var methods: [String]

        var testDescription: String { "\(directives) \(behaviours) \(methods)" }

        init(_ directives: String, _ behaviours: [BalancedServers.Behaviour], _ methods: [String]) {
            self.directives = directives
            self.behaviours = behaviours
            self.methods = methods
        }
    }

    static let gets: [String] = ["GET", "GET", "GET"]

    static let cases: [Case] = [
        Case("proxy_next_upstream off;", [.breakOff, .answer], gets),
        Case("proxy_next_upstream timeout;", [.breakOff, .answer], gets),
        Case("proxy_next_upstream error;", [.nonsense, .answer], gets),
        Case("proxy_next_upstream error invalid_header;", [.nonsense, .answer], gets),
        Case("proxy_next_upstream error timeout;", [.status(503), .answer], gets),
        Case("proxy_next_upstream http_503;", [.status(503), .answer], gets),
        Case("proxy_next_upstream http_503;", [.status(503), .status(503)], gets),
        Case("proxy_next_upstream http_500 http_502 http_504;", [.status(500), .status(502), .status(504)], gets),
        Case("proxy_next_upstream http_403 http_404;", [.status(404), .status(403), .answer], gets),
        Case("proxy_next_upstream http_429;", [.status(429), .answer], gets),
        Case("proxy_next_upstream http_404;", [.status(404)], gets),
        Case("proxy_next_upstream http_503;", [.status(503), .answer], ["POST", "POST", "PUT"]),
        Case("proxy_next_upstream http_503 non_idempotent;", [.status(503), .answer], ["POST", "GET", "POST"]),
        Case("proxy_next_upstream error non_idempotent;", [.breakOff, .answer], ["POST", "GET", "POST"]),
        Case("proxy_method POST;", [.breakOff, .answer], gets),
        Case("proxy_method GET;", [.breakOff, .answer], ["POST", "POST", "POST"]),
        Case("proxy_next_upstream_tries 2;", [.breakOff, .breakOff, .answer], gets),
        Case("proxy_next_upstream_tries 1;", [.breakOff, .answer], gets),
        Case("proxy_read_timeout 1s;", [.silence, .answer], gets),
        Case("proxy_read_timeout 1s; proxy_next_upstream error;", [.silence, .answer], gets),
        Case(
            "proxy_read_timeout 2s; proxy_next_upstream_timeout 1s;",
            [.silence, .answer],
            gets
        ),
    ]

    @Test("The next server is asked where nginx asks it", arguments: cases)
    func nextServer(_ example: Case) async throws {
        let servers = try BalancedServers(example.behaviours)
        let list = example.behaviours.indices.map { "server {\($0)};" }.joined(separator: " ")
        let rules = """
            upstream shop { \(servers.filled(list)) }
            server { listen 80; location / { proxy_pass http://shop; \(example.directives) } }
            """
        try await servers.expectAsNginx(rules, example.methods)
    }

    static let hiding: [String] = [
        "", "proxy_hide_header X-One;", "proxy_hide_header x-one; proxy_hide_header Content-Type;",
        "proxy_pass_header Server;", "proxy_pass_header X-Accel-Buffering; proxy_hide_header X-Two;",
    ]

    @Test("Clients get the headers that nginx lets through", arguments: hiding)
    func hides(_ directives: String) async throws {
        let sent = ["X-One: 1", "X-Two: 2", "Content-Type: text/x", "Server: up", "X-Pad: p", "X-Accel-Buffering: no"]
        let upstream = try TestUpstream { _ in .text("ok", headers: sent) }
        let rules = """
            server {
                listen 80;
                proxy_hide_header X-Two;
                location / { proxy_pass \(upstream.url); \(directives) }
            }
            """
        @Sendable func relevant(_ response: TestResponse?) -> [String] {
            let names = ["x-one", "x-two", "content-type", "x-pad", "x-accel-buffering"]
            // nginx writes its own where the upstream's is hidden.
            let server = response?["server"] == "up" ? ["server"] : []
            return names.filter { response?[$0] != nil } + server
        }
        var mine: [String]?
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let response = try await gateway.get("/")
            #expect(response["date"] != nil)
            mine = relevant(response)
        }
        guard NginxProcess.executable != nil else { return }
        let expected = try await Blocking.run {
            try RealNginx.with(rules) { port in
                var connection = try TestConnection(port: port)
                try connection.send("GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n")
                return relevant(try connection.response())
            }
        }
        #expect(mine == expected)
    }

    @Test(
        "Bodies are as long as a location lets them be",
        arguments: [
            ("/inherits", 11, 413), ("/inherits", 10, 200), ("/more", 1_024, 200), ("/more", 1_025, 413),
            ("/any", 5_000, 200),
        ]
    )
    func bodies(_ target: String, _ length: Int, _ status: Int) async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        let rules = """
            server {
                listen 80;
                client_max_body_size 10;
                location / { proxy_pass \(upstream.url); }
                location /more { client_max_body_size 1k; proxy_pass \(upstream.url); }
                location /any { client_max_body_size 0; proxy_pass \(upstream.url); }
            }
            """
        let body = String(repeating: "b", count: length)
        let request = "POST \(target) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(body)"
        let chunks =
            "POST \(target) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(String(length, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
        try await RunningGateway.with(
            ["rules.conf": rules],
            options: RunningGateway.Change { $0.maximumBodyBytes = 20 }
        ) {
            gateway in
            for text in [request, chunks] {
                let response = try await gateway.send(text).first
                #expect(response?.status == status)
            }
        }
        guard NginxProcess.executable != nil else { return }
        let expected = try await Blocking.run {
            try RealNginx.with(rules) { port in
                var connection = try TestConnection(port: port)
                try connection.send(request)
                return try connection.response()?.status
            }
        }
        #expect(expected == status)
    }

    @Test("A silent upstream is left within 5 % of the time it has, one that trickles is not")
    func readTimeout() async throws {
        let upstream = try ScriptedUpstream { connection in
            guard let head = connection.head() else { return }
            guard head.contains("/slow") else {
                _ = connection.receive()
                return
            }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n")
            for letter in "trickled" {
                // Longer together than the time, each shorter.
                Pause.milliseconds(100)
                connection.send(String(letter))
            }
        }
        let rules = "server { location / { proxy_pass \(upstream.url); proxy_read_timeout 500ms; } }"
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let clock = ContinuousClock()
            let start = clock.now
            let silent = try await gateway.get("/silent")
            let duration = clock.now - start
            #expect(silent.status == 504)
            #expect(duration >= .milliseconds(495))
            let slow = try await gateway.get("/slow")
            #expect(slow.text == "trickled")
        }
    }

    @Test(
        "A declared length of any size is held against client_max_body_size",
        arguments: [
            ("10", 200), ("11", 413), ("999999999", 413), ("1000000000", 413), ("10000000000", 413),
            ("9223372036854775807", 413), ("99999999999999999999", 400),
        ],
        ["/", "/large"]
    )
    func declaredLengths(length: (text: String, status: Int), target: String) async throws {
        let rules = """
            server {
                listen 80;
                location / { client_max_body_size 10; return 200; }
                location /large { client_max_body_size 10000000001; return 200; }
            }
            """
        let isAllowed = length.status == 413 && target == "/large" && length.text.count < 19
        let expected = isAllowed ? 200 : length.status
        let head = "POST \(target) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length.text)\r\n\r\n"
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let response = try await gateway.send(head).first
            #expect(response?.status == expected)
        }
        guard NginxProcess.executable != nil else { return }
        let status = try await Blocking.run {
            try RealNginx.with(rules) { port in
                var connection = try TestConnection(port: port)
                try connection.send(head)
                return try connection.response()?.status
            }
        }
        #expect(status == expected)
    }

    @Test("Invalid times, sizes and conditions are errors with their place")
    func wrong() throws {
        let wrong = [
            "proxy_connect_timeout 5x;", "proxy_read_timeout -1;", "proxy_next_upstream errors;",
            "proxy_next_upstream_tries many;", "client_max_body_size 1t;", "proxy_send_timeout 1ms1s;",
        ]
        for directive in wrong {
            #expect(throws: RuleSetError.self, "\(directive)") {
                try RuleSet(text: "server { location / { proxy_pass http://127.0.0.1:1; \(directive) } }")
            }
        }
        for directive in [
            "proxy_connect_timeout 1m30s500ms;", "proxy_read_timeout 5;", "client_max_body_size 2G;",
            "client_max_body_size 20000000000;",
        ] {
            _ = try RuleSet(text: "server { location / { proxy_pass http://127.0.0.1:1; \(directive) } }")
        }
    }
}

/// A time in which a test's upstream does nothing, because that is what is tested.
enum Pause {
    static func milliseconds(_ count: UInt32) { usleep(count * 1_000) }
}
#endif
