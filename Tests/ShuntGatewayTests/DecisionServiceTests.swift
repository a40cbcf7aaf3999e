#if Gateway
import Foundation
import Shunt
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("A decision service")
struct DecisionServiceTests {
    @Test("A request that continues has its target and its place")
    func accel() async throws {
        try await BesideProxy.with(BesideProxy.rules, .accel) { beside in
            let response = try await beside.service.get("/old/a%20b?x=1")
            #expect(response.status == 200)
            #expect(response["X-Accel-Redirect"] == "@shunt")
            #expect(response["X-Shunt-Action"] == "forward")
            #expect(response["X-Shunt-Target"] == "/new/a%20b?x=1")
            #expect(response["X-Shunt-Host"] == "a.test")
            #expect(response["X-Shunt-Upstream"] == nil)
            #expect(response["X-Shunt-Rule"]?.hasSuffix("rules.conf:9:22") == true)
            #expect(response["X-Shunt-Version"] == "1")
            let named = try await beside.service.get("/named/x")
            #expect(named["X-Shunt-Upstream"] == "http://127.0.0.1:3000")
            #expect(named["X-Shunt-Target"] == "/path/x")
            #expect(named["X-Shunt-Host"] == "127.0.0.1:3000")
        }
    }

    @Test(
        "A target without its first slash, which is a part of the host next to the upstream, is refused",
        arguments: [.accel, .forward] as [DecisionService.Form]
    )
    func withoutSlash(form: DecisionService.Form) async throws {
        let rules = "server { listen 80; rewrite ^/api(.*) $1 break; location / { proxy_pass http://127.0.0.1:3000; } }"
        try await BesideProxy.with(rules, form) { beside in
            #expect(try await beside.service.get("/api/x")["X-Shunt-Target"] == "/x")
            for target in ["/api.evil.test/x", "/api1/x", "/api:80/x", "/api@evil.test/x", "/api%5cx"] {
                let response = try await beside.service.get(target)
                #expect(response.status == 404 && response["X-Shunt-Action"] == "fail", "\(target)")
                #expect(response["X-Shunt-Target"] == nil && response["X-Accel-Redirect"] == nil)
                #expect(response.text == "404 Not Found: a rewrite left a path that does not begin with a slash\n")
            }
        }
    }

    @Test("Answers of rules are passed on unchanged, with their kind")
    func answers() async throws {
        try await BesideProxy.with(BesideProxy.rules, .accel) { beside in
            let moved = try await beside.service.get("/moved?x=7")
            #expect(moved.status == 301)
            #expect(moved["Location"] == "http://a.test/there?x=7")
            #expect(moved["X-Shunt-Action"] == "redirect")
            #expect(moved["X-Accel-Redirect"] == nil)
            let blocked = try await beside.service.get("/blocked")
            #expect(blocked.status == 403)
            #expect(blocked.text == "no")
            #expect(blocked["X-Shunt-Status"] == "403")
            #expect(try await beside.service.get("/gone").status == 410)
            let failing = try await beside.service.get("/failing")
            #expect(failing.status == 500)
            #expect(failing["X-Shunt-Action"] == "fail")
            let closed = try await beside.service.get("/closed")
            #expect(closed["X-Accel-Redirect"] == "@shunt_close")
            #expect(closed["X-Shunt-Target"] == nil)
        }
    }

    @Test("To a proxy without named locations, 444 is 403 and a request continues with 200")
    func forward() async throws {
        try await BesideProxy.with(BesideProxy.rules, .forward) { beside in
            let response = try await beside.service.get("/x")
            #expect(response.status == 200)
            #expect(response["X-Accel-Redirect"] == nil)
            #expect(response["X-Shunt-Target"] == "/x")
            let closed = try await beside.service.get("/closed")
            #expect(closed.status == 403)
            #expect(closed["X-Shunt-Status"] == "444")
            #expect(try await beside.service.get("/told")["X-Shunt-Action"] == "respond")
        }
    }

