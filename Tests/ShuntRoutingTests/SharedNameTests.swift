import ShuntRouting
import Testing

/// Wildcards that share a name, and URLs that have lost their scheme.
@Suite("Wildcards without names and URLs without schemes")
struct SharedNameTests {
    private func match(_ pattern: String, _ url: String, _ options: RoutingOptions) throws -> RouteMatch? {
        var builder = RouteTableBuilder(options: options)
        builder.add(pattern, name: "route")
        guard case .matched(let match) = try builder.build().resolve(url) else { return nil }
        return match
    }

    @Test(
        "Their values are a list, in order",
        arguments: [
            ("/files/*.*", "/files/path.jpg", ["path", "jpg"]),
            ("/files/*.*", "/files/a/b.tar.gz", ["a/b", "tar.gz"]),
            ("/files/*.*", "/files/nothing", nil),
            ("/**/*.jpg", "/files/path/to/file.jpg", ["files/path/to", "file"]),
            ("/**/*.jpg", "/files/file.png", nil),
            ("/*/*/*", "/a/b/c/d", ["a", "b", "c/d"]),
            ("/files/*", "/files/a/b", ["a/b"]),
        ] as [(String, String, [String]?)]
    )
    func list(pattern: String, path: String, values: [String]?) throws {
        let match = try match(pattern, path, .reactRouterV3)
        #expect(match?.values(of: "splat") == values)
        #expect(match?.combinedParameters["splat"] == values.map { $0.map { $0 } })
        #expect(match?["splat"] == values?.first)
    }

    @Test("Parameters with names share none, and a URL cannot be made of a list")
    func limits() throws {
        #expect(throws: RoutePatternError.self) { try RoutePattern("/:a/:a", options: .reactRouterV3) }
        #expect(throws: RoutePatternError.self) { try RoutePattern("/*a/*a") }
        var builder = RouteTableBuilder(options: .reactRouterV3)
        builder.add("/files/*.*", name: "file")
        let table = try builder.build()
        #expect(throws: RouteGenerationError.unnamedParameter) {
            try table.generate(route: "file", values: ["splat": "x"])
        }
    }

    @Test(
        "A pattern or a URL may begin with ://",
        arguments: [
            ("://host/path", "app://host/path", true), ("://host/path", "://host/path", true),
            ("//host/path", "://host/path", true), ("app://host/path", "://host/path", false),
            ("://host/path", "app://other/path", false), ("://host/path", "/path", false),
        ]
    )
    func withoutScheme(pattern: String, url: String, isMatch: Bool) throws {
        #expect((try match(pattern, url, .zikrouter) != nil) == isMatch)
    }

    @Test("Other grammars read :// as they did")
    func elsewhere() {
        #expect(throws: RoutePatternError.self) { try RoutePattern("://host/path") }
    }
}
