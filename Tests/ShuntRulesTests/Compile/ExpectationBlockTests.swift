import ShuntCore
import ShuntRules
import Testing

/// The block of `expect`: the other parts of a test for its request and its outcome.
@Suite("Blocks of expectations")
struct ExpectationBlockTests {
    private static let rules = """
        input $v "0";
        if ($v < 3.2) { degrade ^~ kl://Pay/ https://m.example.com/; }
        route /item/:id item;
        server {
            listen 80;
            listen 8443;
            server_name a.example;
            allow 192.0.2.0/24;
            deny all;
            location = /post { if ($request_method = POST) { return 405; } }
            location = /hello {
                add_header X-Device $http_x_device;
                add_header X-Empty "";
                #: name=greeting
                return 200 "hello";
            }
            location = /port { return 200 $server_port; }
            location = /old { if ($time_iso8601 ~ ^2025) { return 410; } }
            location /files/ { root /www; try_files $uri $uri/ =404; }
            location /item/ { }
        }
        server {
            server_name hops.example;
            rewrite ^/1$ https://hops.example/2#top permanent;
            rewrite ^/2$ /3 redirect;
            rewrite ^/4$ http://hops.example/5 redirect;
            if ($request_method = POST) { return 405; }
        }

        """

    /// A target of a.example, asked for by an address that may.
    private static func at(_ target: String, _ rest: String, _ block: String) -> String {
        "\(target) \(rest) { host a.example; remote 192.0.2.1; \(block) }"
    }

    static let right = [
        "kl://Pay/x degrade https://m.example.com/ { input $v 3.1.9; }",
        "kl://Pay/x forward { input $V 3.2.0; }",
        "/x respond 403 { host a.example; remote 203.0.113.9; }",
        "/x respond 403 { remote 203.0.113.9; header Host a.example; }",
        at("/x", "forward", ""),
        at("/post", "respond 405", "method POST;"), at("/post", "forward", "method PUT;"),
        at("/hello", "respond 200", "body hello; header X-Device phone; answer X-Device phone; answer x-device;"),
        at("/hello", "respond", "!answer X-Empty; !answer X-Device;"),
        at("/hello", "respond", "by greeting;"), at("/hello", "respond", "by rules.conf;"),
        at("/hello", "respond", "by some/where/rules.conf:15;"),
        at("/port", "respond", "listen 8443; body 8443;"), at("/port", "respond", "listen 127.0.0.1:80; body 80;"),
        at("/old", "respond 410", "time 2025-12-31T23:59:59Z;"), at("/old", "forward", "time 2026-01-01T00:00:00Z;"),
        at("/files/a.html", "forward", "file /www/files/a.html;"), at("/files/a.html", "respond 404", ""),
        at("/files/d/", "respond 404", "file /www/files/d;"),
        at("/files/d/", "respond 403", "directory /www/files/d/;"),
        at("/item/a%20b", "route item", "parameter id \"a b\";"),
        "http://hops.example/1 redirect 301 { then redirect 302 https://hops.example/3; then forward; }",
        "/1 redirect 301 { host hops.example; method POST; then redirect 302; then forward; }",
        "/4 redirect 302 { host hops.example; answer Location http://hops.example/5; then forward; }",
        "/x respond 405 { host hops.example; method POST; }",
    ]

    @Test("A test that is met is accepted", arguments: right)
    func met(_ expectation: String) throws {
        #expect(try RuleSet(text: Self.rules + "expect \(expectation)\n").diagnostics.isEmpty)
    }

    static let wrong = [
        (
            "kl://Pay/x degrade https://m.example.com/ { input $v 3.2.0; }", "kl://Pay/x",
            "expected \"degrade https://m.example.com/\", but got \"forward kl://Pay/x\""
        ),
        (
            "/x respond 403 { host a.example; remote 192.0.2.1; }", "/x",
            "expected \"respond 403\", but got \"forward http://a.example/x\""
        ),
        (
            at("/hello", "respond", "header X-Device phone; answer X-Device tablet;"), "X-Device tablet",
            "expected the header X-Device \"tablet\", but got \"phone\""
        ),
        (
            at("/hello", "respond", "answer X-Other;"), "X-Other",
            "expected a header X-Other, but got none"
        ),
        (
            at("/hello", "respond", "header X-Device phone; !answer x-device;"), "x-device",
            "expected no header x-device, but got \"phone\""
        ),
        (at("/hello", "respond", "body Hello;"), "Hello", "expected the body \"Hello\", but got \"hello\""),
        (at("/x", "forward", "body Hello;"), "Hello", "expected the body \"Hello\", but got no body"),
        (
            at("/item/7", "forward", "parameter id 8;"), "id 8",
            "expected the parameter id \"8\", but got \"7\""
        ),
        (
            at("/item/7", "forward", "parameter key 8;"), "key 8",
            "expected the parameter key \"8\", but got no parameter key"
        ),
        (
            at("/x", "forward", "by greeting;"), "greeting",
            "expected a decision by greeting, but got a decision by no rule"
        ),
        (
            at("/hello", "respond", "by rules.conf:16;"), "rules.conf:16",
            "expected a decision by rules.conf:16, but got a decision by rules.conf:15:9"
        ),
        (
            "http://hops.example/1 redirect 301 { then redirect; then respond; }", "respond;",
            "expected \"respond\", but got \"forward https://hops.example/3\", for the URL \"https://hops.example/3\""
        ),
        (
            "http://hops.example/1 redirect 301 { then redirect 301; then forward; }", "redirect 301; then f",
            "expected \"redirect 301\", but got \"redirect 302 https://hops.example/3\", "
                + "for the URL \"https://hops.example/2\""
        ),
        (
            "/x respond 403 { host a.example; remote 1.2.3.4; then forward; }", "forward;",
            "expected \"forward\", but got \"respond, and no URL to follow\""
        ),
    ]