    private static let telling = """
        server { listen 80; listen 443 ssl; return 200 "$request_method $scheme $host $request_uri $remote_addr"; }
        """
    private static let forms: [(DecisionService.Question, [String], String)] = [
        (
            .request, ["X-Forwarded-Uri: /other", "X-Original-URL: https://o.test/o", "X-Forwarded-Method: PUT"],
            "GET http a.test /asked 127.0.0.1"
        ), (.request, ["X-Forwarded-For: 192.0.2.1, 192.0.2.2"], "GET http a.test /asked 192.0.2.2"),
        (
            .forwarded,
            [
                "X-Forwarded-Uri: /other?x=1", "X-Forwarded-Method: PUT", "X-Forwarded-Host: b.test",
                "X-Forwarded-Proto: https", "X-Forwarded-For: 192.0.2.1", "X-Original-URL: https://o.test/o",
            ], "PUT https b.test /other?x=1 192.0.2.1"
        ), (.forwarded, ["X-Forwarded-Uri: /other"], "GET http a.test /other 127.0.0.1"),
        (
            .original,
            ["X-Original-URL: https://o.test/o?y", "X-Original-Method: POST", "X-Forwarded-Uri: /other"],
            "POST https o.test /o?y 127.0.0.1"
        ), (.original, ["X-Original-URI: /o"], "GET http a.test /o 127.0.0.1"),
        (.original, ["X-Original-URL: http://o.test"], "GET http o.test / 127.0.0.1"),
    ]

    @Test("The question is where the options name it, and headers of other forms are ignored", arguments: forms.indices)
    func questions(_ index: Int) async throws {
        let (question, headers, answer) = Self.forms[index]
        let change = RunningGateway.Change { options in
            BesideProxy.change(.forward, question).apply(&options)
            options.listeners = [Listener("127.0.0.1:0")].compactMap(\.self)
        }
        try await RunningGateway.with(["rules.conf": Self.telling], options: change) { service in
            let response = try await service.get("/asked", headers: headers)
            #expect(response.text == answer)
        }
    }

    private static let unclear: [(DecisionService.Question, [String], Int)] = [
        (.forwarded, [], 400), (.forwarded, ["X-Forwarded-Uri: /a", "X-Forwarded-Uri: /b"], 400),
        (.forwarded, ["X-Forwarded-Uri: /a", "X-Forwarded-Host: a b"], 400), (.original, [], 400),
        (.original, ["X-Original-URL: ftp://a/b"], 400), (.request, ["X-Forwarded-For: somebody"], 400),
    ]

    @Test("A question that is unclear is refused", arguments: unclear.indices)
    func refusals(_ index: Int) async throws {
        let (question, headers, status) = Self.unclear[index]
        try await BesideProxy.with("server { return 200 yes; }", .forward, question) { beside in
            let response = try await beside.service.get("/asked", headers: headers)
            #expect(response.status == status)
            #expect(response.text.contains(":"), "\(response.text)")
        }
    }

