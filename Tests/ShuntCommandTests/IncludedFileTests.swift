import Foundation
import TestFolder
import Testing

@Suite("The content of an include, for every tool")
struct IncludedFileTests {
    private static let rules = """
        map $uri $new { default ""; include redirects.map; }
        server { server_name a.example; if ($new) { return 301 $new; } location / { return 204; } }

        """
    private static let table = "/a /b;\n/b /a;\n"

    @Test("A file of the same name elsewhere is not the one that is included")
    func sameName() throws {
        let folder = try TestFolder([
            "nginx.conf": """
            server { listen 443 ssl; server_name a.example; include headers.conf; return 204; }
            server { listen 80; server_name b.example; include b/headers.conf; return 204; }
            """,
            "headers.conf": "# no header\n",
            "b/headers.conf": "add_header Strict-Transport-Security max-age=1;\n",
        ])
        let outcome = try folder.run(["lint", "nginx.conf", "--checks", "server", "--fail-on", "note"])
        #expect(outcome.lines.contains { $0.hasSuffix("[hsts-header]") }, "\(outcome.lines)")
        #expect(outcome.status == 1)
    }

    @Test("A warning about a file that several servers include is there once")
    func warnings() throws {
        let folder = try TestFolder([
            "r.conf": "server { server_name a; include c.inc; }\nserver { server_name b; include c.inc; }\n",
            "c.inc": "deny 10.0.0.7/24;\nredirects l.txt;\n", "l.txt": "/a /b\n/a /c\n",
        ])
        let outcome = try folder.run(["check", "--rules", "r.conf"])
        #expect(outcome.text.contains("no errors, 2 warnings\n"), "\(outcome.text)")
    }

    @Test("A comment inside a directive does not cut its text")
    func comment() throws {
        let folder = try TestFolder(["r.conf": "block host # ads; and trackers\n    ads.example.com;\n"])
        let outcome = try folder.run(["explain", "--rules", "r.conf", "https://ads.example.com/"])
        #expect(outcome.lines.contains { $0.hasSuffix("block host ads.example.com") }, "\(outcome.lines)")
    }

    @Test("A redirect table in a separate file has loops, examples, coverage and mutations")
    func table() throws {
        let folder = try TestFolder([
            "r.conf": Self.rules, "redirects.map": Self.table,
            "t.requests": "GET /a a.example -> redirect 301 http://a.example/b\n",
        ])
        let lint = try folder.run(["lint", "r.conf"])
        #expect(lint.lines.contains { $0.contains("[redirect-loop]") }, "\(lint.lines)")
        let examples = try folder.run(["examples", "--rules", "r.conf"])
        #expect(examples.lines.contains { $0.hasPrefix("redirects.map:2:1") }, "\(examples.lines)")
        #expect(examples.lines.contains { $0.contains("3 of 3 table entries") }, "\(examples.lines)")
        let coverage = ["test", "--rules", "r.conf", "--coverage", "--min-coverage", "entries=100", "t.requests"]
        let tested = try folder.run(coverage)
        #expect(tested.lines.contains { $0.contains("entries") && $0.contains("1 of 3") }, "\(tested.lines)")
        #expect(tested.status == 1)
        let mutated = try folder.run(["test", "--rules", "r.conf", "--mutate", "t.requests"])
        #expect(mutated.lines.contains { $0.contains("redirects.map:2:1") }, "\(mutated.lines)")
    }

    @Test("A changed line of an included table has a request whose outcome changes")
    func difference() throws {
        let folder = try TestFolder([
            "old/r.conf": Self.rules, "old/redirects.map": Self.table, "new/r.conf": Self.rules,
            "new/redirects.map": "/a /c;\n/b /a;\n",
        ])
        for (old, new) in [("old", "new"), ("old/r.conf", "new/r.conf")] {
            let outcome = try folder.run(["diff", old, new])
            #expect(outcome.lines.contains("rules: 1 edited"), "\(outcome.lines)")
            let change = "redirect 301 http://a.example/b → redirect 301 http://a.example/c"
            #expect(outcome.lines.contains { $0.hasSuffix(change) }, "\(outcome.lines)")
            #expect(outcome.status == 1)
        }
    }

    @Test("Included entries of geo and split_clients are entries, too")
    func otherTables() throws {
        let folder = try TestFolder([
            "r.conf": """
            geo $net { default 0; include nets.geo; }
            split_clients $arg_id $half { include halves.split; }
            server { if ($net) { return 403; } if ($half = a) { return 404; } return 204; }
            """,
            "nets.geo": "192.0.2.0/24 1;\n", "halves.split": "50% a;\n* b;\n",
        ])
        let outcome = try folder.run(["examples", "--rules", "r.conf"])
        #expect(outcome.lines.contains { $0.contains("4 of 4 table entries") }, "\(outcome.lines)")
    }

    @Test("A note on a block holds for the rules in it")
    func notes() throws {
        let folder = try TestFolder([
            "r.conf": """
            #: name=INC-1 owner=@oncall
            if ($arg_x = y) {
                block host a.example 503;
                #: owner=@shop
                block host b.example 503;
            }

            """
        ])
        let rules = try folder.run(["list", "--rules", "r.conf", "--format", "json"]).lines.map { try JSON($0) }
        #expect(rules.map { $0["note"]["name"].string } == ["INC-1", "INC-1"])
        #expect(rules.map { $0["note"]["owner"].string } == ["@oncall", "@shop"])
    }
}
