import SeededRandom
import ShuntCore
import Testing

@testable import ShuntRouting

@Suite("Route pattern")
struct RoutePatternTests {
    @Test(
        "what is accepted, with its parameters",
        arguments: [
            ("", []),
            ("/", []),
            ("/users", []),
            ("users/list/", []),
            ("/users/:id", ["id"]),
            ("/:_a1", ["_a1"]),
            ("/:id(int)/:slug(slug)", ["id", "slug"]),
            ("/:id(\\d{4,})", ["id"]),
            ("/:id((a|b)c)", ["id"]),
            ("/:id([)(]+)", ["id"]),
            ("/:id([]x]+)", ["id"]),
            ("/:id(\\))", ["id"]),
            ("/:id.html", ["id"]),
            ("/v:major", ["major"]),
            ("/@:user", ["user"]),
            ("/:from-:to", ["from", "to"]),
            ("/:name.:ext(alpha)", ["name", "ext"]),
            ("/a(/b/:x)(/c)", ["x"]),
            ("/a(/:x(/:y))", ["x", "y"]),
            ("/(lang/)docs", []),
            ("/(:lang)/docs", ["lang"]),
            ("/docs(.html)", []),
            ("/:thing(/new)", ["thing"]),
            ("/:a?", ["a"]),
            ("/:a(int)?/b", ["a"]),
            ("/x-:a?.y", ["a"]),
            ("/*", []),
            ("/*/x", []),
            ("/*rest", ["rest"]),
            ("/a(/*rest)", ["rest"]),
            ("/caf\u{e9}", []),
            ("/%63afe", []),
            ("/a\\:b\\*c\\(d\\)\\?\\{\\}\\#\\%\\\\", []),
            ("/with space", []),
            ("kl://user/:id", ["id"]),
            ("//cdn.example.com/x", []),
            ("https://*.example.com/item/:id", ["id"]),
            ("https://:tenant.example.com", ["tenant"]),
            ("https://:tenant(slug).example.com(/:page)", ["tenant", "page"]),
            ("https://api-:region.example.com:8443/x", ["region"]),
            ("https://*sub.example.com/", ["sub"]),
        ] as [(String, [String])]
    )
    func accepted(text: String, names: [String]) throws {
        let pattern = try RoutePattern(text)
        #expect(pattern.parameterNames == names)
        #expect(pattern.text == text)
    }

    @Test(
        "what is refused, where and why",
        arguments: [
            ("/:", 1, "a parameter needs a name"),
            ("/a/:1", 3, "a parameter needs a name"),
            ("/:a/:a", 4, "two parameters are named \"a\""),
            ("/:a:b", 3, "two parameters touch"),
            ("/:a()", 3, "a constraint is empty"),
            ("/:a(\\d", 3, "\"(\" without \")\""),
            ("/:a([)", 3, "\"(\" without \")\""),
            ("/:a(integer)", 4, "unknown parameter type \"integer\""),
            ("/a(/b", 2, "\"(\" without \")\""),
            ("/a)", 2, "\")\" without \"(\""),
            ("/a()", 2, "a group is empty"),
            ("/a(b/c)", 2, "a group must contain whole components or stay within one"),
            ("/a(b/)", 2, "a group must contain whole components or stay within one"),
            ("/a(/b)c", 6, "\"/\" expected after a group"),
            ("/(a)(b)", 1, "a component may be empty"),
            ("/a//b", 3, "empty component"),
            ("/*rest/x(y)", 8, "an optional part cannot follow \"*\""),
            ("/*rest/:x?", 7, "an optional part cannot follow \"*\""),
            ("/*rest(/x)", 1, "\"*\" must be a whole component"),
            ("/*rest.x/y", 1, "\"*\" must be a whole component"),
            ("/*rest/a%2Fb", 7, "an escaped slash cannot follow \"*\""),
            ("/*rest/:x:y", 9, "two parameters touch"),
            ("/a/**", 4, "\"*\" must begin a component"),
            ("/a*", 2, "\"*\" must begin a component"),
            ("/*-x", 1, "\"*\" must be a whole component"),
            ("/a?b=1", 2, "a pattern has no query"),
            ("/a#b", 2, "fragments are not routed"),
            ("/{id}", 1, "a brace means nothing"),
            ("/a\\", 2, "nothing follows \"\\\""),
            ("/a\\b", 2, "\"\\\" escapes only punctuation"),
            ("/%zz", 1, "\"%\" without two hexadecimal digits"),
            ("/a%2", 2, "\"%\" without two hexadecimal digits"),
            ("/a\u{1}", 2, "control byte in a pattern"),
            ("http://a..b/", 7, "empty label in a host"),
            ("http://a.*.b/", 9, "\"*\" must begin a component"),
            ("http://:a?.b/", 7, "a host has no optional parts"),
            ("http://a(x)/", 8, "this is not allowed in a host"),
        ]
    )
    func refused(text: String, offset: Int, message: String) {
        let error = #expect(throws: RoutePatternError.self) { try RoutePattern(text) }
        #expect(error?.message == message)
        #expect(error?.offset == offset)
    }

