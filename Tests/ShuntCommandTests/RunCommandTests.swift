import TestFolder
import Testing

@Suite("shunt run")
struct RunCommandTests {
    static let rules = """
        rename_host old.test new.test;
        input $version "0";
        if ($version >= 2.0) { block host beta.test 451; }
        degrade ~ ^kl://Pay/(\\w+) https://m.test/pay/$1;
        block host ads.test;
        rewrite_url ^kl://Item/(\\d+)$ kl://Detail/show?id=$1 last;
        server {
            listen 80;
            server_name www.test;
            location = /hello { add_header X-One 1; add_header X-One 2; return 200 "hello $arg_name"; }
            location = /moved { return 301 https://www.test/new?from=$arg_from; }
            location = /who { return 200 "$remote_addr $request_method $http_x_name $time_iso8601 $server_port"; }
        }

        """

    @Test("A request that names files sees just these")
    func files() throws {
        let folder = try TestFolder([
            "rules.conf": "server { location / { root /www; try_files $uri =404; } }\n"
        ])
        let lines =
            #"{"url":"http://a.test/x","files":["/www/x"]}"# + "\n" + #"{"url":"http://a.test/x","files":["/www/y"]}"#
            + "\n"
        let outcome = try folder.run(["run", "--rules", "rules.conf"], input: lines)
        #expect(outcome.text.contains("forward") && outcome.text.contains("respond 404"), "\(outcome.text)")
    }

