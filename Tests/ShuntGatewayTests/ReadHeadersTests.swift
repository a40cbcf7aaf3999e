#if Gateway
import Shunt
import Testing

@testable import ShuntGateway
@testable import ShuntTools

/// The headers that rules get: all that can make a difference to a decision, and no others.
@Suite struct ReadHeadersTests {
    /// Rules that read a header, and a value of it that changes what they decide.
    static let readers: [(rules: String, name: String, value: String)] = [
        ("location / { return 200 $http_x_case; }", "X-Case", "a"),
        ("if ($http_user_agent ~ bot) { return 403; }", "User-Agent", "a bot"),
        ("if ($cookie_a = 1) { return 403; }", "Cookie", "a=1"),
        ("if ($http_cookie) { return 403; }", "Cookie", "a=1"),
        ("if ($content_length) { return 403; }", "Content-Length", "7"),
        ("if ($content_type) { return 403; }", "Content-Type", "a/b"),
        ("if ($remote_user) { return 403; }", "Authorization", "Basic YTpi"),
        ("valid_referers none b.test; if ($invalid_referer) { return 403; }", "Referer", "http://c.test/"),
        ("set_real_ip_from 127.0.0.1; deny 10.0.0.1;", "X-Real-IP", "10.0.0.1"),
        (
            "set_real_ip_from 127.0.0.1; real_ip_header X-Client; if ($remote_addr = 10.0.0.1) { return 403; }",
            "X-Client", "10.0.0.1"
        ),
        ("if ($in_net) { return 403; }", "X-Forwarded-For", "10.0.0.1"),
        ("if ($by_agent) { return 403; }", "User-Agent", "a bot"),
        ("add_header X-F $proxy_add_x_forwarded_for; return 200;", "X-Forwarded-For", "10.0.0.1"),
        ("underscores_in_headers on; if ($http_x_role) { return 403; }", "X_Role", "a"),
        ("max_headers 2; location / { return 200; }", "X-Any", "a"),
    ]

    static let maps = """
        geo $in_net { proxy 127.0.0.1; default ""; 10.0.0.0/8 yes; }
        map $http_user_agent $by_agent { default ""; ~bot yes; }
        """

    private static func has(_ name: String, _ headers: ReadHeaders) -> Bool { headers.has(Array(name.utf8).span) }

    private static func ruleSet(_ rules: String) throws -> RuleSet {
        try RuleSet(
            text: (rules.contains("$in_net") || rules.contains("$by_agent") ? maps : "") + "server { \(rules) }"
        )
    }

    @Test("A header that rules look at is put before them", arguments: readers.indices)
    func read(_ index: Int) throws {
        let (rules, name, value) = Self.readers[index]
        let ruleSet = try Self.ruleSet(rules)
        let engine = Engine(ruleSet)
        var request = RuleRequest(target: "/", host: "a.test")
        request.headers = [RuleRequest.Header("X-Other", "b")]
        let without = engine.decide(request)
        request.headers.append(RuleRequest.Header(name, value))
        // The rules do read it.
        #expect(engine.decide(request) != without)
        let headers = ReadHeaders(ruleSet)
        #expect(Self.has(name, headers))
        #expect(Self.has(name.lowercased(), headers))
    }

    @Test(
        "The User-Agent is put before lists of agents, wherever they are",
        arguments: [
            "block agents a;", "block agents a; server { return 200; }", "server { allow agents a; return 200; }",
            "match ~ . { block agents a; }",
        ]
    )
    func agents(rules: String) throws {
        let ruleSet = try RuleSet(path: "/r", from: InMemoryFileSystem(["/r/r.conf": rules, "/r/a": "BadBot\n"]))
        #expect(Self.has("User-Agent", ReadHeaders(ruleSet)))
        #expect(RequestReads([ruleSet]).reads(header: Array("user-agent".utf8)))
    }

    @Test("A header that distinguishes two requests for a recording is read, too", arguments: readers.indices)
    func recorded(_ index: Int) throws {
        let (rules, name, _) = Self.readers[index]
        guard !rules.contains("max_headers") else { return }
        let plain = name.replacing("_", with: "-")
        #expect(RequestReads([try Self.ruleSet(rules)]).reads(header: Array(plain.utf8)))
    }

    @Test("Headers that no rule looks at are not")
    func others() throws {
        let ruleSet = try Self.ruleSet("if ($http_user_agent ~ bot) { return 403; } if ($cookie_a) { return 403; }")
        let headers = ReadHeaders(ruleSet)
        for name in ["Accept", "Accept-Language", "Referer", "X-User-Agent", "User-Agen", "Cookies", ""] {
            #expect(!Self.has(name, headers), "\(name)")
        }
    }

    @Test("Headers that only access logs read reach the rules if these write the logs")
    func logged() throws {
        let text = #"log_format a "$content_type $http_x_logged"; server { access_log /tmp/a.log a; }"#
        let ruleSet = try RuleSet(text: text)
        #expect(Self.has("Content-Type", ReadHeaders(ruleSet)))
        #expect(!RequestReads([ruleSet]).reads(header: Array("Content-Type".utf8)))
        // The log takes this one from the request.
        #expect(!Self.has("X-Logged", ReadHeaders(ruleSet)))
    }

    @Test("Without rules, all are")
    func all() { #expect(Self.has("X", ReadHeaders())) }
}
#endif