    @Test(
        "patterns of other routers are written in this grammar",
        arguments: [
            ("/q/[id]", "[id]", ":id,"), ("/q/[...all]", "[...all]", "*all,"), ("/q/[[slug]]", "[[slug]]", ":slug,"),
            ("/p/<int:id>/x", "<int:id>", ":id(int),"), ("/p/<id>", "<id>", ":id,"), ("/p/<path:f>", "<path:f>", "*f,"),
            ("/p/<str:name>", "<str:name>", ":name,"), ("/u/:rest+", ":rest+", "*rest "),
            ("/x/:id<int>", ":id<int>", ":id(int),"), ("/u/:rest...", ":rest...", "*rest "),
            ("/x/([0-9]+)", "([0-9]+)", ":name([0-9]+),"), ("/x/(a|b)", "(a|b)", ":name(a|b),"),
            ("/x/:id.(json|xml)", ":id.(json|xml)", ":id.:name(json|xml),"), ("/w/$id", "$id", ":id,"),
        ]
    )
    func foreign(text: String, component: String, spelling: String) throws {
        let found = try #require(ForeignSyntax.find(in: text, PatternSyntax()))
        #expect(found.component == component && found.suggestion.hasPrefix("write \(spelling)"))
        #expect(ForeignSyntax.find(in: text, RoutingOptions.reactRouter.syntax) == nil)
        var builder = RouteTableBuilder()
        builder.add(text)
        if component.hasPrefix("$") {
            #expect(try builder.build().warnings.map(\.code) == ["foreign-syntax"])
        } else {
            #expect(throws: RouteTableError.self) { try builder.build() }
        }
    }