    /// Lines of input, and members of the decisions on them.
    static let decisions: [(line: String, expected: [String: String])] = [
        ("kl://Home/x", ["decision": "forward", "url": "kl://Home/x"]),
        ("kl://old.test/a?b", ["decision": "forward", "url": "kl://new.test/a?b", "uri": "/a", "args": "b"]),
        ("kl://Pay/card", ["decision": "degrade", "url": "https://m.test/pay/card", "rule": "rules.conf:4:1"]),
        ("https://ads.test/x", ["decision": "block", "status": "403", "rule": "rules.conf:5:1"]),
        ("kl://Item/42", ["decision": "forward", "url": "kl://Detail/show?id=42", "rule": "rules.conf:6:1"]),
        ("kl://例え.test/路径", ["decision": "forward"]),
        ("https://xn--r8jz45g.test/路径", ["decision": "forward"]),
        (
            "http://www.test/hello?name=you",
            [
                "decision": "respond", "status": "200", "body": "hello you", "server": "www.test",
                "location": "= /hello", "rule": "rules.conf:10:65", "uri": "/hello", "args": "name=you",
            ]
        ),
        (
            "http://www.test/moved?from=a%20b",
            [
                "decision": "redirect", "status": "301", "url": "https://www.test/new?from=a%20b",
                "rule": "rules.conf:11:25",
            ]
        ),
        (#"{"target": "/moved?from=é", "host": "www.test"}"#, ["url": "https://www.test/new?from=é"]),
        (#"{"url": "kl://beta.test/"}"#, ["decision": "forward"]),
        (#"{"url": "kl://beta.test/", "input": {"version": "1.9"}}"#, ["decision": "forward"]),
        (#"{"url": "kl://beta.test/", "input": {"version": "2.10"}}"#, ["decision": "block", "status": "451"]),
        (#"{"url": "kl://beta.test/", "input": {"$version": 3}}"#, ["decision": "block", "status": "451"]),
        (#"{"url": "kl://beta.test/", "input": {"version": null}}"#, ["decision": "forward"]),
        (
            #"""
            {"target": "/who", "host": "www.test", "method": "PUT", "headers": {"X-Name": "n"}, \#
            "remote_addr": "10.1.2.3", "listen": "127.0.0.1:80", "time": "2026-02-03T04:05:06Z"}
            """#,
            ["body": "10.1.2.3 PUT n 2026-02-03T04:05:06+00:00 80"]
        ),
        (
            #"{"target": "/who", "headers": [["Host", "www.test"], ["x-name", "a"]], "time": "2026-02-03 04:05+01:00"}"#,
            ["body": "127.0.0.1 GET a 2026-02-03T03:05:00+00:00 80"]
        ),
        (#" {"url":"kl:\/\/Home\u002fx", "id": [1, {"a": null}], "method": null}"#, ["url": "kl://Home/x"]),
    ]

    @Test("Decisions as JSON")
    func decisions() throws {
        let folder = try TestFolder(["rules.conf": Self.rules])
        let input = Self.decisions.map { $0.line + "\n" }.joined()
        let outcome = try folder.run(["run", "--rules", "rules.conf", "--format", "json"], input: input)
        try #require(outcome.lines.count == Self.decisions.count, "\(outcome.text)\(outcome.errors)")
        for (line, (request, expected)) in zip(outcome.lines, Self.decisions) {
            let decision = try JSON(line)
            for (name, value) in expected {
                #expect(decision.shown(name) == value, "\(name) of \(request) in \(line)")
            }
            if !request.contains("{") { #expect(decision["request"].string == request) }
        }
        #expect(outcome.errors.isEmpty)
        #expect(outcome.status == 0)
    }

    @Test("A decision has the members that apply to it, and no others")
    func members() throws {
        let folder = try TestFolder(["rules.conf": Self.rules])
        let input = "kl://Pay/card\nhttp://www.test/hello\nhttps://ads.test/\n"
        let outcome = try folder.run(["run", "--rules", "rules.conf", "--format", "json"], input: input)
        let members = try outcome.lines.map { try JSON($0).names }
        #expect(
            members == [
                ["decision", "request", "rule", "url"],
                [
                    "args", "body", "decision", "headers", "location", "request", "rule", "server", "status", "uri",
                ],
                ["decision", "request", "rule", "status"],
            ]
        )
    }

    @Test("Response headers are pairs in order, so that repeated ones are all there")
    func headers() throws {
        let folder = try TestFolder(["rules.conf": Self.rules])
        let arguments = ["run", "--rules", "rules.conf", "--format", "json"]
        let headers = try JSON(folder.run(arguments, input: "http://www.test/hello").output)["headers"]
        let pairs = (0..<headers.count).compactMap { headers[$0].strings }.filter { $0.first == "X-One" }
        #expect(pairs == [["X-One", "1"], ["X-One", "2"]])
    }

    @Test("A forwarded request has its route, the parameters, and the headers of an answer that succeeds")
    func route() throws {
        let folder = try TestFolder([
            "rules.conf": "route GET /item/:id item;\nserver { listen 80; add_header X-One 1; location / { } }\n"
        ])
        let input = "http://a.test/item/7%2F8\nhttp://a.test/other\n"
        let arguments = ["run", "--rules", "rules.conf"]
        let decisions = try folder.run(arguments + ["--format", "json"], input: input).lines.map { try JSON($0) }
        #expect(decisions.map { $0["route"].string } == ["item", nil])
        #expect(decisions.map { $0["parameters"]["id"].string } == ["7/8", nil])
        #expect(decisions.map { $0["headers"][0].strings } == [["X-One", "1"], ["X-One", "1"]])
        #expect(try folder.run(arguments, input: input).text.contains("[item id=7/8]"))
    }

    @Test("A line that is an object is repeated as it is, with everything in it")
    func repeatedObject() throws {
        let folder = try TestFolder(["rules.conf": Self.rules])
        let line = #"  {"id" :7, "url": "kl://a\/b", "more": [1.50, "é", {"x": false}]}  "#
        let outcome = try folder.run(["run", "--rules", "rules.conf", "--format", "json"], input: line + "\n")
        #expect(outcome.text.hasPrefix(#"{"request":\#(line),"decision":"forward","url":"kl://a/b""#))
    }

    @Test("Text has a line for each decision, with the place of the rule at its end")
    func text() throws {
        let folder = try TestFolder(["rules.conf": Self.rules])
        let input = """
            kl://Home/x
            kl://Pay/card
            https://ads.test/x
            http://www.test/hello?name=you
            {"target": "/moved", "host": "www.test"}
            {"target": "/other", "host": "www.test"}
            {"url": "kl://a", "method": "PUT", "input": {"b": 2, "a": "é"}, "headers": {"X": "y"}}
            {"url": "kl://a", "remote_addr": "::1", "listen": 81, "time": "2026-02-03T04:05:06Z"}
            {"url": "kl://a", "headers": {"X": "\(String(repeating: "long ", count: 100))"}}
            nonsense

            """
        let outcome = try folder.run(["run", "--rules", "rules.conf"], input: input)
        let lines = outcome.lines.map { $0.split(separator: "  ").map { $0.drop { $0 == " " } }.joined(separator: "|") }
        #expect(
            lines == [
                "forward|kl://Home/x",
                "degrade|kl://Pay/card|→ https://m.test/pay/card|rules.conf:4:1",
                "block 403|https://ads.test/x|rules.conf:5:1",
                "respond 200|http://www.test/hello?name=you|\"hello you\"|rules.conf:10:65",
                "redirect 301|www.test/moved|→ https://www.test/new?from=|rules.conf:11:25",
                "forward|www.test/other",
                "forward|PUT kl://a {a=é, b=2, X: y}",
                "forward|kl://a {from ::1, at *:81, 2026-02-03T04:05:06Z}",
                "forward|kl://a {X: \(String(repeating: "long ", count: 11))lo…}",
                "fail 400|nonsense|the URL is malformed: the URL has no scheme",
            ]
        )
        #expect(!outcome.output.contains(0x1b))
        #expect(outcome.status == 1)
    }

    @Test("Rules tried one after another decide the same")
    func linear() throws {
        let folder = try TestFolder(["rules.conf": Self.rules])
        let input = Self.decisions.map { $0.line + "\n" }.joined()
        let arguments = ["run", "--rules", "rules.conf", "--format", "json"]
        let indexed = try folder.run(arguments, input: input)
        let linear = try folder.run(arguments + ["--linear"], input: input)
        #expect(indexed.lines.count == Self.decisions.count)
        #expect(indexed.text == linear.text)
    }

    @Test("Files are looked up in the document root")
    func documentRoot() throws {
        let folder = try TestFolder([
            "rules.conf": "server { listen 80; location / { try_files $uri /fallback; } "
                + "location = /fallback { return 200 missing; } }",
            "site/here.html": "here",
        ])
        let input = "http://a.test/here.html\nhttp://a.test/not-here.html\n"
        let arguments = ["run", "--rules", "rules.conf", "--format", "json", "--document-root", "site"]
        let lines = try folder.run(arguments, input: input).lines.map { try JSON($0) }
        #expect(lines.map { $0["body"].string } == [nil, "missing"])
        #expect(lines.first?["decision"].string == "forward")
    }

    @Test("Errors in the rules are shown and end the command before any decision")
    func badRules() throws {
        let folder = try TestFolder(["rules.conf": "nonsense;\n"])
        let outcome = try folder.run(["run", "--rules", "rules.conf"], input: "kl://a/b\n")
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors == """
                rules.conf:1:1: error: unknown directive "nonsense" [unknown-directive]
                   1 | nonsense;
                     | ^~~~~~~~ if it is of a module that changes no decision, write ignore_directive nonsense; at the top level

                """
        )
        #expect(outcome.status == 3)
    }
}

extension JSON {
    /// A member as text, whatever it is; a place as people write it.
    func shown(_ name: String) -> String? {
        let member = self[name]
        if let file = member["file"].string, let line = member["line"].number, let column = member["column"].number {
            return "\(file):\(line):\(column)"
        }
        return member.string ?? member.number.map { "\($0)" }
    }
}
