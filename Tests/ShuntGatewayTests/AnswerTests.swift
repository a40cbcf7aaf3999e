#if Gateway
import Shunt
import ShuntGateway
import TestFolder
import Testing

/// Answers of the gateway itself.
@Suite(.serialized) struct AnswerTests {
    static let rules = [
        "10-url.conf": """
        block ~ /blocked 410;
        degrade ~ /native https://m.example.com/x;
        route GET /item/:id item;
        """,
        "20-server.conf": """
        server {
            listen 80;
            absolute_redirect off;
            add_header X-Usual u;
            add_header X-Always a always;
            location = /text { default_type text/x-test; return 200 "hello $arg_name"; }
            location = /close { return 444; }
            location = /gone { return 410; }
            location = /empty { return 204; }
            location = /go { return 301 /new?x=1; }
            location = /proto { return 200 "$server_protocol $request_method $http_x_case"; }
            location = /raw { return 200 "$request_uri"; }
            location /see { return 200 "$request_uri|$uri"; }
            location = /loop { rewrite ^ /loop; }
            rewrite ^/thing/(.*)$ /item/$1 last;
        }
        """,
    ]

    @Test func answersAtOnce() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let text = try await gateway.get("/text?name=you")
            #expect(text.status == 200)
            #expect(text.text == "hello you")
            #expect(text["content-type"] == "text/x-test")
            #expect(text["x-usual"] == "u")
            #expect(text["date"]?.hasSuffix("GMT") == true)
            #expect(text["connection"] == "close")

            let redirect = try await gateway.get("/go")
            #expect(redirect.status == 301)
            #expect(redirect["location"] == "/new?x=1")

            let gone = try await gateway.get("/gone")
            #expect(gone.status == 410)
            #expect(gone["x-usual"] == nil)
            #expect(gone["x-always"] == "a")
            #expect(gone.text == "410 Gone\n")
            #expect(gone["content-type"] == "text/plain; charset=utf-8")

