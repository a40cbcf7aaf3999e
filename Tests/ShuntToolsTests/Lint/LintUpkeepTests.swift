import Shunt
import ShuntCore
import ShuntTools
import Testing

@Suite("shunt lint: what has had its time, lists, tests, and orders that are meant")
struct LintUpkeepTests {
    static let statements: [LintStatement] = [
        LintStatement(
            "block host a.test;\nexpect https://a.test/ block;\nexpect https://b.test/ forward;",
            notFinding: ["duplicate-test", "test-of-dead-rule", "untested-rule"]
        ),
        LintStatement(
            "block host a.test;\nexpect https://a.test/ block;\nexpect https://a.test/ block { remote 192.0.2.1; }",
            notFinding: ["duplicate-test"]
        ),
        LintStatement(
            "block host a.test;\nblock host b.test;\nexpect https://a.test/ block;",
            finds: ["2 untested-rule"]
        ),
        LintStatement(
            "block ^~ https://a.test/;\nblock = https://a.test/x 410;\nexpect https://a.test/y block;",
            notFinding: ["test-of-dead-rule"]
        ),
        LintStatement(
            "block ^~ https://a.test/;\nblock = https://a.test/x 410;\nexpect https://a.test/x block;",
            finds: ["3 test-of-dead-rule"],
            says: ["tests a request that r:2:1 is for"]
        ),
        LintStatement(
            "block host .a.test;\nblock host b.test x.a.test .y.a.test;",
            finds: ["2 list-overlap"],
            says: ["2 of 3 entries are covered by r:1:1", "x.a.test, y.a.test"]
        ),
        LintStatement("block host a.test;\nblock host b.test x.a.test *.a.example;", notFinding: ["list-overlap"]),
        // Under a test the first does not take all.
        LintStatement(
            "if ($scheme = http) {\nblock host .a.test;\n}\nblock host b.test x.a.test;",
            notFinding: ["list-overlap"]
        ),
        LintStatement("block host .co.uk;", finds: ["1 public-suffix-block"], says: ["every host below co.uk"]),
        LintStatement("block host .uk;", says: ["every host below uk"]),
        LintStatement("block host example.co.uk;\nblock host com;", notFinding: ["public-suffix-block"]),
        LintStatement(
            "block ~ ^https://a/x;\nrewrite_url ^https://a/.* https://b/ 302;",
            finds: ["2 shadowed-part"]
        ),
        LintStatement(
            "block ~ ^https://a/x;\nrewrite_url ^https://c/.* https://b/ 302;",
            notFinding: ["shadowed-part"]
        ),
        LintStatement("block ~ ^https://a/x;\nblock ~ ^https://a/.*;", notFinding: ["shadowed-part"]),
    ]

    private static let windows = """
        if ($time < 2026-11-11T00:00:00+08:00) { block host a.test; }
        if ($msec >= 1794448800 && $msec < 1794456000) {
            block host b.test;
        }
        """

    static let times: [LintStatement] = [
        LintStatement(windows, notFinding: ["past-window"]),
        LintStatement(windows, finds: ["1 past-window", "2 past-window"], asOf: 1_795_305_600),
    ]

    @Test("Windows, before and after their ends", arguments: times)
    func window(_ statement: LintStatement) throws { try statement.hold() }

    @Test("Upkeep", arguments: statements)
    func hold(_ statement: LintStatement) throws { try statement.hold() }

    @Test("A mistake in a note has the place of its word, and the name of its rule")
    func placesOfNotes() throws {
        let rules = "server {\n    location /a { return 204; } #: owner=@x allow opn-redirect\n}\n"
        let findings = try LintStatement(rules).findings().filter { $0.check == "unknown-note" }
        #expect(findings.map { "\($0.diagnostic.location) \($0.diagnostic.length)" } == ["r:2:51 12"])
        #expect(findings.map(\.ruleText) == ["location /a"])
        let unnamed = try LintStatement("#: allow \"why\"\nblock host a.test;").findings()
        #expect(unnamed.contains { $0.diagnostic.message == "\"allow\" is followed by the name of a check" })
    }

