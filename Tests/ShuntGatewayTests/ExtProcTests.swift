#if Gateway
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("A decision service for Envoy's ext_proc")
struct ExtProcTests {
    @Test("A request that continues gets its target, its host and the word of Shunt, and its route is chosen again")
    func goesOn() async throws {
        try await BesideProxy.with(BesideProxy.rules, .extProc) { beside in
            let answer = try await EnvoyQuestion("GET /old/a%20b?x=1").ask(beside.service)
            #expect(answer.kind == "requestHeaders")
            #expect(answer[":path"] == "/new/a%20b?x=1")
            #expect(answer[":authority"] == nil)
            #expect(answer.clearsRoute)
            #expect(answer["X-Shunt-Action"] == "forward")
            #expect(answer["X-Shunt-Target"] == "/new/a%20b?x=1")
            #expect(answer["X-Shunt-Host"] == "a.test")
            #expect(answer["X-Shunt-Rule"]?.hasSuffix("rules.conf:9:22") == true)
            #expect(answer["X-Shunt-Version"] == "1")
            #expect(answer["X-Shunt-Upstream"] == nil)
            let named = try await EnvoyQuestion("GET /named/x").ask(beside.service)
            #expect(named[":path"] == "/path/x")
            #expect(named[":authority"] == "127.0.0.1:3000")
            #expect(named["X-Shunt-Upstream"] == "http://127.0.0.1:3000")
            // The upstream sees the host that the rules judged.
            let other = try await EnvoyQuestion("GET /old/x", host: "A.TEST").ask(beside.service)
            #expect(other[":authority"] == "a.test")
        }
    }

    @Test("An answer of rules is an immediate response, and nothing in it is for the proxy")
    func answers() async throws {
        try await BesideProxy.with(BesideProxy.rules, .extProc) { beside in
            let moved = try await EnvoyQuestion("GET /moved?x=7").ask(beside.service)
            #expect(moved.kind == "immediateResponse")
            #expect(moved.status == 301)
            #expect(moved["Location"] == "http://a.test/there?x=7")
            #expect(moved.details?.hasPrefix("shunt ") == true)
            #expect(moved.details?.hasSuffix("rules.conf:3:23") == true, "\(moved.details ?? "nothing")")
            #expect(moved.set.allSatisfy { !$0.name.lowercased().hasPrefix("x-shunt-") })
            let blocked = try await EnvoyQuestion("POST /blocked").ask(beside.service)
            #expect(blocked.status == 403)
            #expect(blocked.body == "no")
            #expect(try await EnvoyQuestion("GET /gone").ask(beside.service).status == 410)
            #expect(try await EnvoyQuestion("GET /failing").ask(beside.service).status == 500)
            #expect(try await EnvoyQuestion("GET /closed").ask(beside.service).status == 403)
            let told = try await EnvoyQuestion("GET /told").ask(beside.service)
            #expect(told.status == 200)
            #expect(told.body == "told")
        }
    }

    @Test("An answer without a body has none, and headers of one name are all there")
    func bodiesAndLists() async throws {
        let rules = """
            server { listen 80;
                add_header Set-Cookie "a=1" always; add_header Set-Cookie "b=2" always;
                add_header Transfer-Encoding chunked always;
                location /none { return 204; } location / { return 403 no; } }
            """
        try await BesideProxy.with(rules, .extProc) { beside in
            let none = try await EnvoyQuestion("GET /none").ask(beside.service)
            #expect(none.status == 204)
            #expect(none.body == "")
            #expect(none["Content-Type"] == nil)
            let blocked = try await EnvoyQuestion("GET /").ask(beside.service)
            let cookies = blocked.set.filter { $0.name == "Set-Cookie" }
            #expect(cookies.map(\.value) == ["a=1", "b=2"])
            #expect(cookies.map(\.isAdded) == [false, true])
            #expect(blocked["Transfer-Encoding"] == nil)
        }
    }

