import Shunt
import ShuntCore
import Testing

@testable import ShuntRules

/// `redirects`: rows of a list decide as rules do, and what is wrong with them is reported by row.
@Suite("Lists of redirects")
struct RedirectListTests {
    private static func rules(_ directive: String, _ name: String, _ text: String) throws(RuleSetError) -> RuleSet {
        let files = InMemoryFileSystem(["/r/a.conf": directive, "/r/lists/\(name)": text])
        return try RuleSet(path: "/r", from: files)
    }

    /// A list, its options, and for each URL the decision in short.
    struct Example: Sendable, CustomTestStringConvertible {
        var name: String
        var options = ""
        var text: String
        var decisions: [(url: String, decision: String)]
        var testDescription: String { "\(name) \(options)" }
    }

    private static func short(_ decision: Decision) -> String {
        let line = decision.rule.map { " \($0.line)" } ?? ""
        switch decision.action {
        case .redirect(let redirect):
            return "\(redirect.status) \(redirect.location)\(line)"
        case .forward(let forward): return "forward \(forward.url)\(line)"
        default: return "\(decision.kind) \(decision.status ?? 0)\(line)"
        }
    }

    static let examples: [Example] = [
        Example(
            name: "plain.txt",
            text: "# moved\n/a /b\n/c -> https://x.test/d 302\n\n/gone 410\n/e /f;\n/w/* /v/:splat\n/s/* /t/*\n"
                + "\"/q\" '/r';\n/j \"/k\" 302;\n",
            decisions: [
                ("https://h.test/a?x=1", "301 https://h.test/b?x=1 2"),
                ("https://h.test:8443/a", "301 https://h.test:8443/b 2"),
                ("https://h.test/c", "302 https://x.test/d 3"), ("https://h.test/gone", "block 410 5"),
                ("http://h.test/e", "301 http://h.test/f 6"), ("https://h.test/w/1/2", "301 https://h.test/v/1/2 7"),
                ("https://h.test/s/1", "301 https://h.test/t/1 8"), ("https://h.test/a/", "forward https://h.test/a/"),
                ("https://h.test/q", "301 https://h.test/r 9"), ("https://h.test/j", "302 https://h.test/k 10"),
                ("https://h.test/A", "forward https://h.test/A"), ("kl://Page/a", "forward kl://Page/a"),
                ("https://h.test//x/../%61", "301 https://h.test/b 2"),
                ("https://h.test/w/a%3Fb%20c", "301 https://h.test/v/a%3Fb%20c 7"),
                ("https://h.test/w/%0d%0ax", "301 https://h.test/v/%0D%0Ax 7"),
            ]
        ),
        Example(
            name: "plain.txt",
            options: "status=308 query=drop slash=either case=either base=https://www.test",
            text: "/a /b\n",
            decisions: [
                ("http://h.test/A/?x=1", "308 https://www.test/b 1"), ("http://h.test/a", "308 https://www.test/b 1"),
            ]
        ),
        Example(
            name: "plain.txt",
            options: "query=exact host=www.test",
            text: "/a /b\n/a?x=1 /c\n",
            decisions: [
                ("http://www.test/a", "301 http://www.test/b 1"), ("http://www.test/a?x=1", "301 http://www.test/c 2"),
                ("http://www.test/a?y", "forward http://www.test/a?y"), ("http://h.test/a", "forward http://h.test/a"),
            ]
        ),
        Example(
            name: "moved.csv",
            text:
                "\u{feff}Note;Old URL;New URL;HTTP status\r\n\"a;\"\"b\"\"\";/a;/b;302\r\n;\"/c\";\"https://x.test/?a=1#f\";\r\n"
                + ";https://www.test/d;/e;301 Moved\r\n;/caf%C3%A9;/caf\u{e9}2;\r\n",
            decisions: [
                ("https://h.test/a", "302 https://h.test/b 2"),
                ("https://h.test/c?b=2", "301 https://x.test/?a=1&b=2#f 3"),
                ("http://www.test/d", "301 http://www.test/e 4"), ("http://h.test/d", "forward http://h.test/d"),
                ("http://h.test/caf\u{e9}", "301 http://h.test/caf%C3%A92 5"),
            ]
        ),
        Example(
            name: "sheet",
            options: "format=csv columns=to,-,from,status",
            text: "/b\tx\t/a\t303\n/d\tx\t/c\t\n",
            decisions: [("http://h.test/a", "303 http://h.test/b 1"), ("http://h.test/c", "301 http://h.test/d 2")]
        ),
        Example(
            name: "bulk.csv",
            text:
                "a.test/folder,https://n.test/1,302,TRUE,TRUE,TRUE,TRUE\na.test/folder/sub,https://n.test/2/,,,TRUE,TRUE,FALSE\n"
                + "www.a.test/folder,https://n.test/3,,,,TRUE\nhttp://b.test/,https://b.test/\nb.test/x/,https://n.test/y/,301,,,true\n",
            decisions: [
                ("https://a.test/folder?q=1", "302 https://n.test/1?q=1 1"),
                ("https://x.a.test/folder/i", "302 https://n.test/1/i 1"),
                ("https://a.test/folder/sub/item?q", "301 https://n.test/2/ 2"),
                ("https://a.test/folders", "forward https://a.test/folders"),
                ("https://www.a.test/folder/i?q", "301 https://n.test/3/i 3"),
                ("http://b.test/", "301 https://b.test/ 4"),
                ("https://b.test/", "forward https://b.test/"), ("https://b.test/x/1", "301 https://n.test/y/1 5"),
                ("https://b.test/x", "forward https://b.test/x"),
            ]
        ),
        Example(
            name: "bulk.csv",
            text:
                "a.test/a/b,https://n.test/1,301,false,false,false,false\nhttp://a.test/a/b,https://n.test/2,301,false,true,false,false\n"
                + "http://a.test/x,https://n.test/3,301,,,true\na.test/x/y,https://n.test/4,301,,,true\n"
                + "http://b.test/,https://n.test/5,301,,true,true\nwww.b.test/,https://n.test/6,301,,,true\n"
                + "b.test/%61%61,https://n.test/7,301,,,true\nhttp://b.test/aa,https://n.test/8,301\n",
            decisions: [
                ("https://a.test/a/b", "301 https://n.test/1 1"), ("http://a.test/a/b", "301 https://n.test/1 1"),
                ("http://x.a.test/a/b", "301 https://n.test/2 2"), ("http://a.test/x/z", "301 https://n.test/3/z 3"),
                ("http://a.test/x/y/z", "301 https://n.test/4/z 4"), ("http://www.b.test/", "301 https://n.test/6/ 6"),
                ("http://www.b.test/x", "301 https://n.test/6/x 6"), ("http://w.b.test/x", "301 https://n.test/5/x 5"),
                ("https://b.test/aa", "301 https://n.test/7 7"), ("http://b.test/aa", "301 https://n.test/8 8"),
            ]
        ),
        Example(
            name: "_redirects",
            text:
                "/one /one.html\n/posts/:year/:slug /articles/:slug/:year\n/s/* /r/:splat 302\n/app/* /index.html 200\n"
                + "/store id=:id tag=:tag /shop/:tag/:id\nhttp://blog.test/* https://www.test/blog/:splat 301!\n/s/late /never\n",
            decisions: [
                ("http://h.test/one/", "301 http://h.test/one.html 1"),
                ("http://h.test/posts/06/hello", "301 http://h.test/articles/hello/06 2"),
                ("http://h.test/s/a/b?c", "302 http://h.test/r/a/b?c 3"), ("http://h.test/s", "302 http://h.test/r/ 3"),
                ("http://h.test/app/x?y=1", "forward http://h.test/index.html?y=1 4"),
                ("http://h.test/store?tag=a&id=7", "301 http://h.test/shop/a/7 5"),
                ("http://h.test/store?id=7", "forward http://h.test/store?id=7"),
                ("http://blog.test/x", "301 https://www.test/blog/x 6"),
                ("http://h.test/s/late", "302 http://h.test/r/late 3"),
            ]
        ),
        Example(
            name: "vercel.json",
            text: """
                {"redirects": [
                  {"source": "/a", "destination": "/b", "permanent": true},
                  {"source": "/docs/:path*", "destination": "/d/:path*"},
                  {"source": "/p/:id(\\\\d+)", "destination": "https://x.test/:id", "statusCode": 301},
                  {"source": "/q/(.*)", "destination": "/r/$1", "permanent": false},
                  {"source": "/s/:id([a(]+)/:y", "destination": "/o/:y"},
                  {"source": "/t/:id((?:a|b)\\\\(?)/:y", "destination": "/o/:id/:y"},
                  {"source": "/u/((?<x>p)|q)/:y", "destination": "/o/:y"},
                  {"source": "/v/(?i:k)/:y", "destination": "/o/:y"},
                  {"source": "/w/:id([[:alpha:]])/:y", "destination": "/o/:y"}
                ]}
                """,
            decisions: [
                ("http://h.test/a", "308 http://h.test/b 2"), ("http://h.test/docs", "308 http://h.test/d/ 3"),
                ("http://h.test/docs/x/y", "308 http://h.test/d/x/y 3"),
                ("http://h.test/p/12", "301 https://x.test/12 4"),
                ("http://h.test/p/x", "forward http://h.test/p/x"),
                ("http://h.test/q/1/2", "307 http://h.test/r/1/2 5"),
                ("http://h.test/s/a(/k", "308 http://h.test/o/k 6"),
                ("http://h.test/t/b(/k", "308 http://h.test/o/b(/k 7"),
                ("http://h.test/u/p/k", "forward http://h.test/u/p/k"),
                ("http://h.test/v/k/z", "forward http://h.test/v/k/z"),
                ("http://h.test/w/a/z", "forward http://h.test/w/a/z"),
            ]
        ),
        Example(
            name: "firebase.json",
            text: #"{"hosting": {"redirects": [{"source": "/foo{,/**}", "destination": "/x", "type": 302},"#
                + "\n" + #"{"source": "/blog/:post*", "destination": "https://b.test/:post", "type": 301},"#
                + "\n" + #"{"source": "/v/*/old", "destination": "/v", "type": 302}]}}"#,
            decisions: [
                ("http://h.test/foo", "302 http://h.test/x 1"), ("http://h.test/foo/a", "302 http://h.test/x 1"),
                ("http://h.test/blog/a/b", "301 https://b.test/a/b 2"),
                ("http://h.test/v/1/old", "302 http://h.test/v 3"),
                ("http://h.test/v/1/2/old", "forward http://h.test/v/1/2/old"),
            ]
        ),
    ]