    @Test("A list with a host that is blocked before overlaps, and is not dead")
    func overlappingList() throws {
        let files = InMemoryFileSystem([
            "/rules/r.conf": "block host a.example;\nblocklist l.txt;",
            "/rules/l.txt": "a.example\nb.example\n0.0.0.0 a.example\n",
        ])
        let findings = LintRun(
            try RuleSet(path: "/rules", from: files),
            LintOptions(asOf: Timestamp(seconds: LintStatement.time))
        )
        .findings
        // "a.example" on a separate line is the host and all below it, which the rule before does not take.
        #expect(!findings.contains { $0.check == "unreachable-rule" })
        #expect(!findings.contains { $0.check == "list-overlap" }, "\(findings.map(\.diagnostic.message))")
        let others = InMemoryFileSystem([
            "/rules/r.conf": "block host a.example;\nblocklist l.txt;",
            "/rules/l.txt": "0.0.0.0 a.example\nb.example\nx.b.example\n",
        ])
        let found = LintRun(
            try RuleSet(path: "/rules", from: others),
            LintOptions(asOf: Timestamp(seconds: LintStatement.time))
        )
        .findings
        #expect(!found.contains { $0.check == "unreachable-rule" })
        let overlap = try #require(found.first { $0.check == "list-overlap" })
        #expect(overlap.diagnostic.message.hasPrefix("2 of 3 entries are covered by"))
        #expect(overlap.remarks == ["proved: a.example, x.b.example"])
    }

    private static func counts(_ hits: Int, _ last: String?) -> [UInt8] {
        let last = last.map { ",\"last_hit\":\"\($0)\"" } ?? ""
        return Array(
            """
            {"loaded":"2026-09-01T00:00:00+00:00","counts":[{"rule":"/etc/rules/r:7:1","text":"block host a.test","hits":\(hits)\(last)}]}
            """
            .utf8
        )
    }

    @Test(
        "Rules without decisions, by their text and the name of their file",
        arguments: [
            (0, nil, 86_400 * 30, true), (0, nil, 86_400 * 90, false),
            (4, "2026-09-20T00:00:00+00:00", 86_400 * 30, true),
            (4, "2026-10-30T00:00:00+00:00", 86_400 * 30, false),
        ] as [(Int, String?, Int64, Bool)]
    )
    func neverHit(hits: Int, last: String?, unusedFor: Int64, isFound: Bool) throws {
        let counts = try RuleHits(Self.counts(hits, last), unusedFor: unusedFor)
        let findings = try LintStatement("block host a.test;\nblock host new.test;").findings { $0.hits = counts }
        #expect(findings.filter { $0.check == "never-hit" }.map(\.diagnostic.location.line) == (isFound ? [1] : []))
    }

    @Test("Entries of tables that supplied no value, where the gateway counts them")
    func unusedEntry() throws {
        let counts = """
            {"loaded":"2026-09-01T00:00:00+00:00","counts":[{"rule":"/r/m:1:1","text":"/never /b","hits":0},
            {"rule":"/r/m:2:1","text":"/a /b","hits":3,"last_hit":"2026-10-30T00:00:00+00:00"}]}
            """
        let files = InMemoryFileSystem([
            "/rules/r.conf": "map $uri $new { include m; }\nserver { return 301 $new; }",
            "/rules/m": "/never /b;\n/a /b;\n/unknown /b;\n",
        ])
        var options = LintOptions(asOf: Timestamp(seconds: LintStatement.time))
        options.hits = try RuleHits(Array(counts.utf8), unusedFor: 86_400 * 30)
        let findings = LintRun(try RuleSet(path: "/rules", from: files), options).findings
            .filter { $0.check == "never-hit" }
        #expect(findings.map(\.diagnostic.location.description) == ["/rules/m:1:1"])
    }

    @Test("Texts that are not an answer of /rules", arguments: ["", "[]", "{}", #"{"loaded":"x","counts":[]}"#])
    func noCounts(text: String) {
        #expect(throws: RuleHits.Problem.self) { try RuleHits(Array(text.utf8), unusedFor: 1) }
    }
}
