import ShuntCore
import ShuntRouting
import ShuntRules
import Testing

/// The places of messages, and the advice there.
@Suite("Places of messages and advice")
struct PlaceTests {
    private func diagnostics(_ rules: String, routing: RoutingOptions = RoutingOptions()) -> [Diagnostic] {
        do throws(RuleSetError) {
            return try RuleSet(text: rules, routing: routing).diagnostics
        } catch {
            return error.diagnostics
        }
    }

    @Test("A column counts bytes, and the caret stands below the character")
    func columns() throws {
        let diagnostic = try #require(diagnostics("match ~ 家居 { blok ~ a; }").first)
        #expect(diagnostic.location.column == "match ~ 家居 { ".utf8.count + 1)
        #expect(
            DiagnosticRenderer().render([diagnostic])
                == """
                rules.conf:1:18: error: unknown directive "blok" [unknown-directive]
                   1 | match ~ 家居 { blok ~ a; }
                     |                ^~~~ did you mean "block"?

                """
        )
    }

    @Test("Options of loading that the rules have too are named where the rules have them")
    func routingTwice() throws {
        let rules = "route /a a;\nrouting react-router;\n"
        #expect(diagnostics(rules).isEmpty)
        let found = try #require(diagnostics(rules, routing: .jlroutes).first)
        #expect(found.code == "routing-twice")
        #expect(found.severity == .warning)
        #expect(found.location.description == "rules.conf:2:1")
        // What is in the rules counts.
        let set = try RuleSet(text: rules, routing: .jlroutes)
        #expect(set.routes?.options == .reactRouter)
    }

    @Test(
        "One argument too many is named, with the way out",
        arguments: [
            ("server { return 204; rewrite ^/a /b; }", "this is never reached", "remove it, or put it first"),
            ("expect http://a.test/ forward http://a.test/ x;", "unexpected \"x\" after \"forward\"", "remove it"),
            (
                "limit_conn_zone $uri zone=a:1m; limit_conn a 1; limit_conn a 2;", "a second limit by the same zone",
                "remove one of them, or use another zone"
            ),
        ]
    )
    func tooMuch(rules: String, message: String, suggestion: String) {
        let found = diagnostics(rules).filter { $0.message == message }
        #expect(found.map(\.suggestion) == [suggestion])
    }

    @Test(
        "A date and a time with a space between them",
        arguments: [
            "if ($time >= 2026-11-25 06:00) { block ~ a; }",
            "if ($arg_x = 1 && $time >= 2026-11-25 06:00 && $arg_y = 2) { block ~ a; }",
        ]
    )
    func dateAndTime(rules: String) {
        let found = diagnostics(rules).filter { $0.severity == .error }
        #expect(found.map(\.suggestion) == ["write a T between date and time, 2026-11-25T06:00, or quotes around both"])
        #expect(diagnostics(#"if ($time >= "2026-11-25 06:00") { block ~ a; }"#).isEmpty)
    }

    @Test(
        "A file that is not there, and one next to it that has nearly its name",
        arguments: [
            ("blocklist lists/adds.txt;", "did you mean \"lists/ads.txt\"?"),
            ("include mime.type;", "did you mean \"mime.types\"?"), ("blocklist lists/none.txt;", nil),
            ("blocklist list/ads.txt;", nil), ("include ../rules/adds.txt;", nil),
        ] as [(String, String?)]
    )
    func nearFile(rules: String, suggestion: String?) throws {
        let files = InMemoryFileSystem([
            "/rules/a.conf": rules, "/rules/lists/ads.txt": "ads.example.com\n", "/rules/mime.types": "",
        ])
        let error = #expect(throws: RuleSetError.self) { try RuleSet(path: "/rules", from: files) }
        #expect(error?.diagnostics.first?.suggestion == suggestion)
    }

    @Test("A trusted directory that is not there is named")
    func missingTrust() throws {
        let files = InMemoryFileSystem(["/rules/a.conf": "block host a;"])
        let error = #expect(throws: RuleSetError.self) {
            try RuleSet(path: "/rules/a.conf", from: files, trusting: ["/nowhere"])
        }
        #expect(error?.diagnostics.map(\.message) == ["cannot read the trusted directory \"/nowhere\": no such file"])
    }

    @Test(
        "Mistakes in the default of a route",
        arguments: [
            ("route /a a default=page;", "1:12", "a default is a name and a value, not \"page\""),
            ("route /a a default=:1;", "1:12", "a default is a name and a value, not \":1\""),
            ("route /a a default=b:1 default=b:2;", "1:24", "the parameter \"b\" has two defaults"),
            ("route /a(/:b(uint)) a default=b:x;", "1:7", "the default \"x\" of \"b\" does not fit uint"),
        ]
    )
    func routeDefault(rules: String, place: String, message: String) throws {
        let found = try #require(diagnostics(rules).first)
        #expect("\(found.location.line):\(found.location.column)" == place)
        #expect(found.message == message)
    }
}
