import Shunt
import ShuntTools
import Testing

/// Files of tests in the notation of the documents.
@Suite("Test files")
struct TestFileTests {
    static let rules = """
        input $v 0;
        if ($v < 3.2) { degrade ^~ kl://Pay/ https://m.example.com/pay; }
        block ^~ https://www.example.com/.env 404;
        route /item/:id web.item;
        server {
            server_name www.example.com;
            location /admin { allow 192.0.2.0/24; deny all; }
            location = /late { if ($time_iso8601 ~ ^2025) { return 410; } return 200 "now \\"x\\""; }
            location /www/ { root /; try_files $uri =404; }
            location /device { add_header X-Device $http_user_agent; return 204; }
            location = /dot.css { return 404; }
            rewrite ^/item-(.*)$ /item/$1;
            if ($request_method = DELETE) { return 405; }
        }
        server { listen 80; listen 8443; server_name port.example.com; return 200 $server_port; }
        server { server_name example.com; return 301 https://www.example.com$request_uri; }
        route /files/*path web.files;

        """

    static func outcomes(_ tests: String, _ options: RuleTests.Options = .init()) throws -> [TestOutcome] {
        let file = try TestFile(Array(tests.utf8), named: "a.requests", host: "www.example.com")
        return RuleTests(try RuleSet(text: rules), file.cases, options: options).run().outcomes
    }