    @Test("Each form is read, and its rows decide", arguments: examples)
    func forms(_ example: Example) throws {
        let rules = try Self.rules("redirects lists/\(example.name) \(example.options);", example.name, example.text)
        var options = Engine.Options()
        options.isLinear = true
        for (url, decision) in example.decisions {
            let request = RuleRequest(url: url)
            #expect(Self.short(Engine(rules).decide(request)) == decision, "\(url)")
            #expect(Self.short(Engine(rules, options: options).decide(request)) == decision, "\(url)")
            #expect(Self.short(Engine(rules).explain(request).decision) == decision, "\(url)")
        }
    }

    @Test("A list in a server decides with the other directives of it, by the path that they see")
    func inServer() throws {
        let directive = """
            server {
                server_name h.test; error_page 410 /sorry;
                rewrite ^/before/(.*)$ /$1;
                redirects lists/a;
                rewrite ^/b$ /after last;
                location / { return 200 $uri?$args; }
            }
            """
        let rules = try Self.rules(directive, "a", "/a https://x.test/b\n/in /b?x=1 200\n/gone 410\n/p/* /q/:splat\n")
        let engine = Engine(rules)
        for (target, decision) in [
            ("/a?k", "301 https://x.test/b?k 1"), ("/before/a", "301 https://x.test/b 1"),
            ("/%61", "301 https://x.test/b 1"),
            ("/p//evil.test", "301 http://h.test/q/evil.test 4"), ("/in?y", "respond 200 6"),
            ("/gone", "respond 410 6"),
            ("/b", "respond 200 6"),
        ] {
            #expect(Self.short(engine.decide(RuleRequest(target: target, host: "h.test"))) == decision, "\(target)")
        }
        let decision = engine.decide(RuleRequest(target: "/in?y", host: "h.test"))
        guard case .respond(let response) = decision.action else { return #expect(Bool(false)) }
        #expect(response.body == "/b?x=1&y")
    }

    /// A list, the rows that are left out, and a part of the message.
    static let dirtyLists: [(text: String, left: [Int32], message: String)] = [
        ("/a /b\n/a /b\n/a /c\n", [2, 3], "1 repeated, 1 contradicting an earlier one"),
        ("/a /b\n/b /a\n/c /c\n/d /d?x=1\n", [1, 2, 3, 4], "4 in a loop"),
        ("/x /a\n/a /b\n/b /a\n", [2, 3], "2 in a loop"),
        ("/a#f /b\n", [1], "1 with a fragment"), ("a /b\n/a b\n", [1, 2], "1 for no path, 1 with a relative target"),
        ("ftp://h/a /b\n/a javascript:x\n/b mailto:x\n", [1, 2, 3], "1 for another scheme, 2 to another scheme"),
        ("/a\n/b /c 999\n/d /e 200 x y\n", [1, 2, 3], "1 without a target, 1 with an invalid status, 1 with spaces"),
        ("/a //x.test/\n/b /\\x.test\n", [1, 2], "2 with a relative target"), ("/a https:///x\n", [1], "1 to no URL"),
        ("/a/*/b/* /c\n", [1], "1 with an invalid wildcard"),
        ("/a https://x.test 200\n", [1], "1 with a page of another server"),
        ("/a /404.html 404\n", [1], "1 with a page for an error"), ("/a%zz /b\n/../../x /y\n", [1, 2], "2 for no URL"),
    ]

    @Test("A row that cannot be used is left out and reported; with strict the file is refused", arguments: dirtyLists)
    func dirt(text: String, left: [Int32], message: String) throws {
        let rules = try Self.rules("redirects lists/a;", "a", text)
        let list = try #require(rules.model.redirectLists.first)
        #expect(list.rows.filter(\.isLeftOut).map(\.line) == left)
        let problem = try #require(rules.diagnostics.first { $0.code == "invalid-rows" })
        #expect(problem.message.contains(message), "\(problem.message)")
        #expect(problem.location.file == "/r/lists/a" && problem.location.line == left.first.map { Int($0) })
        #expect(rules.diagnostics.count == 1 && !problem.notes.isEmpty)
        #expect(throws: RuleSetError.self) { try Self.rules("redirects lists/a strict;", "a", text) }
    }

    @Test(
        "A row is in a loop only where it is one with the options and the rows of the list",
        arguments: [
            ("a", "", "/a /a?x=1\n/b /b?y=1 302\n", [1, 2]), ("a", "query=exact", "/a /a?x=1\n/b /b?y=1 302\n", []),
            ("a", "query=drop", "/a /a?x=1\n", [1]), ("a", "query=exact", "/a /b\n/b /a\n", [1, 2]),
            ("a", "", "/a /b\n/b /a 200\n", []), ("a", "", "/a?x=1 /b?y=1\n/b?y=1 /a?x=1\n", [1, 2]),
            ("_redirects", "", "/a /b\n/* /z\n/b /a\n", []), ("_redirects", "", "/a /b\n/b /a\n/* /z\n", [1, 2]),
            ("_redirects", "", "/a /b\n/x/* /z\n/b /a\n", [1, 3]),
            ("_redirects", "host=h.test", "/a https://h.test/b\nh.test/b /z\n/b /a\n", [3]),
            (
                "bulk.csv", "",
                "h.test/a,https://h.test/b,301,false\nh.test/b,https://h.test/a\nhttps://h.test/b,https://z.test/\n",
                []
            ),
            ("bulk.csv", "", "h.test/a,https://h.test/b,301,false\nh.test/b,https://h.test/a\n", [1, 2]),
            (
                "bulk.csv", "",
                "h.test/a,https://h.test/b,301,false\nh.test/b,https://h.test/a\nhttps://h.test/b,https://z.test/,301,,,true\n",
                []
            ),
        ] as [(String, String, String, [Int32])]
    )
    func loops(name: String, options: String, text: String, left: [Int32]) throws {
        let rules = try Self.rules("redirects lists/\(name) \(options);", name, text)
        #expect(rules.model.redirectLists.first?.rows.filter(\.isLeftOut).map(\.line) == left)
    }

    @Test(
        "A row that leads to an error or to another page under its URL is in no chain",
        arguments: ["/b 410", "/b /c 200"]
    )
    func noChain(row: String) throws {
        #expect(try Self.rules("redirects lists/a;", "a", "/a /b\n\(row)\n").diagnostics.isEmpty)
    }

    @Test("A chain is reported, also by the host of the server or of base=, and stays in use")
    func chains() throws {
        let text = "/a /b\n/b https://h.test/c\n/c /d\n"
        for (directive, lines) in [
            ("redirects lists/a;", [1]), ("redirects lists/a base=https://h.test;", [1, 2]),
            ("redirects lists/a host=h.test;", [1, 2]),
            ("server { server_name h.test; redirects lists/a; }", [1, 2]),
        ] {
            let rules = try Self.rules(directive, "a", text)
            let problem = try #require(rules.diagnostics.first { $0.code == "redirect-chain" })
            #expect(problem.notes.map(\.location.line) == lines, "\(directive)")
            #expect(rules.model.redirectLists.first?.positions.count == 3)
        }
    }

    @Test("Rows with hosts lead to each other by their own host")
    func chainsOfHosts() throws {
        let text =
            "https://a.test/a /b\nhttps://a.test/b /c\nhttps://b.test/c /a\n/x https://a.test/a\nhttps://c.test/l /l2\nc.test/l2 /l\n"
        let rules = try Self.rules("redirects lists/a;", "a", text)
        let found = rules.diagnostics.map { "\($0.code) \($0.notes.map(\.location.line))" }
        #expect(found == ["redirect-chain [1, 4]", "invalid-rows [5, 6]"])
    }

    @Test(
        "A wrong option is reported",
        arguments: [
            ("stat=301", "unknown option"), ("status=200", "status=301"), ("query=x", "query=keep"),
            ("slash=no", "slash=either"),
            ("format=x", "format=plain"), ("host=*.a", "wildcard"), ("base=/x", "base=https"),
            ("columns=to", "columns=from"),
        ]
    )
    func options(option: String, message: String) throws {
        let error = try #require(throws: RuleSetError.self) {
            try Self.rules("redirects lists/a \(option);", "a", "/a /b\n")
        }
        #expect(error.description.contains(message))
    }

