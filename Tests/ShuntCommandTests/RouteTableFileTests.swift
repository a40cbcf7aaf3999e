import TestFolder
import Testing

/// The tables that `shunt routes` reads.
@Suite("Tables of shunt routes")
struct RouteTableFileTests {
    @Test("--check: a table without anything to report")
    func good() throws {
        let folder = try TestFolder([
            "t.json": #"[{"pattern":"/a/:x","id":"a","method":["GET","PUT"],"priority":-1,"scheme":"kl","host":"h"}]"#
        ])
        let outcome = try folder.run(["routes", "--table", "t.json", "--check"])
        #expect(outcome.text == "1 route: no errors, no warnings\n")
        #expect(outcome.status == 0)
        let list = try folder.run(["routes", "--table", "t.json", "--list"])
        #expect(list.text == "GET|PUT  kl://h/a/:x  a priority=-1  t.json:1:14\n")
    }

    @Test("Default parameters of a table in JSON: looked up, listed, and read again as they are listed")
    func defaults() throws {
        let list = """
            [{"pattern":"/a(/:page(uint))","id":"a","defaults":{"page":"1","tab":"x"}},
             {"id":"rest","pattern":"","fallback":true,"defaults":{"from":"rest"}}]
            """
        let folder = try TestFolder(["t.json": list, "bad.json": #"[{"pattern":"/a","id":"a","defaults":{"b":1}}]"#])
        let arguments = ["routes", "--table", "t.json"]
        let found = try folder.run(arguments, input: "/a\n/a/2?tab=y\n/z\n")
        #expect(
            found.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") } == [
                "a /a page=1 tab=x", "a /a/2?tab=y page=2 tab=x ? tab=y", "rest /z from=rest",
            ]
        )
        let mixed = try folder.run(
            arguments + ["--preset", "mgjrouter", "--format", "json"],
            input: "/z?from=me&x=1\n"
        )
        #expect(mixed.text.contains(#""parameters":{"from":"me","x":"1"}"#))
        #expect(try folder.run(arguments + ["--list"]).text.contains("a default=page:1 default=tab:x"))
        let listed = try folder.run(arguments + ["--list", "--format", "json"])
        #expect(listed.text.contains(#""defaults":{"page":"1","tab":"x"}"#))
        try folder.replace("listed.json", listed.text)
        let again = try folder.run(["routes", "--table", "listed.json"], input: "/a\n/z\n")
        #expect(again.text.contains("page=1 tab=x") && again.text.contains("from=rest"))
        let generated = try folder.run(arguments + ["--generate", "a", "page=3", "tab=x"])
        #expect(generated.text == "/a/3\n")
        let wrong = try folder.run(["routes", "--table", "bad.json", "--check"])
        #expect(wrong.text.contains("the default of \"b\" is a string, not a number"))
    }

