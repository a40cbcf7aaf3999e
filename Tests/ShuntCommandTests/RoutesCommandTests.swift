import TestFolder
import Testing

@Suite("shunt routes")
struct RoutesCommandTests {
    private static let rules = """
        route GET /users/me                  me;
        route     /users/:id(uint)           user;
        route     /users/:id(uint)(/:tab)/x  tab;
        route     /files/*path               file;
        route     kl://user/:id              native priority=2;

        """

    private func folder() throws -> TestFolder {
        try TestFolder(["routes.conf": Self.rules])
    }

    @Test("Each URL has a line: the route, the URL and the values, or why there is none")
    func text() throws {
        let input = "/users/7?tab=1&all\n/users/seven\n/files/a/b%2Fc\n/usres/me\n"
        let outcome = try folder().run(["routes", "--table", "routes.conf"], input: input)
        #expect(
            outcome.lines == [
                "user            /users/7?tab=1&all                        id=7 ? tab=1 all",
                "no route        /users/seven                              \"seven\" does not fit id(uint)",
                "file            /files/a/b%2Fc                            path=a/b/c",
                "no route        /usres/me                                 no route has this path; did you mean \"/users/me\"?",
            ]
        )
        #expect(outcome.errors.isEmpty)
        #expect(outcome.status == 1)
    }

    @Test(
        "With --format json each line is an object",
        arguments: [
            ("/users/me", #"{"url":"/users/me","route":"me","pattern":"/users/me","parameters":{}}"#),
            (
                "/users/7/a%20b/x",
                #"{"url":"/users/7/a%20b/x","route":"tab","pattern":"/users/:id(uint)(/:tab)/x","parameters":{"id":"7","tab":"a b"}}"#
            ),
            (
                "/files/a/b%2Fc?x=1&y&x=2",
                #"{"url":"/files/a/b%2Fc?x=1&y&x=2","route":"file","pattern":"/files/*path","parameters":{"path":"a/b/c"},"wildcard":["a","b/c"],"query":{"x":["1","2"],"y":null}}"#
            ),
            (
                "kl://user/1",
                #"{"url":"kl://user/1","route":"native","pattern":"kl://user/:id","parameters":{"id":"1"}}"#
            ),
            ("/nothing", #"{"url":"/nothing","route":null,"reason":"no route has this path"}"#),
            ("", #"{"url":"","route":null,"reason":"no route has this path"}"#),
            (
                #"{"url": "/users/me", "method": "PUT"}"#,
                #"{"url":"/users/me","route":null,"reason":"the path accepts only GET"}"#
            ),
            (
                #"{"target": "/users/me"}"#,
                #"{"url":"{\"target\": \"/users/me\"}","route":null,"reason":"a line needs \"url\""}"#
            ),
        ]
    )
    func json(line: String, expected: String) throws {
        let outcome = try folder().run(["routes", "--table", "routes.conf", "--format", "json"], input: line + "\n")
        #expect(outcome.lines == [expected])
        #expect(outcome.status == (expected.contains("\"route\":null") ? 1 : 0))
    }

    @Test("The exit status is 0 when every URL matched, also when there was none")
    func status() throws {
        #expect(try folder().run(["routes", "--table", "routes.conf"], input: "/users/me\n/users/1").status == 0)
        #expect(try folder().run(["routes", "--table", "routes.conf"]).status == 0)
    }

    @Test("--method is that of all lines without one")
    func method() throws {
        let input = "/users/me\n{\"url\": \"/users/me\", \"method\": \"GET\"}\n"
        let outcome = try folder().run(["routes", "--table", "routes.conf", "--method", "POST"], input: input)
        #expect(outcome.lines.map { $0.prefix(8) } == ["no route", "me      "])
    }

    @Test("A URL that is not UTF-8 is looked up byte by byte, and nothing of it reaches the terminal raw")
    func bytes() throws {
        let input: [UInt8] = Array("/files/".utf8) + [0xff, 0x1b, 0x0a]
        let folder = try folder()
        let object = try JSON(
            folder.run(["routes", "--table", "routes.conf", "--format", "json"], input: input).output
        )
        #expect(object["url"].string == "/files/\u{ff}\u{1b}")
        #expect(object["latin1"].strings == ["url", "parameters.path"])
        #expect(object["route"].string == "file")
        let text = try folder.run(["routes", "--table", "routes.conf"], input: input)
        #expect(!text.output.contains(0x1b))
        #expect(text.text.contains("/files/\\xff\\x1b"))
    }

    @Test("A value that is not UTF-8 keeps its bytes, and is listed as it is by run")
    func escapedBytes() throws {
        let input = Array("/files/%ff%c3\n/files/%c3%a9\n".utf8)
        let lines = try folder().run(["routes", "--table", "routes.conf", "--format", "json"], input: input).lines
        #expect(lines.first?.contains(#""parameters":{"path":"\u00ff\u00c3"}"#) == true)
        #expect(lines.first?.hasSuffix(#""latin1":["parameters.path"]}"#) == true)
        #expect(lines.last?.contains(#""parameters":{"path":"é"}"#) == true && lines.last?.contains("latin1") == false)
        let text = try folder().run(["routes", "--table", "routes.conf"], input: input)
        #expect(text.lines.first?.hasSuffix(#"path=\xff\xc3"#) == true && text.lines.last?.hasSuffix("path=é") == true)
    }

    @Test("Patterns in the grammar of another router are reported where URLs are looked up, too")
    func foreignSyntax() throws {
        let folder = try TestFolder([
            "refused.json": #"[{"pattern": "/q/[id]", "id": "a"}, {"pattern": "/p/<int:id>", "id": "b"}]"#,
            "warned.json": #"[{"pattern": "/w/$id", "id": "c"}]"#,
        ])
        let refused = try folder.run(["routes", "--table", "refused.json"], input: "/q/7\n")
        #expect(refused.errors.contains(#"error: "[id]" in "/q/[id]" is text here, and no parameter"#))
        #expect(refused.errors.contains("write :id(int), or \\< for the sign") && refused.status == 3)
        let warned = try folder.run(["routes", "--table", "warned.json"], input: "/w/$id\n")
        #expect(warned.errors.contains(#"warning: "$id" in "/w/$id" is text here"#) && warned.status == 0)
    }

    @Test("A line that is too long is not a URL, and does not stop the run")
    func longLine() throws {
        let input = String(repeating: "x", count: 1_100_000) + "\n/users/me\n"
        let outcome = try folder().run(["routes", "--table", "routes.conf"], input: input)
        #expect(outcome.lines.count == 2)
        #expect(outcome.lines.first?.contains("the line is longer than 1048576 bytes") == true)
        #expect(outcome.lines.last?.hasPrefix("me ") == true)
        #expect(outcome.status == 1)
    }

    @Test("--list shows the routes with their places, and as JSON it is a table again")
    func list() throws {
        let folder = try folder()
        let text = try folder.run(["routes", "--table", "routes.conf", "--list"])
        #expect(
            text.lines == [
                "GET  /users/me                  me                 routes.conf:1:11",
                "*    /users/:id(uint)           user               routes.conf:2:11",
                "*    /users/:id(uint)(/:tab)/x  tab                routes.conf:3:11",
                "*    /files/*path               file               routes.conf:4:11",
                "*    kl://user/:id              native priority=2  routes.conf:5:11",
            ]
        )
        let json = try folder.run(["routes", "--table", "routes.conf", "--list", "--format", "json"])
        try folder.write(json.output, to: "list.json")
        let again = try folder.run(["routes", "--table", "list.json", "--list"])
        #expect(again.lines.map { $0.prefix(48) } == text.lines.map { $0.prefix(48) })
        #expect(again.status == 0)
    }

    @Test(
        "--generate writes the URL of a route, with values by name or in order",
        arguments: [
            (["user", "id=7"], "/users/7"), (["user", "7"], "/users/7"), (["me"], "/users/me"),
            (["tab", "id=7", "tab=a/b"], "/users/7/a%2Fb/x"), (["file", "path=a/b c"], "/files/a/b%20c"),
            (["native", "x y"], "kl://user/x%20y"),
        ]
    )
    func generate(arguments: [String], expected: String) throws {
        let outcome = try folder().run(["routes", "--table", "routes.conf", "--generate"] + arguments)
        #expect(outcome.text == expected + "\n")
        #expect(outcome.errors.isEmpty)
        #expect(outcome.status == 0)
    }

    @Test(
        "The reason why no URL can be written is reported where the route is declared",
        arguments: [
            (["usr", "id=7"], "shunt: error: no route is named \"usr\", did you mean \"user\"?\n"),
            (
                ["user", "idd=7", "z=1"],
                """
                routes.conf:2:11: error: the pattern has no parameter "idd" [route-generation]
                   2 | route     /users/:id(uint)           user;
                     |           ^~~~~~~~~~~~~~~~ did you mean "id"?
                routes.conf:2:11: error: the pattern has no parameter "z" [route-generation]
                   2 | route     /users/:id(uint)           user;
                     |           ^~~~~~~~~~~~~~~~

                """
            ),
            (
                ["user"],
                """
                routes.conf:2:11: error: the parameter "id" has no value [route-generation]
                   2 | route     /users/:id(uint)           user;
                     |           ^~~~~~~~~~~~~~~~

                """
            ),
            (
                ["user", "1", "2"],
                """
                routes.conf:2:11: error: 1 parameter, but 2 values [route-generation]
                   2 | route     /users/:id(uint)           user;
                     |           ^~~~~~~~~~~~~~~~

                """
            ),
            (
                ["user", "id=x"],
                """
                routes.conf:2:11: error: "x" does not fit the parameter "id" [route-generation]
                   2 | route     /users/:id(uint)           user;
                     |           ^~~~~~~~~~~~~~~~

                """
            ),
        ]
    )
    func noURL(arguments: [String], expected: String) throws {
        let outcome = try folder().run(["routes", "--table", "routes.conf", "--generate"] + arguments)
        #expect(outcome.errors == expected)
        #expect(outcome.output.isEmpty)
        #expect(outcome.status == 1)
    }

    @Test(
        "Presets read patterns and URLs as other routers do",
        arguments: [
            (
                "jlroutes", #"[{"pattern":"/a/:x(/b/:y)(/c/:z)","id":"a"}]"#, "app://a/1/c/2+3?q=4",
                #""pattern":"/a/:x/c/:z","parameters":{"x":"1","z":"2 3","q":"4"}}"#
            ),
            (
                "hhrouter", #"[{"pattern":"/user/:id/","id":"a"}]"#, "app://user/1/?id=2&a=b",
                #""parameters":{"id":"2","a":"b","route":"/user/1/?id=2&a=b"}}"#
            ),
            ("mgjrouter", #"[{"pattern":"mgj://","id":"a"}]"#, "mgj://foo/bar", #""route":"a""#),
            ("routable", #"[{"pattern":"a/:x/b","id":"a"}]"#, "a//b?y", #""parameters":{"x":"","y":null}}"#),
            ("zikrouter", #"[{"pattern":"app://h/:x","id":"a"}]"#, "app://h/1?x=2", #""parameters":{"x":"2"}}"#),
            (
                "react-router", #"[{"pattern":"/A/:x?/*","id":"a"}]"#, "/a/b/c/d?e=f",
                #""parameters":{"x":"b","*":"c/d"},"wildcard":["c","d"],"query":{"e":"f"}}"#
            ),
            (
                "react-router-v3", #"[{"pattern":"/a/:x","id":"a"}]"#, "/A/b/c/d",
                #""parameters":{"x":"b"},"remainder":"/c/d"}"#
            ),
            ("universal-links", #"[{"pattern":"/a/?b*","id":"a"}]"#, "/a/xb/c", #""route":"a""#),
        ]
    )
    func presets(name: String, table: String, url: String, expected: String) throws {
        let folder = try TestFolder(["table.json": table])
        let arguments = ["routes", "--table", "table.json", "--preset", name, "--format", "json"]
        let outcome = try folder.run(arguments, input: url + "\n")
        #expect(outcome.text.contains(expected), "\(outcome.text) \(outcome.errors)")
        #expect(outcome.status == 0)
    }

    @Test("A preset holds for the routes of rule files too, and --option changes single choices")
    func options() throws {
        let folder = try TestFolder(["r.conf": "route /A/* a;\n"])
        let preset = ["routes", "--table", "r.conf", "--preset", "react-router"]
        #expect(
            try folder.run(preset, input: "/a/b/c\n").lines == [
                "a               /a/b/c                                    *=b/c"
            ]
        )
        #expect(try folder.run(preset + ["--option", "caseSensitive=yes"], input: "/a/b/c\n").status == 1)
        #expect(try folder.run(["routes", "--table", "r.conf"], input: "/A/b\n").status == 0)
        #expect(try folder.run(["routes", "--table", "r.conf"], input: "/A/b/c\n").status == 1)
    }
}