            #expect(try await gateway.get("/blocked").status == 410)
            let degraded = try await gateway.get("/native")
            #expect(degraded.status == 302)
            #expect(degraded["location"] == "https://m.example.com/x")
            let empty = try await gateway.get("/empty")
            #expect(empty.status == 204)
            #expect(empty["content-length"] == nil)
            let loop = try await gateway.get("/loop")
            #expect(loop.status == 500)
            #expect(loop.text.contains("cycle"))
        }
    }

    @Test func answersWithTheRoute() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let match = try await gateway.get("/thing/7")
            #expect(match.status == 200)
            #expect(match["content-type"] == "application/json")
            #expect(match.text.contains(#""route":"item","parameters":{"id":"7"}"#))
            let miss = try await gateway.get("/unknown")
            #expect(miss.status == 404)
            #expect(miss.text == #"{"error":"no route matches, and there is no upstream"}"# + "\n")
        }
    }

    @Test("A client without a route sees neither the place of a rule nor the URL that rules made")
    func hidesTheRules() async throws {
        let rules = """
            server {
                listen 80;
                rewrite ^/secret/(.*)$ /index.php?key=internal-$1 last;
                location ~ \\.php$ { fastcgi_pass 127.0.0.1:9; }
            }
            """
        let accepting = RunningGateway.Change { $0.acceptedDirectives = ["fastcgi_pass"] }
        try await RunningGateway.with(["rules.conf": rules], options: accepting) { gateway in
            for method in ["GET", "PUT", "DELETE"] {
                let answer = try await gateway.send("\(method) /secret/x HTTP/1.1\r\nHost: a.test\r\n\r\n").first
                #expect(answer?.status == 404)
                #expect(answer?.text == #"{"error":"no route matches, and there is no upstream"}"# + "\n")
            }
        }
    }

    @Test func closesWithoutAnAnswer() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let responses = try await gateway.send("GET /close HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(responses.isEmpty)
        }
    }

    @Test func keepsConnections() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let port = gateway.port
            try await Blocking.run {
                var connection = try TestConnection(port: port)
                for number in 0..<50 {
                    try connection.send("GET /text?name=\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                    let response = try #require(try connection.response())
                    #expect(response.text == "hello \(number)")
                    #expect(response["connection"] == nil)
                }
                try connection.send("HEAD /text?name=x HTTP/1.1\r\nHost: a\r\n\r\n")
                // As nginx: what GET would get, but for the body.
                let head = try #require(try connection.response(isHead: true))
                #expect(head.status == 200)
                #expect(head["content-length"] == "7")
                #expect(head["content-type"] == "text/x-test")
                try connection.send("POST /text?name=p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
                #expect(try connection.response()?.text == "hello p")
                try connection.send("GET /text?name=end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(try connection.response()?.text == "hello end")
                #expect(try connection.isAtEnd())
            }
        }
    }

    @Test func answersPipelinedRequestsInOrder() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let bytes = (0..<20).map { "GET /text?name=\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
            let responses = try await gateway.send(bytes, responses: 20)
            #expect(responses.map(\.text) == (0..<20).map { "hello \($0)" })
        }
    }

    @Test func answersNothingAfterTheLastRequest() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let last = "GET /text?name=last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let responses = try await gateway.send(last + last + last, responses: 3)
            #expect(responses.map(\.text) == ["hello last"])
        }
    }

    @Test("A client that asks much and reads late gets everything")
    func answersWhoReadsLate() async throws {
        let body = String(repeating: "0123456789abcdef", count: 2_000)
        try await RunningGateway.with(["a.conf": "server { return 200 \"\(body)\"; }"]) { gateway in
            let requests = String(repeating: "GET / HTTP/1.1\r\nHost:a\r\n\r\n", count: 1_000)
            let responses = try await gateway.send(requests, responses: 1_000)
            #expect(responses.count == 1_000)
            #expect(responses.allSatisfy { $0.body.count == body.utf8.count })
        }
    }

    @Test func followsTheVersionOfHTTP() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let old = try await gateway.send("GET /proto HTTP/1.0\r\n\r\n")
            #expect(old.first?.text == "HTTP/1.0 GET ")
            #expect(old.first?["connection"] == "close")
            let kept = try await gateway.send("GET /proto HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(kept.first?["connection"] == "keep-alive")
            let missing = try await gateway.send("GET /proto HTTP/1.1\r\n\r\n")
            #expect(missing.first?.status == 400)
            let twice = try await gateway.send("GET /proto HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n")
            #expect(twice.first?.status == 400)
            let cased = try await gateway.send("GET /proto HTTP/1.1\r\nhOsT: a\r\nx-CASE: MiXed\r\n\r\n")
            #expect(cased.first?.text == "HTTP/1.1 GET MiXed")
        }
    }

    /// Targets that parsers like to change.
    @Test(
        "The target reaches the rules byte for byte",
        arguments: [
            "/see/a%2Fb", "/see//x", "/see/%E4%BD", "/see/a|b{c}", "/see/?a=%zz", "/see/a\"b<c>",
            "/see/x?y=http://a/b", "/see;p=1", "/see/%41",
        ]
    )
    func rawTargets(_ target: String) async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let response = try await gateway.get(target)
            #expect(response.status == 200)
            #expect(response.text.hasPrefix(target + "|"))
        }
    }

    @Test("An absolute target names its host itself")
    func absoluteTarget() async throws {
        let rules = [
            "a.conf": "server { return 200 other; } server { server_name b.test; return 200 $host$request_uri; }"
        ]
        try await RunningGateway.with(rules) { gateway in
            let response = try await gateway.send("GET http://b.test/x?y HTTP/1.1\r\nHost: a.test\r\n\r\n")
            #expect(response.first?.text == "b.test/x?y")
        }
    }

    /// Bytes that are not HTTP, or whose meaning is unclear.
    @Test(
        arguments: [
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
            "GET /a\u{0} HTTP/1.1\r\nHost: a\r\n\r\n",
            "G\u{1}T / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /../../x HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET x HTTP/1.1\r\nHost: a\r\n\r\n",
            "nonsense\r\n\r\n",
        ]
    )
    func refusesMalformed(_ text: String) async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let responses = try await gateway.send(text)
            #expect(responses.first?.status == 400)
        }
    }

    @Test("Bytes that are not ASCII do not get through as something else", arguments: [[0xff, 0xfe], [0xc3, 0xa9]])
    func refusesOtherBytes(_ other: [UInt8]) async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let bytes = Array("GET /see/".utf8) + other + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            let responses = try await gateway.send(bytes)
            #expect(responses.first?.status == 400)
        }
    }

    @Test func limitsRequests() async throws {
        try await RunningGateway.with(Self.rules, options: RunningGateway.Change { $0.maximumBodyBytes = 1000 }) {
            gateway in
            let long = String(repeating: "a", count: 200_000)
            let target = try await gateway.send("GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(target.first?.status == 414)
            let header = try await gateway.send("GET / HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n")
            #expect(header.first?.status == 431)
            let head = "POST /text HTTP/1.1\r\nHost: a\r\n"
            let body = try await gateway.send(head + "Content-Length: 2000\r\n\r\n" + long.prefix(2000))
            #expect(body.first.map { [200, 413].contains($0.status) } == true)
        }
    }

    @Test func logsEachRequestWithItsRule() async throws {
        let directory = try TestFolder()
        try await RunningGateway.with(
            Self.rules,
            options: RunningGateway.Change { $0.accessLog = directory.path + "/log" }
        ) { gateway in
            _ = try await gateway.get("/go")
            _ = try await gateway.get("/blocked")
            _ = try await gateway.get("/unknown")
            _ = try await gateway.send("GET /close HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        let lines = try directory.text("log").split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        #expect(lines[0].contains(#""target":"/go","protocol":"HTTP/1.1","status":301"#))
        #expect(lines[0].contains(#"20-server.conf:"#))
        #expect(lines[0].contains(#""decision":"redirect""#))
        #expect(lines[1].contains(#"10-url.conf:1:1"#))
        #expect(lines[2].contains(#""status":404"#))
        #expect(!lines[2].contains(#""rule""#))
        #expect(lines[3].contains(#""status":444"#))
    }
}
#endif
