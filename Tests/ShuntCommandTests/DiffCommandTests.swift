import Foundation
import TestFolder
import Testing

@Suite("shunt diff")
struct DiffCommandTests {
    private static let files = [
        "old/a.conf": "block host a.test;\nblock host b.test;\n",
        "new/a.conf": "# The same, and more.\nblock   host a.test;\nblock host b.test 410;\nblock host c.test;\n",
        "urls.txt": "https://a.test/\nhttps://b.test/1\nhttps://b.test/2\nhttps://c.test/\nhttps://d.test/\n",
    ]

    @Test("The rules that changed, and the requests whose outcome did, with both outcomes")
    func text() throws {
        let arguments = ["diff", "old", "new", "--requests", "urls.txt", "--no-witnesses"]
        let outcome = try TestFolder(Self.files).run(arguments)
        #expect(
            outcome.text == """
                rules: 1 edited, 1 added
                  edited   a.conf:3:1  block host b.test
                       to  block host b.test 410
                  added    a.conf:4:1  block host c.test

                traffic: 5 requests, 5 distinct to these rules
                  changed  3 (60 %)
                  2  block 403 → block 410
                      was old/a.conf:2:1  block host b.test
                      now new/a.conf:3:1  block host b.test 410
                      1  https://b.test/1
                          block 403 → block 410
                      1  https://b.test/2
                          block 403 → block 410
                  1  forward → block 403
                      now new/a.conf:4:1  block host c.test
                      1  https://c.test/
                          forward https://c.test/ → block 403


                """
        )
        #expect(outcome.status == 1)
        #expect(outcome.errors.isEmpty)
    }

    @Test("With --lint, what is wrong with the new rules and was not with the old ones")
    func findings() throws {
        let folder = try TestFolder([
            "old/a.conf": "server { location /a { return 302 $arg_to; } }\n",
            "new/b.conf":
                "# Elsewhere.\nserver {\n    location /a { return 302 $arg_to; }\n    location /b { return 302 $arg_x; }\n}\n",
        ])
        let outcome = try folder.run(["diff", "old", "new", "--lint", "--no-witnesses"])
        let lines = outcome.lines.drop { !$0.hasPrefix("lint: ") }
        #expect(lines.contains { $0.contains("new/b.conf:4:19: error:") && $0.hasSuffix("[open-redirect]") })
        let json = try folder.run(["diff", "old", "new", "--lint", "--no-witnesses", "--format", "json"])
        #expect(
            json.text.contains(
                #""findings":{"new":[{"check":"open-redirect","severity":"error","place":"new/b.conf:4:19""#
            )
        )
        #expect(!(try folder.run(["diff", "old", "new", "--no-witnesses"]).text.contains("lint:")))
    }

    @Test("White space, comments and names of files are not a change")
    func form() throws {
        let folder = try TestFolder([
            "old/a.conf": "block host a.test;\n", "new/b.conf": "# x\n  block  host  a.test ;\n",
            "urls.txt": "https://a.test/\n",
        ])
        let outcome = try folder.run(["diff", "old", "new", "--requests", "urls.txt"])
        #expect(outcome.status == 0)
        #expect(
            outcome.text.hasSuffix(
                "no outcome changes; 1 request is too few to judge others\n"
            )
        )
        #expect(try folder.run(["diff", "old/a.conf", "new/b.conf"]).text.hasPrefix("rules: no changes\n"))
        #expect(try folder.run(["diff", "old/a.conf", "new/b.conf"]).status == 0)
    }

    @Test("Without requests, a change of rules is status 1")
    func noRequests() throws {
        let folder = try TestFolder(Self.files)
        let outcome = try folder.run(["diff", "old", "new", "--no-witnesses"])
        #expect(outcome.status == 1)
        #expect(outcome.text.hasSuffix("the rules change; which outcomes change is not known without requests\n"))
        #expect(try folder.run(["diff", "old", "old"]).status == 0)
    }

    @Test(
        "Requests are made for changed rules: what an expression takes now, and that another form of it takes the same"
    )
    func witnesses() throws {
        let folder = try TestFolder([
            "old.conf": "rewrite_url ^https://a/(\\d+)$ https://b/$1 permanent;\n",
            "same.conf": "rewrite_url ^https://a/([0-9]+)$ https://b/$1 permanent;\n",
            "wider.conf": "rewrite_url ^https://a/(\\w+)$ https://b/$1 permanent;\n",
            "gone.conf": "break;\n",
            "urls.txt": "https://a/1\nhttps://b/\n",
        ])
        let same = try folder.run(["diff", "old.conf", "same.conf"])
        #expect(same.status == 0)
        #expect(same.text.hasPrefix("rules: 1 edited\n"))
        #expect(same.text.hasSuffix("no outcome changes (proved for 1 of 1 changed rules)\n"))
        let wider = try folder.run(["diff", "old.conf", "wider.conf"])
        #expect(wider.status == 1)
        #expect(wider.text.contains("  forward → redirect 301\n"))
        #expect(wider.text.hasSuffix("how many requests that concerns is not known without a log\n"))
        let gone = try folder.run(["diff", "old.conf", "gone.conf"])
        #expect(gone.status == 1)
        #expect(gone.text.contains("  redirect 301 → forward\n"))
        // A budget is for traffic: what was made is shown, and does not count.
        let budget = try folder.run(["diff", "old.conf", "wider.conf", "--requests", "urls.txt", "--max-changed", "0"])
        #expect(budget.status == 0)
        #expect(budget.text.contains("  changed  0 (0 %)\n"))
        #expect(budget.text.contains("  forward → redirect 301\n"))
    }

    @Test("A changed setting without a known request is named, and is status 1")
    func unjudged() throws {
        let folder = try TestFolder([
            "old.conf": "server { resolver 192.0.2.1; location /a { return 204; } }\n",
            "new.conf": "server { resolver 192.0.2.2; location /a { return 204; } }\n",
        ])
        let outcome = try folder.run(["diff", "old.conf", "new.conf"])
        #expect(outcome.status == 1)
        let change = "the change of resolver 192.0.2.1 to resolver 192.0.2.2 in new.conf:1:10"
        #expect(outcome.text.contains("  no outcome of a request shows what \(change) does\n"))
        #expect(outcome.text.hasSuffix("no change of an outcome was found, but not all rules could be judged\n"))
        let json = try JSON(try folder.run(["diff", "old.conf", "new.conf", "--format", "json"]).text)
        #expect(json["witnesses"]["changed"].number == 0)
        #expect(json["witnesses"]["unjudged"][0]["text"].string == "resolver 192.0.2.1")
    }

    @Test("A file is compared with the file of a folder", arguments: [("a.conf", "d"), ("d", "a.conf"), ("d", "d2")])
    func fileAndFolder(old: String, new: String) throws {
        let rules = "server { location /a { return 301 /b; } }\n"
        let folder = try TestFolder([
            "a.conf": rules, "d/10.conf": rules.replacing("/b", with: "/c"), "d2/10.conf": rules,
        ])
        let outcome = try folder.run(["diff", old, new])
        #expect(outcome.status == 1)
        #expect(outcome.text.hasPrefix("rules: 1 edited\n  edited   10.conf:1:24  return 301 /"), "\(outcome.text)")
    }

    @Test(
        "Another order is asked about with requests that both rules take",
        arguments: [
            ("location ~ ^/a { return 403; }", "location ~ b$ { return 404; }", true),
            ("rewrite ^/a /b;", "rewrite ^/b /c;", false),
            ("location = /a { return 403; }", "location = /b { return 404; }", false),
        ]
    )
    func order(first: String, second: String, isFound: Bool) throws {
        func rules(_ one: String, _ other: String) -> String {
            "server {\nlisten 80; server_name a.example;\n\(one)\n\(other)\nlocation / { return 204; }\n}\n"
        }
        let folder = try TestFolder(["old.conf": rules(first, second), "new.conf": rules(second, first)])
        let outcome = try folder.run(["diff", "old.conf", "new.conf"])
        #expect(outcome.status == 1)
        let changed = try JSON(try folder.run(["diff", "old.conf", "new.conf", "--format", "json"]).text)["witnesses"][
            "changed"
        ]
        .number
        #expect((changed ?? 0 > 0) == isFound, "\(outcome.text)")
        #expect(outcome.text.contains("the other order in new.conf changes") == !isFound, "\(outcome.text)")
    }

    @Test("A network of another size is asked about with the addresses at its bounds")
    func networks() throws {
        func files(_ network: String) -> [String: String] {
            [
                "r.conf": "geo $g { include n.geo; }\nserver { if ($g) { return 403; } return 204; }\n",
                "n.geo": "\(network) 1;\n",
            ]
        }
        for (old, new) in [("10.0.0.0/8", "10.0.0.0/9"), ("10.0.0.0/24", "10.0.0.0/16"), ("10.0.0.0/9", "10.0.0.0/8")] {
            let folder = try TestFolder([:])
            for (side, network) in [("old", old), ("new", new)] {
                try folder.makeDirectory(side)
                for (name, text) in files(network) { try folder.write("\(side)/\(name)", text) }
            }
            let outcome = try folder.run(["diff", "old", "new"])
            #expect(outcome.status == 1)
            #expect(
                outcome.text.contains("respond 204 → respond 403")
                    || outcome.text.contains("respond 403 → respond 204"),
                "\(outcome.text)"
            )
        }
    }

    @Test("An edit that requests reach and that neither they nor a proof decide is status 1")
    func unproved() throws {
        let folder = try TestFolder([
            "old.conf": "server { rewrite \"^/i/([0-9]{1,3})$\" /z permanent; }\n",
            "new.conf": "server { rewrite \"^/i/([0-9]{1,5})$\" /z permanent; }\n",
        ])
        #expect(try folder.run(["diff", "old.conf", "new.conf"]).status == 1)
    }

    @Test(
        "Budgets",
        arguments: [
            (["--max-changed", "3"], 0), (["--max-changed", "2"], 1), (["--max-changed", "60%"], 0),
            (["--max-changed", "59.9%"], 1), (["--max-changed", "3", "--max-removed", "0"], 0),
        ]
    )
    func budgets(options: [String], status: Int) throws {
        let outcome = try TestFolder(Self.files).run(["diff", "old", "new", "--requests", "urls.txt"] + options)
        #expect(Int(outcome.status) == status)
    }

    @Test(
        "Without a request that can be read, a budget and an approval have no answer",
        arguments: [
            ["--log", "access.log", "--max-changed", "1%"], ["--requests", "empty.txt", "--max-changed", "0"],
            ["--requests", "empty.txt", "--approved", "empty.txt"], ["--max-changed", "9223372036854775808"],
        ]
    )
    func unanswered(options: [String]) throws {
        let folder = try TestFolder(Self.files)
        try folder.write("access.log", "192.0.2.1 - - [01/Nov/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200 1\n")
        try folder.write("empty.txt", "")
        let outcome = try folder.run(["diff", "old", "new"] + options)
        #expect(outcome.status == (options.last == "9223372036854775808" ? 2 : 3), "\(outcome.errors)")
        #expect(outcome.errors.contains(options.count > 2 ? "has no answer" : "budget"), "\(outcome.errors)")
    }

    @Test("Changes that were approved, and one more")
    func approved() throws {
        let folder = try TestFolder(Self.files)
        let arguments = ["diff", "old", "new", "--requests", "urls.txt"]
        #expect(try folder.run(arguments + ["--write-approved", "ok.txt"]).status == 1)
        let same = try folder.run(arguments + ["--approved", "ok.txt"])
        #expect(same.status == 0)
        #expect(same.text.hasSuffix("the changes are the approved ones\n"))
        try folder.write("new/b.conf", "block host d.test;\n")
        let more = try folder.run(arguments + ["--approved", "ok.txt"])
        #expect(more.status == 1)
        #expect(more.text.contains("not approved: action"))
        try folder.write("new/a.conf", "block host a.test;\nblock host b.test;\nblock host c.test;\n")
        #expect(try folder.run(arguments + ["--approved", "ok.txt"]).text.contains("approved, but not there: status"))
    }

    @Test("A revision of a git repository is a side: a directory, and a file")
    func git() throws {
        let folder = try TestFolder(["rules/a.conf": "block host a.test;\n", "rules/lists/l.txt": "l.test\n"])
        try folder.write("rules/b.conf", "blocklist lists/l.txt;\n")
        for arguments in [
            ["init", "-q"], ["add", "."], ["-c", "user.name=A", "-c", "user.email=a@a.test", "commit", "-qm", "x"],
        ] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["git"] + arguments
            process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
        #expect(try folder.run(["diff", "git:HEAD:rules", "rules"]).status == 0)
        try folder.write("rules/a.conf", "block host c.test;\n")
        try folder.write("urls.txt", "https://a.test/\nhttps://l.test/\n")
        let outcome = try folder.run(["diff", "git:HEAD:rules", "rules", "--requests", "urls.txt"])
        #expect(outcome.text.contains("  1  block 403 → forward\n"))
        #expect(outcome.text.contains("changed  1 (50 %)"))
        #expect(
            try folder.run(["diff", "git:HEAD:rules/a.conf", "rules/a.conf"]).text.contains("to  block host c.test")
        )
        let unknown = try folder.run(["diff", "git:nowhere:rules", "rules"])
        #expect(unknown.status == 3)
        #expect(unknown.errors.contains("shunt: error: git:nowhere:rules: git: "))
    }

    @Test("Logs in several forms, with what could not be read")
    func logs() throws {
        let folder = try TestFolder([
            "old.conf": "server { }\n",
            "new.conf": "server { server_name a.test; location /x { return 404; } }\n",
            "combined.log": """
            192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] "GET /x HTTP/1.1" 200 5 "-" "-"
            192.0.2.1 - - [10/Oct/2026:13:55:37 +0000] "GET /x HTTP/1.1" 200 5 "-" "another"
            nonsense

            """,
            "own.log": "a.test /x\n",
        ])
        let combined = try folder.run([
            "diff", "old.conf", "new.conf", "--log", "combined.log", "--log-format", "combined", "--host", "a.test",
        ])
        #expect(combined.text.contains("traffic: 2 requests, 1 distinct to these rules\n  1 lines could not be read\n"))
        #expect(combined.errors == "shunt: warning: combined.log:3: the line has another form than the format\n")
        let own = try folder.run([
            "diff", "old.conf", "new.conf", "--log", "own.log", "--log-format", "$host $request_uri",
        ])
        #expect(own.text.contains("  1  forward → respond 404\n"))
    }

    @Test("Reports for programs, for pull requests and for GitHub")
    func reports() throws {
        let folder = try TestFolder(Self.files)
        let arguments = ["diff", "old", "new", "--requests", "urls.txt", "--format"]
        let json = try JSON(try folder.run(arguments + ["json"]).text)
        #expect(json["schema"].string == "shunt-diff/1")
        #expect(json["structure"]["edited"][0]["after"]["text"].string == "block host b.test 410")
        #expect(json["traffic"]["changed"].number == 3)
        #expect(json["traffic"]["groups"][0]["examples"][0]["request"]["url"].string == "https://b.test/1")
        #expect(json["traffic"]["groups"][0]["examples"][0]["new"]["status"].number == 410)
        let markdown = try folder.run(arguments + ["markdown"]).text
        #expect(markdown.contains("**3 of 5 requests change (60 %).**"))
        #expect(markdown.contains("| 1 | forward | block 403 | `block host c.test` | `https://c.test/` |"))
        let github = try folder.run(arguments + ["github"]).text
        #expect(
            github.contains(
                "::error file=new/a.conf,line=4,title=shunt diff::1 requests: forward → block 403, such as https://c.test/\n"
            )
        )
    }

    @Test(
        "A side that does not load, or a file that cannot be read, is status 3",
        arguments: [
            ["diff", "old", "nowhere"], ["diff", "nowhere", "new"], ["diff", "old", "bad.conf"],
            ["diff", "old", "new", "--requests", "nowhere"], ["diff", "old", "new", "--approved", "nowhere"],
            ["diff", "git:", "new"],
        ]
    )
    func unanswered(arguments: [String]) throws {
        let folder = try TestFolder(Self.files)
        try folder.write("bad.conf", "blokc host a;\n")
        let outcome = try folder.run(arguments)
        #expect(outcome.status == 3)
        #expect(outcome.text.isEmpty)
        #expect(!outcome.errors.isEmpty)
    }

    @Test(
        "Wrong usage",
        arguments: [
            ["diff", "old"], ["diff", "old", "new", "--max-changed", "x"], ["diff", "old", "new", "--group", "x"],
            ["diff", "old", "new", "--log-format", "cmbined"], ["diff", "old", "new", "--examples", "-1"],
            ["diff", "old", "new", "--group", "host", "--approved", "x"],
            ["diff", "old", "new", "--log", "x", "--log-format", "combined"],
        ]
    )
    func usage(arguments: [String]) throws {
        #expect(try TestFolder(Self.files).run(arguments).status == 2)
    }
}