    @Test(
        "A test that is met passes",
        arguments: [
            "GET /item-7 www.example.com -> forward http://www.example.com/item/7 (route web.item, id=7)",
            "/item/a%20b -> route web.item\n    parameter id a b\n    parameter id a\\x20b",
            "kl://Pay/x  -> degrade https://m.example.com/pay\n    $v = 3.1.9",
            "kl://Pay/x\t -> forward\n  $V = 3.2",
            "https://www.example.com/.env -> block 404  # never",
            "https://www.example.com/x -> not block", "https://www.example.com/.env -> not block 403",
            "http://example.com/a -> redirect 301 https://*.example.com/*\n    then -> forward",
            "http://example.com/a -> redirect 301 https://www.example.com/a\n    < Location: https://www.example.com/a",
            "http://example.com/admin -> redirect\n    then -> respond 403",
            "DELETE /x - HTTP/1.0 -> respond 405\nDELETE /x www.example.com -> respond 405",
            "/admin/x -> respond 403\n/admin/x -> forward\n    @remote 192.0.2.7",
            "/late -> respond 410\n    @time 2025-03-01T05:00:00Z",
            "/late -> respond 200 \"now \\x22x\\x22\"\n    @time 2026-03-01T05:00:00Z\n    body now \"x\"",
            "/x port.example.com -> respond 200 \"8443\"\n    @listen 8443",
            "/device -> respond 204\n    > User-Agent: phone\n    < X-Device: phone\n    < x-device\n    !< X-Other",
            "/www/a.html -> forward\n    @file /www/a.html", "/www/a.html -> respond 404",
            "/www/d -> respond 404\n    @directory /www/d",
            "/device -> respond\n    by a/rules.conf\n    by rules.conf:10",
            "\u{feff}/x -> forward\r\n\r\n/x -> not block\r\n    @time 2026-03-01T05:00:00Z\r\n",
            "# a remark\n\nname: the name\n    # another\n/x -> forward",
        ]
    )
    func passes(tests: String) throws {
        for outcome in try Self.outcomes(tests) { #expect(outcome.result == .passed, "\(outcome.message)") }
    }

    @Test(
        "An unmet test fails with the actual decision",
        arguments: [
            ("/x -> block", "expected block, but got forward http://www.example.com/x"),
            (
                "https://www.example.com/.env -> not block",
                "expected not block, but got block 404"
            ),
            (
                "http://example.com/a -> redirect https://*.example.com/b",
                "expected redirect https://*.example.com/b, but got redirect 301 https://www.example.com/a"
            ),
            ("/late -> respond 200 \"then\"", "expected the body \"then\", but got \"now \"x\"\""),
            (
                "/device -> respond\n    > User-Agent: a\n    !< X-Device",
                "expected no header X-Device, but got \"a\""
            ),
            (
                "http://example.com/a -> redirect\n    then -> block",
                "expected block, but got forward https://www.example.com/a, for the URL https://www.example.com/a"
            ),
            ("/item/7 -> route web.items", "expected route web.items, but got route web.item"),
            (
                "/x -> forward\n    by rules.conf:1",
                "expected a decision by rules.conf:1, but got a decision by no rule"
            ),
            ("/x", "expected a recorded decision, but got forward http://www.example.com/x"),
        ]
    )
    func fails(tests: String, message: String) throws {
        var options = RuleTests.Options()
        options.time = try Timestamp("2026-01-01T00:00:00Z")
        let outcome = try #require(try Self.outcomes(tests, options).first)
        #expect(outcome.result == .failed)
        #expect(outcome.message == message)
    }

    @Test(
        "A line that is not a test is reported with its place and a suggestion",
        arguments: [
            ("GET /a b c -> forward", 1, 10, "write the decision after \" -> \""),
            ("/a -> forwards", 1, 7, "did you mean \"forward\"?"), ("/a -> block 99", 1, 13, nil),
            ("/a -> ", 1, 1, nil), ("    > A: b", 1, 5, nil),
            ("/a -> forward\n    @remtoe 1.2.3.4", 2, 5, "did you mean \"@remote\"?"),
            ("/a -> forward\n    @remote host", 2, 5, nil), ("/a -> forward\n    @time now", 2, 5, nil),
            ("/a -> forward\n    > Host: a\n    > host: b", 2, 5, nil),
            ("/a -> forward\n    $v 3", 2, 5, nil), ("/a -> forward\n    by", 2, 5, nil),
            ("/a -> forward\n    then forward", 2, 5, nil), ("/a -> forward\n    parameter", 2, 5, nil),
            ("/a\n    by rules.conf", 2, 5, nil), ("/a -> forward\n    : x", 2, 5, "there are > < !<"),
        ] as [(String, Int, Int, String?)]
    )
    func refused(tests: String, line: Int, column: Int, suggestion: String?) throws {
        let error = #expect(throws: TestFileError.self) {
            try TestFile(Array(tests.utf8), named: "a.requests", host: "a.example")
        }
        let problem = try #require(error?.diagnostics.first)
        #expect(problem.location == SourceLocation(file: "a.requests", line: line, column: column))
        if let suggestion { #expect(problem.suggestion?.hasPrefix(suggestion) == true) }
    }

    @Test("A name holds up to the next empty line")
    func names() throws {
        let file = try TestFile(Array("name: one\n/a -> forward\n/b -> forward\n\n/c -> forward\n".utf8), named: "a")
        #expect(file.cases.map(\.name) == ["one", "one", nil])
        #expect(file.cases.map(\.place) == ["a:2", "a:3", "a:5"])
    }

    @Test("A recorded test holds, and recording it again changes nothing")
    func recording() throws {
        let lines = [
            "GET /item-7", "/item/a,b", "kl://Pay/x  # native", "https://www.example.com/.env", "/late\r",
            "http://example.com/a", "nonsense", "/device", "# nothing", "", "/x -> forward", "/files/",
        ]
        let text = Array(lines.joined(separator: "\n").utf8)
        let outcomes = try Self.outcomes(String(decoding: text, as: UTF8.self))
        let decisions = Dictionary(
            uniqueKeysWithValues: outcomes.filter { $0.isUnrecorded }.map { ($0.test.location.line, $0.decision) }
        )
        let recorded = TestRecording.record(text, decisions.compactMapValues { $0 })
        let shown = String(decoding: recorded, as: UTF8.self)
        #expect(shown.contains("GET /item-7 -> forward http://www.example.com/item/7 (route web.item, id=7)\n"))
        #expect(shown.contains("kl://Pay/x -> degrade https://m.example.com/pay  # native\n"))
        #expect(
            shown.contains(
                "/item/a,b -> forward http://www.example.com/item/a,b (route web.item)\n    parameter id a,b\n"
            )
        )
        #expect(
            shown.hasSuffix("/files/ -> forward http://www.example.com/files/ (route web.files)\n    parameter path")
        )
        for outcome in try Self.outcomes(shown) { #expect(outcome.result == .passed, "\(outcome.message)") }
        #expect(try Self.outcomes(shown).count == 10)
        #expect(TestRecording.record(recorded, [:]) == recorded)
    }
}
