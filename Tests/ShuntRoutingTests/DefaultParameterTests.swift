import ShuntCore
import ShuntRouting
import Testing

/// Values that a route has for names without a value in a URL.
@Suite("Default parameters of routes")
struct DefaultParameterTests {
    private func table(
        _ pattern: String,
        _ defaults: [String: String],
        _ options: RoutingOptions = RoutingOptions()
    ) throws -> RouteTable {
        var builder = RouteTableBuilder(options: options)
        builder.add(pattern, name: "route", defaults: defaults)
        return try builder.build()
    }

    private func text(_ match: RouteMatch?) -> String? {
        match.map { $0.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: " ") }
    }

    @Test(
        "They stand where the path has no value, under every preset",
        arguments: RoutingOptions.presetNames
    )
    func presets(preset: String) throws {
        let options = try #require(RoutingOptions.preset(named: preset))
        let pattern = preset == "universal-links" ? "/list/*" : "/list/:id"
        let table = try table(pattern, ["tab": "posts", "from": "link"], options)
        let match = try #require(table.match("/list/7?tab=likes"))
        #expect(match["tab"] == "posts")
        #expect(match["from"] == "link")
        #expect(match.parameters.suffix(2).map(\.name) == ["from", "tab"])
        #expect(!match.capturedParameters.contains { $0.name == "tab" })
        #expect(match.range(of: "tab") == nil)
        #expect(match.bytes(of: "tab") == Array("posts".utf8))
        let asked = try #require(table.match("/list/7?tab=likes&tab=x"))
        // The query is before the default, and no default is mixed with it.
        #expect(asked.combinedParameters["tab"] == ["likes", "x"])
        #expect(asked.combinedParameters["from"] == ["link"])
    }

    @Test(
        "A value of the URL comes first, an empty one too",
        arguments: [
            ("/a(/:page(uint))", "/a", "page=1"), ("/a(/:page(uint))", "/a/2", "page=2"),
            ("/a/:page?", "/a", "page=1"), ("/a/:page?", "/a/%20", "page= "),
            ("/*page", "/", "page="),
        ]
    )
    func order(pattern: String, url: String, expected: String) throws {
        #expect(text(try table(pattern, ["page": "1"]).match(url)) == expected)
    }

    @Test("Typed values are read from them")
    func typed() throws {
        let table = try table("/a(/:page(uint))", ["page": "12"])
        #expect(table.match("/a")?.value("page", as: Int.self) == 12)
        #expect(table.match("/a")?.values(of: "page") == ["12"])
    }

    @Test("Copies of a builder, fallbacks and candidates have them")
    func elsewhere() throws {
        var child = RouteTableBuilder()
        child.add("/x", name: "x", defaults: ["a": "1"])
        child.addFallback(name: "rest", defaults: ["b": "2"])
        var builder = RouteTableBuilder()
        builder.mount(child, at: "/api")
        let table = try builder.build()
        #expect(text(table.match("/api/x")) == "a=1")
        #expect(table.match("/api/y")?["b"] == "2")
        var candidates = table.candidates(for: "/api/x").makeIterator()
        #expect(text(candidates.next()) == "a=1")
        #expect(candidates.next()?["b"] == "2")
        #expect(table.json().contains(#""defaults":{"a":"1"}"#))
    }

    @Test("A URL is generated without them, and leads back to them")
    func generation() throws {
        let table = try table("/a(/:page(uint))", ["page": "1", "sort": "new"])
        #expect(try table.generate(route: "route") == "/a")
        #expect(try table.generate(route: "route", values: ["page": "1"]) == "/a/1")
        #expect(try table.generate(route: "route", values: ["page": "2", "sort": "new"]) == "/a/2")
        #expect(throws: RouteGenerationError.unknownParameter("sort")) {
            try table.generate(route: "route", values: ["sort": "old"])
        }
    }

    @Test(
        "Defaults that cannot be used are reported",
        arguments: [
            ("/a(/:page(uint))", ["page": "x"], #"the default "x" of "page" does not fit uint"#),
            ("/a(/:page(\\d{2}))", ["page": "1"], #"the default "1" of "page" does not fit \d{2}"#),
            ("/a", ["": "x"], "a default needs a name"),
        ]
    )
    func errors(pattern: String, defaults: [String: String], message: String) throws {
        let error = #expect(throws: RouteTableError.self) { try table(pattern, defaults) }
        #expect(error?.diagnostics.map(\.message) == [message])
        #expect(error?.diagnostics.map(\.code) == ["route-default"])
    }

    @Test("There are at most 32")
    func limit() throws {
        var defaults: [String: String] = [:]
        for number in 1...RoutingLimits.parameters { defaults["p\(number)"] = "" }
        #expect(try table("/a", defaults).match("/a")?.parameters.count == RoutingLimits.parameters)
        defaults["one"] = "more"
        #expect(throws: RouteTableError.self) { try table("/a", defaults) }
    }

    @Test(
        "One that no URL needs is a warning",
        arguments: [
            ("/a/:page", true), ("/a(/:page)", false), ("/a/:page?", false), ("/a/*page", true), ("/a/v:page", true),
            ("https://:page.example.com/a", true), ("/a", false), ("/a/x(-:page)", false),
        ]
    )
    func unused(pattern: String, isWarned: Bool) throws {
        let warnings = try table(pattern, ["page": "1"]).warnings
        #expect(warnings.map(\.code) == (isWarned ? ["unused-default"] : []))
    }
}