    @Test("Rows are rules in lists, counts and texts")
    func rowsAreRules() throws {
        let rules = try Self.rules("redirects lists/a;", "a", "# x\n/a  /b\n/b# /c\n/c /d 302\n")
        #expect(rules.ruleCount == 2)
        let listed = rules.listedRules
        #expect(listed.map(\.location.line) == [2, 4])
        #expect(listed.map(\.matcher) == ["/a", "/c"] && listed.map(\.target) == ["/b 301", "/d 302"])
        let counters = RuleCounters(rules)
        counters.count(Engine(rules).decide(RuleRequest(url: "https://h.test/c")))
        #expect(counters.counts().map(\.text) == ["/a  /b", "/c /d 302"])
        #expect(counters.counts().map(\.hits) == [0, 1])
    }

    @Test("Lists that share a file are counted with all rows and entries that one of them uses")
    func sharedFile() throws {
        let files = InMemoryFileSystem([
            "/r/a.conf": """
            block networks n; block networks n 410;
            server { listen 80; server_name b.test; redirects l; return 200; }
            server { listen 80; server_name a.test; redirects l query=exact; return 200; }
            """, "/r/l": "/a /b\n/c /c?x=1\n", "/r/n": "192.0.2.0/24\n10.0.0.0/8\n192.0.2.0/24\n",
        ])
        let rules = try RuleSet(path: "/r", from: files)
        let counters = RuleCounters(rules)
        for host in ["a.test", "b.test"] {
            counters.count(Engine(rules).decide(RuleRequest(target: "/c", host: host)))
        }
        let counts = counters.counts().filter { $0.rule.file != "/r/a.conf" }.map { "\($0.text) \($0.hits)" }
        #expect(counts.sorted() == ["/a /b 0", "/c /c?x=1 1", "10.0.0.0/8 0", "192.0.2.0/24 0", "192.0.2.0/24 0"])
    }
}
