import Foundation
import TestFolder
import Testing

@Suite("shunt lint")
struct LintCommandTests {
    private static let rules = """
        block host ads.test;
        block host ads.test;
        server {
            location /y { return 302 $arg_url; }
        }

        """

    @Test("Findings with their checks, and one line that sums up")
    func text() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        let outcome = try folder.run(["lint", "r.conf"])
        #expect(outcome.status == 1)
        #expect(outcome.lines.contains { $0.hasPrefix("r.conf:2:1: warning: ") && $0.hasSuffix("[duplicate-rule]") })
        #expect(outcome.lines.contains { $0.hasPrefix("r.conf:4:19: error: ") && $0.hasSuffix("[open-redirect]") })
        #expect(outcome.lines.last?.hasPrefix("1 error, 1 warning") == true, "\(outcome.lines.last ?? "")")
        #expect(try folder.run(["lint", "r.conf"]).lines == outcome.lines)
    }

    @Test("The choice of checks, and of the severity that fails")
    func choice() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        #expect(try folder.run(["lint", "r.conf", "--checks", "duplicate-rule", "--fail-on", "error"]).status == 0)
        #expect(try folder.run(["lint", "r.conf", "--checks", "cycles"]).status == 0)
        #expect(try folder.run(["lint", "r.conf", "--skip", "security,order"]).status == 0)
        let wrong = try folder.run(["lint", "r.conf", "--checks", "open-redirekt"])
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("Did you mean open-redirect?"))
        #expect(try folder.run(["lint"]).status == 2)
        #expect(try folder.run(["lint", "none.conf"]).status == 3)
    }

    @Test("Counts of a gateway, and tests next to the rules")
    func fromOutside() throws {
        let folder = try TestFolder([
            "rules/r.conf": "block host a.test;\nblock host b.test;\nserver { resolver 127.0.0.1; }\n",
            "rules/r.requests": "https://a.test/ -> block\n",
            "counts.json": """
            {"loaded":"2026-01-01T00:00:00Z","counts":[\
            {"rule":"/srv/rules/r.conf:1:1","text":"block host a.test","hits":0},\
            {"rule":"/srv/rules/r.conf:2:1","text":"block host b.test","hits":7,"last_hit":"2026-02-27T00:00:00Z"}]}
            """,
        ])
        let time = ["--as-of", "2026-03-01T00:00:00Z"]
        let hits = ["lint", "rules", "--hits", "counts.json", "--checks", "never-hit"] + time
        let unused = try folder.run(hits + ["--unused-for", "30d"])
        #expect(
            unused.lines.first?.hasPrefix("rules/r.conf:1:1: warning: this has decided nothing since 2026-01-01")
                == true
        )
        #expect(unused.status == 1)
        #expect(unused.lines.count { $0.hasSuffix("[never-hit]") } == 1)
        let young = try folder.run(hits + ["--unused-for", "10w"])
        #expect(young.status == 0)
        #expect(young.errors.contains("have been counted since 2026-01-01"))
        #expect(try folder.run(hits).status == 2)
        #expect(try folder.run(hits + ["--unused-for", "soon"]).status == 2)
        #expect(try folder.run(["lint", "rules", "--hits", "rules/r.conf", "--unused-for", "1d"]).status == 3)

        let untested = try folder.run(["lint", "rules", "--checks", "untested-rule"] + time)
        #expect(untested.lines.filter { $0.hasSuffix("[untested-rule]") }.map { $0.prefix(16) } == ["rules/r.conf:2:1"])
    }

    @Test("Fewer steps for a proof are fewer proofs, and none is not a number")
    func proofSteps() throws {
        let rules = "block ~ ^https://a\\.test/;\nblock ~ ^https://a\\.test/x;\n"
        let folder = try TestFolder(["r.conf": rules])
        #expect(try folder.run(["lint", "r.conf"]).text.contains("[unreachable-rule]"))
        let few = try folder.run(["lint", "r.conf", "--proof-steps", "1"])
        #expect(!few.text.contains("[unreachable-rule]"))
        #expect(try folder.run(["lint", "r.conf", "--proof-steps", "0"]).status == 2)
    }

    @Test("A baseline accepts what was there, survives moves, and reports what is gone")
    func baseline() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        #expect(try folder.run(["lint", "r.conf", "--write-baseline", "b"]).status == 0)
        #expect(try folder.run(["lint", "r.conf", "--baseline", "b"]).status == 0)
        try folder.write("r.conf", "\n# moved\n" + Self.rules)
        #expect(try folder.run(["lint", "r.conf", "--baseline", "b"]).status == 0)
        try folder.write("r.conf", Self.rules.replacing("block host ads.test;\nblock", with: "block"))
        let less = try folder.run(["lint", "r.conf", "--baseline", "b"])
        #expect(less.status == 0)
        #expect(less.lines.contains { $0.hasPrefix("1 of the accepted findings is gone") })
        try folder.write("r.conf", Self.rules.replacing("/y", with: "/z"))
        #expect(try folder.run(["lint", "r.conf", "--baseline", "b"]).status == 0)
        try folder.write("r.conf", Self.rules.replacing("$arg_url", with: "$arg_to"))
        #expect(try folder.run(["lint", "r.conf", "--baseline", "b"]).status == 1)
    }

    @Test("JSON, SARIF, JUnit and annotations have the findings")
    func forms() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        let json = try object(folder.run(["lint", "r.conf", "--format", "json"]).lines)
        #expect(json["schema"] as? String == "shunt-lint/1")
        let findings = try #require(json["findings"] as? [[String: Any]])
        #expect(findings.compactMap { $0["code"] as? String } == ["duplicate-rule", "open-redirect"])
        #expect(findings.compactMap { $0["basis"] as? String } == ["proof", "witness"])
        #expect((findings[1]["witnesses"] as? [[String: Any]])?.count == 1)
        #expect((findings[0]["fix"] as? [String: Any])?["safe"] as? Bool == true)

        let sarif = try object(folder.run(["lint", "r.conf", "--format", "sarif"]).lines)
        #expect(sarif["version"] as? String == "2.1.0")
        let run = try #require((sarif["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let ids = try #require(driver["rules"] as? [[String: Any]]).compactMap { $0["id"] as? String }
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.count == 2)
        for result in results { #expect(ids.contains(try #require(result["ruleId"] as? String))) }

        let github = try folder.run(["lint", "r.conf", "--format", "github"]).lines
        #expect(github.first?.hasPrefix("::warning file=r.conf,line=2,col=1,title=duplicate-rule::") == true)
        let junit = try folder.run(["lint", "r.conf", "--format", "junit", "--output", "j.xml"])
        #expect(junit.lines.last?.hasPrefix("1 error") == true)
        let text = try String(contentsOfFile: folder.path + "/j.xml", encoding: .utf8)
        #expect(text.contains("failures=\"2\""))
    }

    private func object(_ lines: [String]) throws -> [String: Any] {
        let data = Data(lines.joined(separator: "\n").utf8)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("A check explains itself")
    func explanation() throws {
        let folder = try TestFolder([:])
        let outcome = try folder.run(["lint", "--explain", "open-redirect"])
        #expect(outcome.status == 0)
        #expect(outcome.lines.first == "open-redirect (security, error, by witness)")
        #expect(outcome.lines.contains("        location /y { return 302 $arg_url; }"))
        #expect(try folder.run(["lint", "--explain", "nothing"]).status == 2)
    }

    @Test("Fixes change no outcome, once is enough, and without them nothing is written")
    func fixes() throws {
        let rules = """
            # Hosts.
            block host ads.test;
            block host ads.test;  # twice
            map $uri $page {
                ~^/a 1;
                default 2;
            }
            server {
                location ~ ^/api/health\\z { return 204; }
            }

            """
        let folder = try TestFolder(["r.conf": rules])
        let dry = try folder.run(["lint", "r.conf", "--fix", "--dry-run", "--skip", "security"])
        #expect(dry.lines.contains { $0.hasPrefix("r.conf:3:1: would be fixed: ") })
        #expect(try folder.text("r.conf") == rules)
        let outcome = try folder.run(["lint", "r.conf", "--fix"])
        #expect(outcome.lines.contains { $0.hasPrefix("r.conf:3:1: fixed: ") }, "\(outcome.lines)")
        let fixed = """
            # Hosts.
            block host ads.test;
              # twice
            server {
                location = /api/health { return 204; }
            }

            """
        #expect(try folder.text("r.conf") == fixed)
        #expect(try !folder.run(["lint", "r.conf", "--fix"]).lines.contains { $0.contains(" fixed: ") })
        #expect(try folder.text("r.conf") == fixed)
    }
}