    @Test(
        "and what means itself is left alone",
        arguments: [
            "/a[1]", "/<>", "/p/\\<int:id\\>", "/\\$metadata", "/$", "/:x([ab]+)", "/a+b", "/:a+b", "/(a\\|b)",
            "/:a(x|y)", "/:a(x.(b|c))", "/a(.b)", "/a|b",
        ]
    )
    func notForeign(text: String) { #expect(ForeignSyntax.find(in: text, PatternSyntax()) == nil) }

    @Test(
        "of a wildcard before other components nothing can be left out, of one at the end all",
        arguments: [("/v2/*a/tags", 1), ("/v2/*a", 2)]
    )
    func formsOfWildcards(pattern: String, count: Int) throws {
        #expect(try RoutePattern(pattern).forms(limit: 8)?.count == count)
    }

    @Test("the way out for a wrong constraint and a second star")
    func suggestions() {
        let type = #expect(throws: RoutePatternError.self) { try RoutePattern("/:lang(en)/about") }
        #expect(type?.suggestion?.hasSuffix("write ((?:en)) for the text \"en\"") == true)
        let star = #expect(throws: RoutePatternError.self) { try RoutePattern("/files/**") }
        #expect(star?.suggestion?.hasPrefix("write /*name") == true)
        for (pattern, wanted) in [("/u/{id}/x", ":id"), ("/{*path}", "*path"), ("/a}b", ":name")] {
            let brace = #expect(throws: RoutePatternError.self) { try RoutePattern(pattern) }
            #expect(brace?.suggestion == "write \(wanted) for a parameter, or \\{ for a brace")
        }
    }

    @Test("bounds of a pattern")
    func bounds() throws {
        let long = "/" + String(repeating: "a", count: RoutingLimits.patternLength)
        #expect(throws: RoutePatternError.self) { try RoutePattern(long) }
        #expect(throws: Never.self) { try RoutePattern(String(repeating: "/a", count: RoutingLimits.components)) }
        #expect(throws: RoutePatternError.self) {
            try RoutePattern(String(repeating: "/a", count: RoutingLimits.components + 1))
        }
        let parameters = (0...RoutingLimits.parameters).map { "/:p\($0)" }
        #expect(throws: Never.self) { try RoutePattern(parameters.dropLast().joined()) }
        #expect(throws: RoutePatternError.self) { try RoutePattern(parameters.joined()) }
        #expect(throws: RoutePatternError.self) {
            try RoutePattern(String(repeating: "(/a", count: 9) + String(repeating: ")", count: 9))
        }
        #expect(throws: RoutePatternError.self) {
            try RoutePattern(String(repeating: "(/a)", count: RoutingLimits.groups + 1))
        }
        #expect(throws: RoutePatternError.self) { try RoutePattern("/x(a)(b)(c)(d)(e)") }
    }

    @Test("any bytes make a pattern or an error, whose offset is inside")
    func arbitrary() {
        var generator = SeededGenerator(seed: 4)
        let alphabet = Array("/:*()?#\\%{}[]ab1.-_ \u{e9}\u{0}")
        for _ in 0..<600 {
            let text = String(
                (0..<Int.random(in: 0...16, using: &generator))
                    .compactMap { _ in
                        alphabet.randomElement(using: &generator)
                    }
            )
            for name in RoutingOptions.presetNames + ["default"] {
                let options = RoutingOptions.preset(named: name) ?? RoutingOptions()
                do {
                    let pattern = try RoutePattern(text, options: options)
                    #expect(pattern.parameters.count <= RoutingLimits.parameters)
                } catch {
                    #expect(error.offset >= 0 && error.offset <= text.utf8.count, "\(text)")
                }
            }
        }
    }
}

@Suite("Parameter types")
struct ParameterTypeTests {
    @Test(
        "values that fit and that do not",
        arguments: [
            (.bool, "true false", "True 1 0 yes truefalse t"),
            (.uint, "0 007 18446744073709551615", "-1 +1 18446744073709551616 1.0 1e3 x 99999999999999999999999"),
            (
                .int, "0 -0 42 -42 9223372036854775807 -9223372036854775808",
                "9223372036854775808 -9223372036854775809 - +1 1- 1.5"
            ),
            (.decimal, "1 -1 1.5 -0.25 123456789012345678901234567890.1", "1. .5 - 1.2.3 --1 1e5 1-2"),
            (
                .date, "2024-02-29 2000-02-29 1999-12-31",
                "2023-02-29 1900-02-29 2024-13-01 2024-00-10 2024-04-31 24-1-1 2024-1-01"
            ),
            (
                .uuid, "123e4567-e89b-12d3-a456-426614174000 ABCDEF01-2345-6789-ABCD-EF0123456789",
                "123e4567e89b12d3a456426614174000 123e4567-e89b-12d3-a456-42661417400 g23e4567-e89b-12d3-a456-426614174000"
            ),
            (.hex, "0 ff DEADBEEF", "0x1 g -1"),
            (.alpha, "a Z abc", "a1 a-b \u{e9}"),
            (.alnum, "a1 1 Z9", "a_b a-b \u{e9}"),
            (.slug, "a a-b a1-b2-c3 A", "-a a- a--b a_b a.b \u{e9}"),
        ] as [(ParameterType, String, String)]
    )
    func values(type: ParameterType, good: String, bad: String) {
        func accepts(_ value: String) -> Bool { type.accepts(Array(value.utf8).span) }
        for value in good.split(separator: " ") { #expect(accepts(String(value)), "\(value)") }
        for value in bad.split(separator: " ") { #expect(!accepts(String(value)), "\(value)") }
        #expect(!accepts(""))
    }
}