    @Test("A peer that is not trusted asks only for itself")
    func untrusted() async throws {
        let rules = ["rules.conf": "server { listen 80; return 200 \"$request_uri $remote_addr $scheme\"; }"]
        let headers = ["X-Forwarded-Uri: /other", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https"]
        try await RunningGateway.with(rules, options: BesideProxy.change(.forward, trusting: nil)) { service in
            let response = try await service.get("/asked", headers: headers)
            #expect(response.text == "/asked 127.0.0.1 http")
        }
        try await RunningGateway.with(rules, options: BesideProxy.change(.forward, .forwarded, trusting: "10.0.0.1")) {
            let response = try await $0.get("/asked", headers: headers)
            #expect(response.status == 403)
            #expect(response.text.contains("--trusted-proxy"))
        }
    }

    @Test("No body is read: a question whose body never comes is answered at once", arguments: ["accel", "observe"])
    func readsNoBody(form: String) async throws {
        let form = try #require(DecisionService.Form(rawValue: form))
        try await BesideProxy.with(BesideProxy.rules, form) { beside in
            for framing in ["Content-Length: 1000000", "Transfer-Encoding: chunked", "Content-Length: 5\r\n\r\nab"] {
                let text = "POST /old/x HTTP/1.1\r\nHost: a.test\r\n\(framing)\r\n\r\n"
                let response = try #require(try await beside.service.send(text).first)
                #expect(response.status == (form == .accel ? 200 : 204))
                // What comes next could be the body of this question.
                #expect(response["Connection"] == "close")
            }
            let kept = "GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n"
            #expect(try await beside.service.send(kept + kept, responses: 2).count == 2)
        }
    }

    @Test("An observer answers 204 whatever the rules decide, and its log has the decision")
    func observes() async throws {
        let change = RunningGateway.Change { options in
            BesideProxy.change(.observe).apply(&options)
            options.accessLog = options.rules + "/decisions"
        }
        try await RunningGateway.with(["rules.conf": BesideProxy.rules], options: change) { service in
            for target in ["/moved", "/gone", "/closed", "/failing", "/old/x"] {
                let response = try await service.get(target)
                #expect(response.status == 204)
                #expect(response["Location"] == nil)
            }
            let twoHosts = "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"
            #expect(try await service.send(twoHosts).first?.status == 204)
            try await Wait.until("the log is written") {
                try service.directory.text("decisions").split(separator: "\n").count == 6
            }
            let lines = try service.directory.text("decisions").split(separator: "\n")
            #expect(lines[0].contains(#""decision":"redirect","decided_status":301"#), "\(lines[0])")
            #expect(lines[1].contains(#""decision":"respond","decided_status":410"#), "\(lines[1])")
            #expect(lines[2].contains(#""decided_status":444"#), "\(lines[2])")
            #expect(lines[3].contains(#""decision":"fail""#), "\(lines[3])")
            #expect(lines[4].contains(#""url":"http://a.test/new/x""#), "\(lines[4])")
            #expect(lines[5].contains(#""refused":"the request has two Host headers""#), "\(lines[5])")
        }
    }

    @Test("The log has the request that was asked about")
    func logsTheQuestion() async throws {
        let change = RunningGateway.Change { options in
            BesideProxy.change(.forward, .forwarded).apply(&options)
            options.accessLog = options.rules + "/decisions"
        }
        try await RunningGateway.with(["rules.conf": BesideProxy.rules], options: change) { service in
            let headers = ["X-Forwarded-Uri: /old/1", "X-Forwarded-Method: PUT", "X-Forwarded-For: 192.0.2.7"]
            _ = try await service.get("/", headers: headers)
            try await Wait.until("the log is written") { try service.directory.text("decisions").contains("\n") }
            let line = try service.directory.text("decisions")
            #expect(line.contains(#""client":"192.0.2.7""#), "\(line)")
            #expect(line.contains(#""method":"PUT","host":"a.test","target":"/old/1""#), "\(line)")
        }
    }

    @Test("A rule that adds one of the headers does not speak for the service")
    func keepsItsHeaders() async throws {
        let rules = "server { listen 80; add_header X-Shunt-Target /evil always; add_header X-Own own; }"
        try await BesideProxy.with(rules, .forward) { beside in
            let response = try await beside.service.get("/x")
            #expect(response["X-Shunt-Target"] == "/x")
            #expect(response["X-Own"] == "own")
        }
    }

    @Test("The program, the documents and the recipes name the same headers", .timeLimit(.minutes(10)))
    func headersAreDocumented() async throws {
        let names = Set(DecisionHeader.allCases.map(\.rawValue))
        let page = try String(
            contentsOf: Recipe.root.appendingPathComponent("docs/beside-a-proxy.md"),
            encoding: .utf8
        )
        let help = try ServedProgram.helping(["decide"])
        #expect(try await help.end() == 0)
        for (place, text) in [("docs", page), ("help", help.output)] {
            let named = Set(text.matches(of: /X-Shunt-[A-Za-z]+/).map { String($0.output) })
            #expect(named == names, "\(place)")
        }
        for folder in ["beside-nginx", "beside-caddy", "beside-haproxy", "beside-traefik", "beside-envoy"] {
            for (name, text) in try Recipe(folder).files {
                let named = text.matches(of: /(?i)x[-_]shunt[-_][a-z]+/).map { $0.output.replacing("_", with: "-") }
                let known = Set(names.map { $0.lowercased() })
                #expect(Set(named.map { $0.lowercased() }).isSubset(of: known), "\(folder)/\(name)")
            }
        }
    }

    @Test(
        "The gates that a decision service does not ask are known by name",
        arguments: [
            ("auth_basic a; auth_basic_user_file f; return 204;", "auth_basic"),
            ("auth_request /a; return 204;", "auth_request"), ("deny all;", ""),
            ("limit_req zone=z; auth_basic a; auth_basic_user_file f;", "auth_basic, limit_req or limit_conn"),
        ]
    )
    func gates(rules: String, names: String) throws {
        let zone = rules.contains("zone=z") ? "limit_req_zone $uri zone=z:1m rate=1r/s;\n" : ""
        let ruleSet = try RuleSet(text: "\(zone)server { location / { \(rules) } location = /a { return 204; } }")
        #expect(ruleSet.gateDirectives.joined(separator: ", ") == names)
    }
}
#endif
