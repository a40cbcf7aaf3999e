import Shunt
import Testing

/// Attacks on rules where Shunt is safer than nginx, or which nginx does not know; the others are in `attacks.cases`.
@Suite struct AttackTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        var rules: String
        /// A URL, or a target and a Host with a space between them.
        var request: String
        /// The decision, and then headers of rules.
        var outcome: String
        var headers: [RuleRequest.Header] = []
        var testDescription: String { "\(request) -> \(outcome)" }
    }

    private static func server(_ text: String) -> String { "server { server_name a.test; \(text) }" }

    /// Control bytes never reach a header, whichever way they came.
    static let splitting: [Attack] = [
        Attack(
            rules: server("return 302 https://b.test$uri;"),
            request: "/%0d%0aX:1 a.test",
            outcome: "302 https://b.test/%0D%0AX:1"
        ),
        Attack(
            rules: server("return 302 https://b.test$document_uri;"),
            request: "/%0a a.test",
            outcome: "302 https://b.test/%0A"
        ),
        Attack(
            rules: server("rewrite ^/([\\s\\S]*)$ https://b.test/$1 redirect;"),
            request: "/%0dX a.test",
            outcome: "302 https://b.test/%0DX"
        ),
        Attack(
            rules: server("location ~ ^/([^/]*)$ { return 302 /to/$1; }"),
            request: "/%0d%0a a.test",
            outcome: "302 http://a.test/to/%0D%0A"
        ),
        Attack(
            rules: server("set $t $uri; return 302 https://b.test$t;"),
            request: "/%0d%0a a.test",
            outcome: "302 https://b.test/%0D%0A"
        ),
        Attack(
            rules: "map $uri $t { default https://b.test$uri; }" + server("return 302 $t;"),
            request: "/%0d a.test",
            outcome: "302 https://b.test/%0D"
        ),
        Attack(
            rules: server("add_header X-Path $uri always; return 204;"),
            request: "/%0d%0aX:1 a.test",
            outcome: "204 X-Path: /%0D%0AX:1"
        ),
        Attack(
            rules: server("error_page 404 https://b.test$uri; return 404;"),
            request: "/%0d%0a a.test",
            outcome: "302 https://b.test/%0D%0A"
        ),
        Attack(
            rules: server("return 302 https://b.test$request_uri;"),
            request: "/%0d%0a a.test",
            outcome: "302 https://b.test/%0d%0a"
        ),
        Attack(
            rules: server("return 302 https://b.test/?q=$http_x;"),
            request: "/ a.test",
            outcome: "400",
            headers: [RuleRequest.Header("X", "a\r\nY: 1")]
        ),
        Attack(
            rules: server("return 302 https://b.test/?q=$cookie_a;"),
            request: "/ a.test",
            outcome: "302 https://b.test/?q=x%7F",
            headers: [RuleRequest.Header("Cookie", "a=x\u{7f}")]
        ),
        Attack(
            rules: "rewrite_url ^kl://x/(.*)$ https://b.test/$1 redirect;",
            request: "kl://x/%0d%0aX:1",
            outcome: "302 https://b.test/%0d%0aX:1"
        ),
    ]

    /// A rule for a host applies, however the host is written.
    static let hosts: [Attack] = {
        let rules = "block host evil.test .low.test [::1] 127.0.0.1 www.*;"
        let blocked = [
            "https://EVIL.test/", "https://evil.test./", "https://evil.test:8443/", "https://user:pw@evil.test/",
            "https://good.test@evil.test/", "https://a.low.test/", "https://[::1]/",
            "https://[0:0:0:0:0:0:0:1]/", "https://[::0001]:443/", "https://[0::1]/", "kl://evil.test/x",
            "//evil.test/",
            "https://127.0.0.1/", "https://www.x.test/", "https://www../", "https://.low.test/",
        ]
        let passed = [
            "https://good.test/?evil.test", "https://good.test/#@evil.test", "https://evil.test.good.test/",
            "https://xevil.test/", "https://[::2]/",
        ]
        let malformed = [
            "https://evil.test\\@good.test/", "https://[::1/", "https:///evil.test/", "https://ev%69l.test/",
        ]
        return blocked.filter { !$0.hasPrefix("//") }.map { Attack(rules: rules, request: $0, outcome: "block 403") }
            + passed.map { Attack(rules: rules, request: $0, outcome: "forward") }
            + malformed.map { Attack(rules: rules + "server { return 200 x; }", request: $0, outcome: "400") }
    }()

    /// A native URL yields only to a URL that a browser opens.
    static let degrading: [Attack] = [
        Attack(rules: "degrade ^~ kl:// $arg_to;", request: "kl://a/?to=javascript:alert(1)", outcome: "500"),
        Attack(rules: "degrade ^~ kl:// $arg_to;", request: "kl://a/?to=data:text/html,x", outcome: "500"),
        Attack(rules: "degrade ^~ kl:// https://m.test$uri;", request: "kl://a/b", outcome: "degrade https://m.test/b"),
        Attack(
            rules: "rename_host a.test b.test; rename_host b.test a.test;",
            request: "https://a.test/",
            outcome: "forward"
        ),
        Attack(rules: "rewrite_url ^(.*)$ $1$1; rewrite_url ^(.*)$ nonsense;", request: "kl://a", outcome: "500"),
    ]

    /// Expressions that would take for ever end.
    static let slow: [Attack] =
        [
            ("^/(a+)+$", String(repeating: "a", count: 30) + "b"),
            ("^/(a|aa)+$", String(repeating: "a", count: 60) + "b"),
            ("^/(\\w+\\s?)*$", String(repeating: "a", count: 40) + "!"),
            ("^/([a-z]+)*\\d$", String(repeating: "z", count: 40)),
        ]
        .map {
            Attack(rules: server("location ~ \($0.0) { return 200 hit; }"), request: "/\($0.1) a.test", outcome: "500")
        } + [
            // A route whose expression reaches its limit is not passed over for the next one.
            Attack(
                rules: "route /:code((?:a|aa)+) code; route /:any any;",
                request: "/" + String(repeating: "a", count: 60) + "b a.test",
                outcome: "500"
            )
        ]

    /// Rules that make a request grow, or go round, end in a failure.
    static let growing: [Attack] = [
        Attack(rules: server("location / { rewrite ^(.*)$ $1x; }"), request: "/ a.test", outcome: "500"),
        Attack(
            rules: server("error_page 404 /x; location / { return 404; } recursive_error_pages on;"),
            request: "/ a.test",
            outcome: "500"
        ),
        Attack(rules: server("location / { try_files /none /self; }"), request: "/ a.test", outcome: "500"),
        Attack(
            rules: server(
                (0..<64).map { "set $v\($0 + 1) $v\($0)$v\($0);" }.reduce("set $v0 $uri;", +) + "return 200 $v64;"
            ),
            request: "/abc a.test",
            outcome: "500"
        ),
        Attack(
            rules: "map $b $a { default $b; } map $a $b { default $a; }" + server("return 200 [$a];"),
            request: "/ a.test",
            outcome: "500"
        ),
        Attack(
            rules: server("return 200 x;"),
            request: "/" + String(repeating: "a", count: 70_000) + " a.test",
            outcome: "414"
        ),
        Attack(
            rules: server("return 200 x;"),
            request: "/" + String(repeating: "../", count: 2_000) + " a.test",
            outcome: "400"
        ),
        Attack(
            rules: server("return 200 x;"),
            request: "/" + String(repeating: "a/../", count: 2_000) + " a.test",
            outcome: "200 x"
        ),
        Attack(
            rules: server("return 200 x;"),
            request: "/ a.test",
            outcome: "400",
            headers: (0..<2_000).map { RuleRequest.Header("X-\($0)", "1") }
        ),
        Attack(
            rules: server("return 200 x;"),
            request: "/ a.test",
            outcome: "400",
            headers: [RuleRequest.Header("X", String(repeating: "a", count: 70_000))]
        ),
        Attack(
            rules: server("return 200 x;"),
            request: "/ a.test",
            outcome: "400",
            headers: [RuleRequest.Header("X Y", "1")]
        ),
    ]

    @Test(arguments: [splitting, hosts, degrading, slow, growing].flatMap { $0 })
    func endsWell(_ attack: Attack) throws {
        let ruleSet = try RuleSet(text: attack.rules)
        var request = RuleRequest(url: attack.request)
        if attack.request.hasPrefix("/") {
            let space = try #require(attack.request.lastIndex(of: " "))
            let host = String(attack.request[space...].dropFirst())
            request = RuleRequest(target: String(attack.request[..<space]), host: host)
        }
        request.headers = attack.headers
        let decision = Engine(ruleSet).decide(request)
        var options = Engine.Options()
        options.isLinear = true
        let reference = Engine(ruleSet, options: options).decide(request)
        #expect(decision.kind == reference.kind && decision.urlBytes == reference.urlBytes)
        for header in decision.headers {
            #expect(!header.valueBytes.contains { $0 < 0x20 || $0 == 0x7f }, "\(header)")
        }
        #expect(Self.text(decision) == attack.outcome)
    }

    private static func text(_ decision: Decision) -> String {
        func string(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }
        let status = "\(decision.status ?? 0)"
        switch decision.kind {
        case .forward: return "forward"
        case .redirect: return "\(status) \(string(decision.urlBytes))"
        case .degrade: return "degrade \(string(decision.urlBytes))"
        case .block: return "block \(status)"
        case .fail: return status
        case .respond:
            let headers = decision.headers.filter { string($0.nameBytes) != "Content-Type" }
            return
                ([status] + (decision.body.map { [string($0)] } ?? []).filter { !$0.isEmpty || status == "200" }
                + headers.map { "\(string($0.nameBytes)): \(string($0.valueBytes))" })
                .joined(separator: " ")
        }
    }
}
