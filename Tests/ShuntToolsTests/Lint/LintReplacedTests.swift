import Shunt
import ShuntTools
import Testing

@Suite("shunt lint: groups, steps and rows that another expression takes")
struct LintReplacedTests {
    static let groups: [LintStatement] = [
        LintStatement(
            "server {\nlocation ~ ^/a/(.*)$ {\nif ($http_x ~ y) { add_header A b; }\nalias /srv/$1;\n}\n}",
            finds: ["4 clobbered-capture"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/a/(.*)$ {\nif ($http_x ~ y) { set $z 1; }\nproxy_pass http://127.0.0.1/$1;\n}\n}",
            finds: ["4 clobbered-capture"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/a/(.*)$ {\nif ($http_x ~ y) {\nset $z $1;\n}\nreturn 200 $z;\n}\n}",
            finds: ["4 clobbered-capture"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/a/(.*)$ {\nset $z $1;\nif ($http_x ~ y) { return 403; }\nreturn 200 $z;\n}\n}",
            notFinding: ["clobbered-capture"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/a/(.*)$ {\nif ($http_x ~ (y)) { set $z 1; }\nalias /srv/$1;\n}\n}",
            notFinding: ["clobbered-capture"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/a/(?<rest>.*)$ {\nif ($http_x ~ y) { set $z 1; }\nalias /srv/$rest;\n}\n}",
            notFinding: ["clobbered-capture"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/a/(.*)$ {\nif ($http_x ~ y) { return 403; }\nalias /srv/$1;\n}\n}",
            notFinding: ["clobbered-capture"]
        ),
    ]

    @Test("A group that a later test replaces", arguments: groups)
    func clobbered(_ statement: LintStatement) throws { try statement.hold() }

    @Test(
        "An expression without an anchor that takes too many steps",
        arguments: ["(a|aa)+$", "(a|aa)+b", "(a|aa|aaa)+x$"]
    )
    func steps(expression: String) throws {
        try LintStatement(
            "server {\nlocation ~ \(expression) { return 200 x; }\nlocation / { return 204; }\n}",
            finds: ["2 regex-redos"],
            says: ["→ fail 500"]
        )
        .hold()
    }

    @Test("Rows of a list that an earlier rule takes are reported once for the rule")
    func rows() throws {
        let rules = "rewrite_url ^https?://[^/]+/old/ https://b.example/ 301;\nredirects m.csv;\n"
        let csv = "from,to\n/x,/y\n/old/a,/a\n/old/b,/b\n"
        func findings(_ rules: String) throws -> [LintFinding] {
            let set = try RuleSet(path: "/r.conf", from: InMemoryFileSystem(["/r.conf": rules, "/m.csv": csv]))
            return LintRun(set, LintOptions(asOf: Timestamp(seconds: LintStatement.time))).findings
                .filter { $0.check == "unreachable-rule" }
        }
        let found = try findings(rules)
        #expect(found.count == 1)
        #expect(found.first?.diagnostic.location.line == 3)
        #expect(
            found.first?.diagnostic.message
                == "/r.conf:1:1 takes the requests of this row, and the requests of 1 more row"
        )
        let lines = rules.split(separator: "\n").reversed().joined(separator: "\n")
        #expect(try findings(lines).isEmpty)
    }

    @Test(
        "A row that some requests reach is not reported as one that never decides",
        arguments: [
            ("rewrite ^/old/a$ /y permanent;", true),
            ("if ($uri = /old/a) { return 403; }", true),
            ("return 403;", true),
            ("if ($http_accept_language !~ ^de) { return 302 https://en.example.com$request_uri; }", false),
            ("if ($http_user_agent = \"\") { return 403; }", false),
            ("if ($http_x) { break; } rewrite ^/old/a$ /y permanent;", false),
            ("if ($request_method = GET) { return 403; }", false),
            ("if ($host != b.example) { return 403; }", false),
            ("if ($uri = $arg_x) { return 403; } rewrite ^/old/a$ /y permanent;", false),
            ("if ($scheme = https) { return 403; }", false),
            ("if ($args = \"\") { return 403; }", false),
            ("rewrite ^/old/a$ /y permanent; rewrite ^/c$ /old/a;", false),
        ]
    )
    func conditions(rules: String, isTaken: Bool) throws {
        let text = "server {\nlisten 80;\n\(rules)\nredirects m.txt;\n}"
        let files = InMemoryFileSystem(["/r.conf": text, "/m.txt": "/old/a /b\n"])
        let set = try RuleSet(path: "/r.conf", from: files)
        let found = LintRun(set, LintOptions(asOf: Timestamp(seconds: LintStatement.time))).findings
        #expect(found.contains { $0.diagnostic.message.contains("takes the requests of this row") } == isTaken)
    }
}