    @Test("An unmet part is an error at its entry", arguments: wrong)
    func unmet(_ expectation: String, _ place: String, _ message: String) throws {
        let error = #expect(throws: RuleSetError.self) { try RuleSet(text: Self.rules + "expect \(expectation)\n") }
        let diagnostic = try #require(error?.diagnostics.first)
        #expect(error?.diagnostics.count == 1)
        let said = diagnostic.message.prefix { $0 != "," || !diagnostic.message.contains(", by ") }
        #expect(diagnostic.message == message || String(said) == message)
        #expect(diagnostic.code == "unmet-expectation")
        let line = diagnostic.sourceLine.utf8.dropFirst(diagnostic.location.column - 1)
        #expect(String(line)?.hasPrefix(place) == true, "\(diagnostic.location)")
    }

    @Test("All unmet parts are reported at once")
    func all() {
        let test = Self.at("/hello", "respond", "body x; answer X-Y; by rules.conf:1;")
        let error = #expect(throws: RuleSetError.self) { try RuleSet(text: Self.rules + "expect \(test)\n") }
        #expect(error?.diagnostics.map(\.code) == Array(repeating: "unmet-expectation", count: 3))
    }

    @Test(
        "A text that is not a test is refused, with a suggestion",
        arguments: [
            ("inptu $v 1;", "unknown-entry", "did you mean \"input\"?"),
            ("colour red;", "unknown-entry", "there are method, header, input, remote, listen, time, host, file, "),
            ("input $v;", "argument-count", "write: input $NAME VALUE;"),
            ("method GET POST;", "argument-count", "write: method NAME;"),
            ("input v 1;", "invalid-request", nil), ("input $w 1;", "unknown-input", "did you mean \"$v\"?"),
            ("remote a.example;", "invalid-request", nil), ("listen 99999;", "invalid-request", nil),
            ("time yesterday;", "invalid-request", nil), ("host b.example;", "invalid-request", nil),
            ("header Host a; header host b;", "invalid-request", nil),
            ("method GET; method PUT;", "duplicate-directive", "remove one of them"),
            ("body { x; }", "unexpected-block", "end it with \";\""),
            ("by rule.conf;", "unknown-rule", "did you mean \"rules.conf\"?"),
            ("by greetings;", "unknown-rule", "did you mean \"greeting\"?"),
            ("then forwards;", "unknown-decision", "did you mean \"forward\"?"),
            ("then route;", "missing-route", nil), ("then block 99;", "invalid-status", nil),
            (String(repeating: "then forward; ", count: 11), "too-many-entries", nil),
        ] as [(String, String, String?)]
    )
    func refused(_ block: String, _ code: String, _ suggestion: String?) {
        let test = "expect https://b.example/ forward { \(block) }\n"
        let error = #expect(throws: RuleSetError.self) { try RuleSet(text: Self.rules + test) }
        #expect(error?.diagnostics.map(\.code) == [code])
        #expect(error?.diagnostics.first?.location.line == 29)
        if let suggestion { #expect(error?.diagnostics.first?.suggestion?.hasPrefix(suggestion) == true) }
    }

    @Test(
        "A star in a URL stands for a part of it, and in a host for no slash",
        arguments: [
            ("https://*.example.com/*", "https://a.example.com/b/c?d", true),
            ("https://*.example.com/*", "https://evil.test/.example.com/", false),
            ("https://*.example.com/*", "https://evil.test?.example.com/", false),
            ("https://*.example.com/*", "https://example.com/", false),
            ("https://*.example.com/*", "http://a.example.com/", false),
            ("*://a/*", "kl://a/", true), ("*://a/*", "kl://a", false), ("/a/*/c", "/a/b/b/c", true),
            ("https://a/*b*b", "https://a/xbyb", true), ("https://a/*b*b", "https://a/xby", false),
        ]
    )
    func wildcards(pattern: String, url: String, isMatch: Bool) throws {
        var expected = try ExpectedDecision(words: ["redirect", pattern].map { Array($0.utf8) })
        let decision = Decision(.redirect(Decision.Redirect(status: 301, location: Array(url.utf8))))
        expected.hasWildcards = true
        #expect(expected.isMet(by: decision) == isMatch)
        expected.isNegated = true
        #expect(expected.isMet(by: decision) != isMatch)
        expected.hasWildcards = false
        #expect(expected.isMet(by: decision))
    }
}
