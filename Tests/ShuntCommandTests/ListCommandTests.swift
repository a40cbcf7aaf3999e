import TestFolder
import Testing

@Suite("shunt list")
struct ListCommandTests {
    private static let rules = """
        #: name=ads owner=@ads until=2027-01-01
        block host ads.test *.spam.test 410;
        block ~ x$;  #: allow unescaped-dot "the list is closed"
        rename_host Old New;
        degrade ^~ kl://Pay/ https://m.test/pay;
        server {
            #: ticket=WEB-1
            rewrite ^/a/(.*)$ "/b/$1" last;
            return 301 https://www.test$uri;
        }
        #: owner=@routes
        route GET /item/:id item;

        """

    @Test("Every rule with its place, kind, matcher, target and note, in the order of the files")
    func list() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        let outcome = try folder.run(["list", "--rules", "r.conf"])
        let rows = outcome.lines.map { $0.split(separator: "  ").map { $0.drop { $0 == " " } }.joined(separator: "|") }
        #expect(
            rows == [
                "r.conf:2:1|block|host ads.test *.spam.test|→ 410|indexed|name=ads owner=@ads until=2027-01-01",
                "r.conf:3:1|block|~ x$|indexed|allow unescaped-dot",
                "r.conf:4:1|rename_host|Old|→ New|indexed",
                "r.conf:5:1|degrade|^~ kl://Pay/|→ https://m.test/pay|indexed",
                "r.conf:8:5|rewrite|^/a/(.*)$|→ /b/$1 last|in order|ticket=WEB-1",
                "r.conf:9:5|return|→ 301 https://www.test$uri|in order",
                "r.conf:12:11|route|GET /item/:id|→ item|indexed|owner=@routes",
            ]
        )
        #expect(outcome.errors.isEmpty)
        #expect(outcome.status == 0)
    }

    @Test("A rule has the blocks that choose its requests")
    func context() throws {
        let rules =
            "server { server_name a.test b.test; location = /x { if ($arg_y = 1) { return 302 /y; } return 410; } }\n"
        let folder = try TestFolder(["r.conf": rules])
        let lines = try folder.run(["list", "--rules", "r.conf"]).lines
        #expect(lines[0].hasSuffix("  in server a.test, location = /x, if ($arg_y = 1)"))
        #expect(lines[1].hasSuffix("  in server a.test, location = /x"))
        let json = try JSON(folder.run(["list", "--rules", "r.conf", "--format", "json"]).lines[1])
        #expect(json["in"].string == "server a.test, location = /x")
    }

    @Test("The list for programs: one object a rule")
    func json() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        let lines = try folder.run(["list", "--rules", "r.conf", "--format", "json"]).lines.map { try JSON($0) }
        #expect(lines.count == 7)
        #expect(lines[0]["note"]["owner"].string == "@ads")
        #expect(lines[0]["matcher"].string == "host ads.test *.spam.test")
        #expect(lines[0]["target"].string == "410")
        #expect(lines[0]["line"].number == 2)
        #expect(lines[1]["note"]["allow"].strings == ["unescaped-dot"])
        #expect(lines[5]["kind"].string == "return")
        #expect(lines[5]["lookup"].string == "in order")
    }

    @Test("A rule that every request tries is marked")
    func always() throws {
        let folder = try TestFolder([
            "r.conf": "server { rewrite ^/a /b; rewrite ^/c /d; rewrite (.*)/[0-9]$ /3; rewrite ^/e /f; }"
        ])
        let lookups = try folder.run(["list", "--rules", "r.conf", "--format", "json"]).lines
            .map {
                try JSON($0)["lookup"].string
            }
        #expect(lookups == ["indexed", "indexed", "always", "indexed"])
    }

    @Test("A mistake in a note is a warning")
    func wrongNotes() throws {
        let folder = try TestFolder([
            "r.conf": "#: ownr=@a\nblock host a.test;  #: allow\n# : is no note, and neither is '#: x=1'\n#: owner=@b\n"
        ])
        let text = try folder.run(["check", "r.conf"]).text
        #expect(text.contains("r.conf:1:4: warning: a note has no \"ownr\" [invalid-note]\n"))
        #expect(text.contains("did you mean \"owner\"?"))
        #expect(text.contains("r.conf:2:21: warning: \"allow\" is followed by the name of a check [invalid-note]\n"))
        #expect(text.contains("r.conf:4:1: warning: there is no rule after this note [invalid-note]\n"))
        #expect(text.hasSuffix("1 rule: no errors, 3 warnings\n"))
    }
}