    @Test("The upstream gets the headers of proxy_set_header, but none for the end of a body")
    func setHeaders() async throws {
        let rules = """
            server { listen 80;
                proxy_set_header X-Role reader; proxy_set_header X-Gone ""; proxy_set_header Content-Length 5;
                proxy_set_header Transfer-Encoding chunked; proxy_set_header Connection close;
                proxy_set_header X-Shunt-Target /evil; proxy_set_header Host b.test;
                location / { proxy_pass http://127.0.0.1:3000; } }
            """
        try await BesideProxy.with(rules, .extProc) { beside in
            let headers = [("x-gone", "1"), ("x-role", "admin"), ("transfer-encoding", "chunked")]
            let answer = try await EnvoyQuestion("POST /x", headers).ask(beside.service)
            #expect(answer["X-Role"] == "reader")
            #expect(answer[":authority"] == "b.test")
            #expect(answer["X-Shunt-Target"] == "/x")
            #expect(answer.removed.contains("x-gone"))
            for name in ["X-Gone", "Content-Length", "Transfer-Encoding", "Connection", "Host"] {
                #expect(answer[name] == nil, "\(name)")
            }
        }
    }

    @Test("Headers of a client with the names of Shunt, or that rules do not see, reach no upstream")
    func clientsCannotSetHeaders() async throws {
        let rules = "server { listen 80; rewrite ^ /b?t=x$http_x_shunt_target-$http_x_role break; }"
        try await BesideProxy.with(rules, .extProc) { beside in
            let headers = [
                ("x-shunt-target", "/evil"), ("x-shunt-route", "evil"), ("x-shunt-new", "evil"), ("x_role", "admin"),
                ("x-forwarded-host", "evil.test"), ("forwarded", "host=evil.test"), ("x-kept", "1"),
            ]
            let answer = try await EnvoyQuestion("GET /a", headers).ask(beside.service)
            #expect(answer[":path"] == "/b?t=x-")
            #expect(answer["X-Shunt-Target"] == "/b?t=x-")
            #expect(answer["X-Shunt-Host"] == "a.test")
            #expect(Set(answer.removed).isSuperset(of: ["x-shunt-route", "x-shunt-new", "x_role"]))
            #expect(Set(answer.removed).isSuperset(of: DecisionHeader.allCases.map { $0.rawValue.lowercased() }))
            #expect(!answer.removed.contains("x-kept"))
        }
    }

    private static let telling = """
        server { listen 80; listen 443 ssl;
            return 200 "$request_method $scheme $host $request_uri $remote_addr $remote_port $http_x_a"; }
        """
    private static let requests: [(EnvoyQuestion, String)] = [
        (EnvoyQuestion("PUT /a?b=%20").from("192.0.2.1:99"), "PUT http a.test /a?b=%20 192.0.2.1 99 "),
        (EnvoyQuestion("GET /", host: "b.test:81").from("[2001:db8::1]:1"), "GET http b.test / 2001:db8::1 1 "),
        (EnvoyQuestion("GET /", scheme: "https").from("/run/socket"), "GET https a.test / unix: 0 "),
        (EnvoyQuestion("GET /", [("x-forwarded-for", "192.0.2.1, 192.0.2.2")]), "GET http a.test / 192.0.2.2 0 "),
        (
            EnvoyQuestion("GET /", [("x-forwarded-for", "192.0.2.1")]).from("192.0.2.9:7"),
            "GET http a.test / 192.0.2.9 7 "
        ),
        // A client of HTTP/2 sends the :scheme, and Envoy the other one.
        (
            EnvoyQuestion("GET /", [("x-forwarded-proto", "http")], scheme: "https").from("192.0.2.1:1"),
            "GET http a.test / 192.0.2.1 1 "
        ),
        (
            EnvoyQuestion("GET /", [("x-forwarded-proto", "https"), ("x-a", "a")]).from("192.0.2.1:1"),
            "GET https a.test / 192.0.2.1 1 a"
        ),
    ]

    @Test("The question has the request and its client", arguments: requests.indices)
    func questions(_ index: Int) async throws {
        let (question, told) = Self.requests[index]
        let change = RunningGateway.Change { options in
            BesideProxy.change(.extProc).apply(&options)
            options.listeners = [Listener("127.0.0.1:0")].compactMap(\.self)
        }
        try await RunningGateway.with(["rules.conf": Self.telling], options: change) { service in
            let answer = try await question.ask(service)
            #expect(answer.body == told)
        }
    }