    @Test("--check: duplicates, ambiguous and shadowed patterns, with both places")
    func problems() throws {
        let folder = try TestFolder([
            "r/a.conf": "route /a/:x one;\nroute /b two;\n",
            "r/b.conf": "route /a/:y three;\nroute GET /b four;\n\nroute /b five;\n",
        ])
        let outcome = try folder.run(["routes", "--table", "r", "--check"])
        #expect(
            outcome.text == """
                r/b.conf:1:7: error: "/a/:y" and "/a/:x" match the same path and neither is more specific [ambiguous-route]
                   1 | route /a/:y three;
                     |       ^~~~~ set a priority on one of them, or remove it
                r/a.conf:1:7: note: the other is declared here
                   1 | route /a/:x one;
                     |       ^~~~~
                r/b.conf:4:7: error: the route "/b" is declared twice [duplicate-route]
                   4 | route /b five;
                     |       ^~
                r/a.conf:2:7: note: it was declared here first
                   2 | route /b two;
                     |       ^~
                2 errors, no warnings

                """
        )
        #expect(outcome.errors.isEmpty)
        #expect(outcome.status == 1)
    }

    @Test("--check: warnings of the table count, those about other rules do not")
    func warnings() throws {
        let folder = try TestFolder([
            "a.conf": "gzip on;\nroute /a/:x x priority=1;\nroute /a/b b;\n", "b.conf": "gzip on;\nroute /a a;\n",
        ])
        let shadowed = try folder.run(["routes", "--table", "a.conf", "--check"])
        #expect(
            shadowed.text.hasPrefix(
                "a.conf:3:7: warning: \"/a/b\" is never the first match: \"/a/:x\" goes first [shadowed-route]\n"
            )
        )
        #expect(shadowed.text.hasSuffix("2 routes: no errors, 1 warning\n"))
        #expect(shadowed.status == 1)
        let good = try folder.run(["routes", "--table", "b.conf", "--check"])
        #expect(good.text == "1 route: no errors, no warnings\n")
        #expect(good.status == 0)
    }

    @Test("--check as JSON has the same in it")
    func json() throws {
        let folder = try TestFolder(["t.json": #"[{"pattern":"/a","id":"a"},{"pattern":"/a","id":"b"}]"#])
        let outcome = try folder.run(["routes", "--table", "t.json", "--check", "--format", "json"])
        let report = try JSON(outcome.output)
        #expect(report["errors"].number == 1)
        #expect(report["warnings"].number == 0)
        #expect(report["routes"].number == 0)
        let diagnostic = report["diagnostics"][0]
        #expect(diagnostic["code"].string == "duplicate-route")
        #expect(diagnostic["line"].number == 1)
        #expect(diagnostic["column"].number == 40)
        #expect(diagnostic["length"].number == 2)
        #expect(diagnostic["notes"][0]["column"].number == 14)
        #expect(outcome.status == 1)
    }

    @Test("A member for methods that names none is an error", arguments: ["[]", "\"\""])
    func noMethod(method: String) throws {
        let folder = try TestFolder(["t.json": "[{\"pattern\": \"/a\", \"id\": \"x\", \"method\": \(method)}]\n"])
        let outcome = try folder.run(["routes", "--table", "t.json"], input: "/a\n")
        #expect(outcome.status == 3)
        #expect(
            outcome.errors.hasPrefix("t.json:1:41: error: \"method\" names no method [route-list]\n"),
            "\(outcome.errors)"
        )
    }

    @Test("All mistakes of a list are reported at once, with their places, also after escapes")
    func list() throws {
        let folder = try TestFolder([
            "t.json": #"""
            [
              {"pattern": "/c/:id(\\d+)/:x(integr)/y", "id": "c"},
              {"patern": "/c", "id": 3},
              {"pattern": "/é\"/\u00e9\ud83d\ude00/:", "id": "d", "method": [1]},
              {"pattern": "/f/(", "id": "f", "priority": 1e9, "scheme": true},
              {"pattern": "/\"/é\u00e9\ud83d\ude00/:", "id": "g", "method": "G T"},
              7,
              {"id": ""}
            ]

            """#
        ])
        let outcome = try folder.run(["routes", "--table", "t.json"], input: "/a\n")
        #expect(
            outcome.errors == #"""
                t.json:2:32: error: unknown parameter type "integr" in the pattern "/c/:id(\d+)/:x(integr)/y" [route-pattern]
                   2 |   {"pattern": "/c/:id(\\d+)/:x(integr)/y", "id": "c"},
                     |                                ^~~~~~ types are bool, uint, int, decimal, date, uuid, hex, alpha, alnum, slug; write ((?:integr)) for the text "integr"
                t.json:3:14: error: unknown member "patern" [route-list]
                   3 |   {"patern": "/c", "id": 3},
                     |              ^ did you mean "pattern"?
                t.json:3:26: error: "id" cannot be a number [route-list]
                   3 |   {"patern": "/c", "id": 3},
                     |                          ^
                t.json:4:66: error: "method" needs strings, not a number [route-list]
                   4 |   {"pattern": "/é\"/\u00e9\ud83d\ude00/:", "id": "d", "method": [1]},
                     |                                                                 ^
                t.json:5:46: error: "priority" is not a whole number from -1000000 to 1000000 [route-list]
                   5 |   {"pattern": "/f/(", "id": "f", "priority": 1e9, "scheme": true},
                     |                                              ^
                t.json:5:61: error: "scheme" cannot be a boolean [route-list]
                   5 |   {"pattern": "/f/(", "id": "f", "priority": 1e9, "scheme": true},
                     |                                                             ^
                t.json:6:41: error: a parameter needs a name in the pattern "/"/éé😀/:" [route-pattern]
                   6 |   {"pattern": "/\"/é\u00e9\ud83d\ude00/:", "id": "g", "method": "G T"},
                     |                                        ^ write \: for a colon
                t.json:7:3: error: a route is an object, not a number [route-list]
                   7 |   7,
                     |   ^
                t.json:8:3: error: the route has no "pattern" [route-list]
                   8 |   {"id": ""}
                     |   ^
                t.json:8:10: error: "id" is empty [route-list]
                   8 |   {"id": ""}
                     |          ^

                """#
        )
        #expect(outcome.output.isEmpty)
        #expect(outcome.status == 3)
    }

    @Test(
        "A list that is not a list",
        arguments: [
            (#"[{"pattern": "/a",, "id": "a"}]"#, "t.json:1:19: error: expected a name in quotes [route-list]\n"),
            (
                "[\n{\"pattern\": \"/a\", \"id\": \"a\"}\n] x",
                "t.json:3:3: error: expected the end of the file [route-list]\n"
            ),
            (#"{"routes": []}"#, "t.json:1:1: error: a table is a list of routes, not an object [route-list]\n"),
            (#"[{"pattern": "/a", "pattern": "/b", "id": "a"}]"#, "t.json:1:20: error: a repeated name [route-list]\n"),
            ("", "t.json:1:1: error: expected a value [route-list]\n"),
        ]
    )
    func noList(text: String, expected: String) throws {
        let outcome = try TestFolder(["t.json": text]).run(["routes", "--table", "t.json"])
        #expect(outcome.errors.hasPrefix(expected), "\(outcome.errors)")
        #expect(outcome.status == 3)
    }

    @Test("A file without routes, and one that is not there")
    func noRoutes() throws {
        let folder = try TestFolder(["a.conf": "block host a.test;\n", "b.conf": "routes /a a;\n"])
        let none = try folder.run(["routes", "--table", "a.conf"])
        #expect(none.errors.hasPrefix("a.conf: error: there is no route in \"a.conf\" [no-routes]\n"))
        #expect(none.errors.contains("declare one, such as route /item/:id item;"))
        #expect(none.status == 3)
        let misspelled = try folder.run(["routes", "--table", "b.conf"])
        #expect(misspelled.errors.contains("b.conf:1:1: error: unknown directive \"routes\""))
        #expect(misspelled.errors.contains("did you mean \"route\"?"))
        let missing = try folder.run(["routes", "--table", "c.conf"])
        #expect(missing.errors.contains("error: cannot read \"c.conf\": no such file [unreadable-file]\n"))
        #expect(missing.status == 3)
    }

    @Test("A priority that no machine integer can be made positive of is refused, not a crash")
    func smallestPriority() throws {
        let folder = try TestFolder(["a.conf": "route /a a priority=-9223372036854775808;\n"])
        let outcome = try folder.run(["routes", "--table", "a.conf"])
        #expect(outcome.errors.contains("a priority is a whole number"))
        #expect(outcome.status == 3)
    }
}
