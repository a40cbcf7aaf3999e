import TestFolder
import Testing

@Suite("shunt check")
struct CheckCommandTests {
    @Test("Rules without errors are counted, and the exit status is 0")
    func good() throws {
        let folder = try TestFolder([
            "rules/a.conf": "block host a.test;\nrename_host b.test c.test;\n",
            "rules/b.conf": "server { listen 80; return 301 /x; }\n",
            "rules/notes.txt": "this is no rule file",
        ])
        let outcome = try folder.run(["check", "rules"])
        #expect(outcome.text == "3 rules: no errors, no warnings\n")
        #expect(outcome.errors.isEmpty)
        #expect(outcome.status == 0)
    }

    @Test("Expressions that every request has to try are listed with the reason, in both formats")
    func alwaysTried() throws {
        let folder = try TestFolder([
            "a.conf": """
            server {
                rewrite ^/one/ /1;
                rewrite ^/two/ /2;
                rewrite (.*)/[0-9]$ /3;
                rewrite ^/four/ /4;
            }
            map $arg_q $kind {
                ~^[0-9]+$ number;
                ~*^word word;
            }
            """
        ])
        let text = try folder.run(["check", "a.conf"])
        #expect(text.status == 0)
        #expect(text.text.contains("  a.conf:4:5: rewrite (.*)/[0-9]$ /3\n    "))
        #expect(text.text.contains("  a.conf:8:5: ~^[0-9]+$ number\n    "))
        #expect(text.text.hasSuffix("4 rules: no errors, no warnings\n"))
        let json = try JSON(try folder.run(["check", "a.conf", "--format", "json"]).text)["always_tried"]
        #expect(json.count == 2)
        #expect(json[0]["line"].number == 4)
        #expect(json[0]["rule"].string == "rewrite (.*)/[0-9]$ /3")
        #expect(json[0]["reason"].string?.isEmpty == false)
        #expect(json[1]["line"].number == 8)
    }