    @Test("A header may have its value as text, and members may be written in camel case")
    func otherWriters() async throws {
        let text = """
            {"requestHeaders": {"headers": {"headers": [{"key": ":path", "value": "/x"}, {"key": ":method", "value": "GET"},
              {"key": ":scheme", "value": "http"}, {"key": ":authority", "rawValue": "Yi50ZXN0"}, {"key": "x-empty"},
              {"key": "x-none", "value": null}]}}}
            """
        try await BesideProxy.with("server { listen 80; return 200 $host$uri; }", .extProc) { beside in
            let answer = try EnvoyAnswer(try await EnvoyQuestion.post(text, beside.service))
            #expect(answer.body == "b.test/x")
        }
    }

    @Test("Nothing but the headers of a request is changed")
    func otherKinds() async throws {
        let kinds = [
            ("response_headers", "responseHeaders"), ("request_body", "requestBody"), ("response_body", "responseBody"),
            ("request_trailers", "requestTrailers"), ("response_trailers", "responseTrailers"),
        ]
        try await BesideProxy.with("server { listen 80; return 403; }", .extProc) { beside in
            for (asked, answered) in kinds {
                let response = try await EnvoyQuestion.post(#"{"\#(asked)": {}}"#, beside.service)
                #expect(response.status == 200)
                #expect(response.text == #"{"\#(answered)":{}}"#)
            }
        }
    }

    @Test("Questions come one after another on one connection, in pieces")
    func connections() async throws {
        try await BesideProxy.with(BesideProxy.rules, .extProc) { beside in
            let question = Array(
                EnvoyQuestion.request(EnvoyQuestion("POST /old/x", [("content-length", "5")]).json).utf8
            )
            let responses = try await beside.service.send(question + question, responses: 2)
            #expect(responses.count == 2)
            #expect(responses.allSatisfy { $0["Connection"] == nil })
            let port = beside.service.port
            let response = try await Blocking.run {
                var connection = try TestConnection(port: port)
                for start in stride(from: 0, to: question.count, by: 100) {
                    try connection.send(Array(question[start..<min(start + 100, question.count)]))
                }
                return try connection.response()
            }
            #expect(response?.status == 200)
        }
    }

    @Test("A question that takes long is answered in its turn, and later ones after it")
    func slowDecisions() async throws {
        let rules = #"server { listen 80; if ($uri ~ "(a+)+b$") { return 403; } location / { return 200 "$uri"; } }"#
        try await BesideProxy.with(rules, .extProc) { beside in
            let targets = ["/1", SlowDecisionTests.slow, "/2", SlowDecisionTests.endless, "/3"]
            let text = targets.map { EnvoyQuestion.request(EnvoyQuestion("GET \($0)").json) }.joined()
            let answers = try await beside.service.send(text, responses: targets.count).map { try EnvoyAnswer($0) }
            #expect(answers.map(\.status) == [200, 200, 200, 500, 200])
            #expect(answers.map(\.body).first == "/1")
            #expect(answers.dropFirst().first?.body == SlowDecisionTests.slow)
            #expect(answers.last?.body == "/3")
        }
    }

    @Test("An observer changes nothing whatever the rules decide, and its log has the decision")
    func observes() async throws {
        let change = RunningGateway.Change { options in
            BesideProxy.change(.observe, .extProc).apply(&options)
            options.accessLog = options.rules + "/decisions"
        }
        try await RunningGateway.with(["rules.conf": BesideProxy.rules], options: change) { service in
            let questions = [
                EnvoyQuestion("GET /moved").from("192.0.2.7:1").json, EnvoyQuestion("GET /old/x").json,
                EnvoyQuestion("GET /", host: "a b").json, "{",
            ]
            for question in questions {
                let response = try await EnvoyQuestion.post(question, service)
                #expect(response.status == 200)
                #expect(response.text == #"{"requestHeaders":{}}"#)
            }
            try await Wait.until("the log is written") {
                try service.directory.text("decisions").split(separator: "\n").count == 4
            }
            let lines = try service.directory.text("decisions").split(separator: "\n")
            #expect(lines[0].contains(#""client":"192.0.2.7""#), "\(lines[0])")
            #expect(lines[0].contains(#""decision":"redirect","decided_status":301"#), "\(lines[0])")
            #expect(lines[1].contains(#""method":"GET","host":"a.test","target":"/old/x""#), "\(lines[1])")
            #expect(lines[2].contains(#""refused":"the Host is not a host"#), "\(lines[2])")
            #expect(lines[3].contains(#""refused":"the question is not JSON"#), "\(lines[3])")
        }
    }
}
#endif
