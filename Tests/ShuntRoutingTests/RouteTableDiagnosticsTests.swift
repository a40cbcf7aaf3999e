import ShuntCore
import ShuntRouting
import Testing

@Suite("Route table diagnostics")
struct RouteTableDiagnosticsTests {
    private func diagnostics(_ add: (inout RouteTableBuilder) -> Void) -> [Diagnostic] {
        var builder = RouteTableBuilder()
        add(&builder)
        do {
            return try builder.build().warnings
        } catch {
            return error.diagnostics
        }
    }

    @Test("duplicates and ambiguous pairs name both places")
    func pairs() throws {
        let found = diagnostics { builder in
            builder.add("/a/:x", origin: SourceLocation(file: "r.conf", line: 1, column: 7))
            builder.add("/a/:y", origin: SourceLocation(file: "r.conf", line: 2, column: 7))
            builder.add("/b", origin: SourceLocation(file: "r.conf", line: 3, column: 7))
            builder.add("/b", origin: SourceLocation(file: "r.conf", line: 4, column: 7))
            builder.add("/b", methods: ["GET"])
            builder.add("/b(/c)", methods: ["POST"])
            builder.add("/b/c", methods: ["GET", "POST"])
        }
        #expect(found.map(\.code) == ["ambiguous-route", "duplicate-route", "ambiguous-route"])
        #expect(found[0].location.description == "r.conf:2:7")
        #expect(found[0].notes.map(\.location.description) == ["r.conf:1:7"])
        #expect(found[1].location.description == "r.conf:4:7")
        #expect(found[1].notes.map(\.location.description) == ["r.conf:3:7"])
        #expect(found[2].location.file == "ShuntRoutingTests/RouteTableDiagnosticsTests.swift")
        #expect(found.allSatisfy { $0.severity == .error })
    }

    @Test("components that cross and expressions that meet")
    func crossing() {
        let found = diagnostics { builder in
            builder.add("/a/v:x")
            builder.add("/a/:y.html")
            builder.add("/b/v:x")
            builder.add("/b/v1:x")
            builder.add("/c/v:x/one")
            builder.add("/c/:y.html/two")
            builder.add("/d/:x(\\d+)")
            builder.add("/d/:y(\\d{2})")
            builder.add("/e/:x([a-f]+)")
            builder.add("/e/:y([0-9]+)")
        }
        #expect(found.map(\.code) == ["ambiguous-route", "ambiguous-route", "unordered-constraints"])
        #expect(found.first?.message.contains("\"vx.html\"") ?? false)
    }

    @Test("a priority settles what is ambiguous")
    func priorities() {
        #expect(
            diagnostics { builder in
                builder.add("/a/:x(\\d+)", priority: 1)
                builder.add("/a/:y(\\d{2})")
                builder.add("/b/v:x", priority: 1)
                builder.add("/b/:y.html")
            }
            .filter { $0.severity == .error }.isEmpty
        )
    }

    @Test("routes that are never first are warned of")
    func shadows() {
        let found = diagnostics { builder in
            builder.add("/a/:x", priority: 1)
            builder.add("/a/b")
            builder.add("/a/:y(int)")
            builder.add("/a/b/c")
            builder.add("/t/*rest", priority: 2)
            builder.add("/t/x(/y)")
            builder.add("/g/:x", methods: ["GET"], priority: 1)
            builder.add("/g/b")
        }
        #expect(found.map(\.code) == ["shadowed-route", "shadowed-route", "shadowed-route"])
        #expect(found.map { $0.message.split(separator: "\"")[0] } == ["/a/b", "/a/:y(int)", "/t/x(/y)"])
        #expect(found.allSatisfy { $0.severity == .warning && $0.notes.count == 1 })
    }

    @Test("everything that is wrong is reported at once")
    func together() {
        let found = diagnostics { builder in
            builder.add("/:")
            builder.add("/ok/:x([)")
            builder.add("/c/:x(a{2,1})")
            builder.add("/m", methods: ["BAD METHOD"])
        }
        let codes = ["route-pattern", "route-pattern", "route-pattern", "route-method"]
        #expect(found.map(\.code) == codes)
        #expect(found[0].location.column == 2)
        #expect(found[0].sourceLine == "/:")
        #expect(found[2].message.hasPrefix("invalid constraint"))
    }

    @Test("a name may have several patterns; the first is the one that URLs are made by")
    func aliases() throws {
        var builder = RouteTableBuilder()
        builder.add("/item/:id", name: "item")
        builder.add("/products/:id", name: "item")
        builder.add("/p", name: "item", defaults: ["id": "1"])
        let table = try builder.build()
        #expect(table.warnings.isEmpty)
        #expect(table.match("/products/7")?.route.name == "item" && table.match("/p")?["id"] == "1")
        #expect(try table.generate(route: "item", values: ["id": "7"]) == "/item/7")
        let found = diagnostics { builder in
            builder.add("/item/:id", name: "item")
            builder.add("/products", name: "item")
        }
        #expect(found.map(\.message) == ["\"/products\" under the name \"item\" has no value for \"id\""])
        #expect(found.map(\.code) == ["alias-values"])
    }

    @Test("names may be shared by routes of one pattern")
    func sharedNames() throws {
        var builder = RouteTableBuilder()
        builder.add("/u/:id", name: "user", methods: ["GET"])
        builder.add("/u/:id", name: "user", methods: ["DELETE"])
        #expect(try builder.build().generate(route: "user", values: ["id": "7"]) == "/u/7")
    }

    @Test("groups that overlap in too many ways are an error, not a hang")
    func overlaps() throws {
        var builder = RouteTableBuilder()
        for number in 0..<10 {
            let names = (0..<10).map { "(/w\(($0 * (number + 1) + number) % 11))" }
            builder.add(names.joined() + "/end\(number)")
        }
        do {
            let table = try builder.build()
            #expect(table.match("/end3")?.route.id.rawValue == 3)
        } catch {
            #expect(error.diagnostics.map(\.code) == ["table-too-complex"])
        }
    }
}
