import TestFolder
import Testing

@Suite("shunt examples")
struct ExamplesCommandTests {
    private static let rules = """
        block host ads.test;
        server {
            if ($http_x = "a;b") { return 403; }
            rewrite ^/i(\\d)$ /item/$1 permanent;
        }

        """

    @Test("Each row of a list has an example, with its place and its text")
    func rows() throws {
        let folder = try TestFolder([
            "r.conf": "server { redirects a.txt; redirects w.csv; redirects vercel.json; return 204; }\n",
            "a.txt": "  /a /b\n\t/c /d\n",
            "w.csv": "source,target,regex,code\n/with space,/s,0,301\n\"^/w/(\\d+)$\",/x/$1,1,301\n",
            "vercel.json":
                "{\n  \"redirects\": [\n    {\n      \"source\": \"/v\",\n      \"destination\": \"/x\"\n    }, {\n      \"source\": \"no\",\n      \"destination\": \"/x\"\n    }\n  ]\n}\n",
        ])
        let outcome = try folder.run(["examples", "--rules", "r.conf"])
        let lines = outcome.lines.filter { !$0.hasPrefix("  ") }
        #expect(
            lines == [
                "a.txt:1:3   /a /b", "a.txt:2:2   /c /d", "r.conf:1:67   return 204",
                #"vercel.json:3:5   { "source": "/v", "destination": "/x" }"#, "w.csv:2:1   /with space,/s,0,301",
                #"w.csv:3:1   "^/w/(\d+)$",/x/$1,1,301"#, "6 of 6 rules have an example.",
            ],
            "\(outcome.text)"
        )
        let check = try folder.run(["check", "--rules", "r.conf"]).text
        #expect(check.contains(#"   6 |        { "source": "no", "destination": "/x" }"# + "\n"), "\(check)")
    }

    @Test("Hits and misses with what is decided, and how many rules have an example")
    func text() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        let outcome = try folder.run(["examples", "--rules", "r.conf", "--misses"])
        let rows = outcome.lines.map { $0.split(separator: "  ").map { $0.drop { $0 == " " } }.joined(separator: "|") }
        #expect(
            rows == [
                "r.conf:1:1|block host ads.test", "hits|http://ads.test/|block 403",
                "misses|http://aads.test/|the host",
                "r.conf:3:28|return 403", "hits|localhost/ {X: a;b}|respond 403",
                #"misses|localhost/|if ($http_x = "a;b")"#,
                #"r.conf:4:5|rewrite ^/i(\d)$ /item/$1 permanent"#,
                "hits|localhost/i0|redirect 301 http://localhost/item/0", "misses|localhost/ia|the digits",
                "localhost/a/i0|the start", "localhost/i0a|the end", "3 of 3 rules have an example.",
            ]
        )
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(try folder.run(["examples", "--rules", "r.conf", "--misses"]).lines == outcome.lines)
    }

    @Test("The rules at a place only")
    func places() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        let outcome = try folder.run(["examples", "--rules", "r.conf", "r.conf:4", "--as", "lines"])
        #expect(outcome.lines == [#"{"target":"/i0","host":"localhost"}"#])
        let wrong = try folder.run(["examples", "--rules", "r.conf", "r.conf:2"])
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("There is no rule at r.conf:2"))
    }

    @Test("Examples written as lines have the decisions of the examples")
    func lines() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        let lines = try folder.run(["examples", "--rules", "r.conf", "--as", "lines"]).lines
        let decided = try folder.run(["run", "--rules", "r.conf"], input: lines.joined(separator: "\n") + "\n").lines
        #expect(decided.map { String($0.prefix(12)) } == ["block 403   ", "respond 403 ", "redirect 301"])
    }

    @Test("In the notations of tests")
    func notations() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        let requests = try folder.run(["examples", "--rules", "r.conf", "--as", "requests"]).lines
        #expect(
            requests == [
                "name: r.conf:1:1 block host ads.test", "http://ads.test/ -> block 403", "",
                "name: r.conf:3:28 return 403", "GET / localhost -> respond 403", "    > X: a;b", "",
                "name: r.conf:4:5 rewrite ^/i(\\d)$ /item/$1 permanent",
                "GET /i0 localhost -> redirect 301 http://localhost/item/0", "",
            ]
        )
        let expectations = try folder.run(["examples", "--rules", "r.conf", "--as", "expect"]).lines
        #expect(
            expectations == [
                "expect http://ads.test/ block 403;",
                #"expect / respond 403 { host localhost; header X "a;b"; }"#,
                "expect /i0 redirect 301 http://localhost/item/0 { host localhost; }",
            ]
        )
    }

    @Test("For programs: one object with all rules")
    func json() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        let object = try JSON(try folder.run(["examples", "--rules", "r.conf", "--format", "json"]).lines[0])
        #expect(object["schema"].string == "shunt-examples/1")
        #expect(object["rules"].number == 3)
        #expect(object["with_example"].number == 3)
    }
}