    @Test("All errors of all files are shown at once, each with its place, its line, a caret and a suggestion")
    func errors() throws {
        let folder = try TestFolder([
            "rules/a.conf": "blokc host a.test;\nserver {\n    listen 80;\n    rewrite ^/(a /b;\n}\n",
            "rules/b.conf": "block host b.test;\nserver { retrun 301 /x; }\n",
        ])
        let outcome = try folder.run(["check", "rules"])
        #expect(
            outcome.text == """
                rules/a.conf:1:1: error: unknown directive "blokc" [unknown-directive]
                   1 | blokc host a.test;
                     | ^~~~~ did you mean "block"?
                rules/a.conf:4:16: error: invalid regular expression: missing closing parenthesis [invalid-regex]
                   4 |     rewrite ^/(a /b;
                     |                ^ close it with ")", or write "\\(" for a parenthesis that is meant literally
                rules/b.conf:2:10: error: unknown directive "retrun" [unknown-directive]
                   2 | server { retrun 301 /x; }
                     |          ^~~~~~ did you mean "return"?
                3 errors, no warnings

                """
        )
        #expect(outcome.errors.isEmpty)
        #expect(outcome.status == 1)
    }

    @Test("Servers and routes are counted where there are no rules")
    func withoutRules() throws {
        let folder = try TestFolder([
            "routes.conf": "route /a a;\nroute /b b;\n", "server.conf": "server { location / { deny all; } }\n",
        ])
        #expect(try folder.run(["check", "routes.conf"]).text == "no rules, 2 routes: no errors, no warnings\n")
        #expect(try folder.run(["check", "server.conf"]).text == "no rules, 1 server: no errors, no warnings\n")
    }

    @Test("Warnings alone leave the exit status at 0")
    func warnings() throws {
        let folder = try TestFolder(["a.conf": "server {\n    listen 80;\n    server_name a/b;\n    return 204;\n}\n"])
        let outcome = try folder.run(["check", "a.conf"])
        #expect(outcome.text.contains("a.conf:3:17: warning: "))
        #expect(outcome.text.hasSuffix("1 rule: no errors, 1 warning\n"))
        #expect(outcome.status == 0)
    }

    @Test("A file outside the rules is read where its directory is trusted")
    func trust() throws {
        let folder = try TestFolder([
            "rules/a.conf": "include ../common/types.conf;\ninclude ../other/b.conf;\n",
            "common/types.conf": "block host a.test;\n",
            "other/b.conf": "block host b.test;\n",
        ])
        let refused = try folder.run(["check", "rules"])
        #expect(refused.text.contains("a.conf:1:9: error: \"../common/types.conf\" leads outside the rule directory"))
        #expect(refused.text.hasSuffix("\n2 errors, no warnings\n"))
        let partly = try folder.run(["check", "rules", "--trust", "common"])
        #expect(partly.text.contains("a.conf:2:9: error: \"../other/b.conf\" leads outside the rule directory"))
        #expect(partly.text.hasSuffix("\n1 error, no warnings\n"))
        let accepted = try folder.run(["check", "rules", "--trust", "common", "--trust", "other"])
        #expect(accepted.text == "2 rules: no errors, no warnings\n")
        let decided = try folder.run(
            ["run", "--rules", "rules", "--trust", "common", "--trust", "other"],
            input: "https://b.test/\n"
        )
        #expect(decided.text.contains("block 403"))
        let explained = try folder.run(
            ["explain", "--rules", "rules", "--trust", "common", "--trust", "other", "https://a.test/"]
        )
        #expect(explained.text.contains("block 403"))
    }

    @Test("Several paths are checked in one go")
    func several() throws {
        let folder = try TestFolder([
            "a.conf": "nonsense;\n", "b/c.conf": "nonsense;\n", "d.conf": "block host d.test;\n",
        ])
        let outcome = try folder.run(["check", "a.conf", "b", "d.conf", "missing"])
        #expect(outcome.text.contains("a.conf:1:1: error: unknown directive \"nonsense\" [unknown-directive]\n"))
        #expect(outcome.text.contains("b/c.conf:1:1: error: unknown directive \"nonsense\" [unknown-directive]\n"))
        #expect(outcome.text.contains("error: cannot read \"missing\": no such file [unreadable-file]\n"))
        #expect(outcome.text.hasSuffix("\n3 errors, no warnings\n"))
        #expect(outcome.status == 3)
    }

    @Test("A forgotten semicolon in the file of a map, and a key that is there already")
    func entriesOfMaps() throws {
        let folder = try TestFolder([
            "a.conf": "map $uri $new { include a.map; }\n", "a.map": "/a /b;\n/c /d\n/e /f;\n/A /g;\n",
        ])
        #expect(
            try folder.run(["check", "a.conf"]).text == #"""
                a.map:2:6: error: the entry "/c" runs on into the next line [missing-semicolon]
                   2 | /c /d
                     |      ^ put ";" after "/d"
                a.map:4:1: error: the key "/A" is in this map already [duplicate-key]
                   4 | /A /g;
                     | ^~ remove one of them; keys are the same whatever their case
                a.map:1:1: note: the first is here, with another value
                   1 | /a /b;
                     | ^
                2 errors, no warnings

                """#
        )
    }

    @Test("The report as JSON has the same in it, on one line")
    func json() throws {
        let folder = try TestFolder(["a.conf": "blokc host a.test;\nblock host \"b\";\n"])
        let outcome = try folder.run(["check", "a.conf", "--format", "json"])
        #expect(outcome.lines.count == 1)
        let report = try JSON(outcome.output)
        #expect(report["errors"].number == 1)
        #expect(report["warnings"].number == 0)
        let diagnostic = report["diagnostics"][0]
        #expect(diagnostic["severity"].string == "error")
        #expect(diagnostic["code"].string == "unknown-directive")
        #expect(diagnostic["message"].string == "unknown directive \"blokc\"")
        #expect(diagnostic["file"].string == "a.conf")
        #expect(diagnostic["line"].number == 1)
        #expect(diagnostic["column"].number == 1)
        #expect(diagnostic["length"].number == 5)
        #expect(diagnostic["source"].string == "blokc host a.test;")
        #expect(diagnostic["suggestion"].string == "did you mean \"block\"?")
        #expect(outcome.status == 1)
    }

    @Test("Nothing of a rule file reaches the terminal raw")
    func hostileText() throws {
        let folder = try TestFolder([
            "a.conf": "non\u{1b}[31msense;\n", "urls": "http://a.test/x\n",
            "b.conf": "block ~ a.b; server { location /x { return 200 \"\u{9b}31m\u{202e}\"; } return 301 /\u{9b}; }\n",
        ])
        let outcome = try folder.run(["check", "a.conf"])
        #expect(!outcome.output.contains(0x1b))
        #expect(outcome.status == 1)
        let rules = ["--rules", "b.conf"]
        for words in [
            ["check", "b.conf"], ["list"] + rules, ["lint", "b.conf"], ["examples"] + rules,
            ["explain"] + rules + ["http://a.test/x"],
            ["bench"] + rules + ["--requests", "urls", "--by-rule", "--seconds", "0.05"],
        ] {
            let outcome = try folder.run(words)
            #expect(!outcome.output.isEmpty && outcome.status < 2, "\(words)")
            #expect(!outcome.text.unicodeScalars.contains { $0 == "\u{9b}" || $0 == "\u{202e}" }, "\(words)")
        }
    }
}
