import ShuntRouting
import Testing

/// Mistakes of the routers that Shunt descends from, one test for each trap that is about routing.
@Suite("Traps of the ancestors")
struct RouteTrapTests {
    private func table(_ patterns: [String], _ options: RoutingOptions = RoutingOptions()) throws -> RouteTable {
        var builder = RouteTableBuilder(options: options)
        for pattern in patterns { builder.add(pattern) }
        return try builder.build()
    }

    @Test("MGJRouter: a parameter never shadows a literal, unknown components are not skipped, names are bytes")
    func mgjrouter() throws {
        let table = try table(["mgj://user/:id", "mgj://user/add", "mgj://\u{5bb6}/x", "mgj://a/b/c"], .mgjrouter)
        #expect(table.match("mgj://user/add")?.route.pattern == "mgj://user/add")
        #expect(table.match("mgj://a/unknown/b/c") == nil)
        #expect(table.match("mgj://\u{5bb6}/x") != nil)
        #expect(table.match("mgj://%E5%AE%B6/x") != nil)
        #expect(table.match("mgj://\u{5c45}/x") == nil)
        #expect(table.match("mgj://") == nil)
    }

    @Test("MGJRouter: what can be routed is what is routed, and a fallback is tried when a branch dead-ends")
    func canRoute() throws {
        let table = try table(["mgj://", "mgj://foo/bar/none/exists"], .mgjrouter)
        for url in ["mgj://foo/bar", "mgj://foo/bar/none/exists", "mgj://x", "other://x"] {
            #expect(table.canRoute(url) == (table.match(url) != nil), "\(url)")
        }
        #expect(table.match("mgj://foo/bar")?.route.pattern == "mgj://")
        #expect(!table.canRoute("other://x"))
    }

    @Test("JLRoutes: a plus stays a plus unless asked, slashes at the end of patterns match, removal takes the pattern")
    func jlroutes() throws {
        #expect(try table(["/:x"]).match("/a%2Bb+c")?["x"] == "a+b+c")
        var options = RoutingOptions()
        options.plusInPath = .plus
        #expect(try table(["/:x"], options).match("/a%2Bb+c")?["x"] == "a+b c")
        #expect(try table(["/:x"], .jlroutes).match("/a%2Bb+c")?["x"] == "a b c")
        #expect(try table(["/test/slash/"], .jlroutes).match("x://test/slash/") != nil)
        let match = try #require(try table(["/a(/:b)"], .jlroutes).match("x://a"))
        #expect(match.route.pattern == "/a(/:b)")
        var builder = RouteTableBuilder(options: .jlroutes)
        builder.add("/a(/:b)")
        let count = builder.remove(pattern: "/a(/:b)")
        #expect(count == 1)
        #expect(try builder.build().match("x://a") == nil)
    }

    @Test("a query cannot replace what the path captured, unless a preset allows it")
    func precedence() throws {
        let url = "/user/1?id=2"
        #expect(try table(["/user/:id"]).match(url)?.combinedParameters == ["id": ["1"]])
        #expect(try table(["/user/:id"], .hhrouter).match(url)?.combinedParameters == ["id": ["2"]])
        let match = try #require(try table(["/user/:id"], .hhrouter).match(url))
        #expect(match["id"] == "1")
        #expect(match.query["id"] == "2")
    }

    @Test("no component and no parameter is reserved")
    func reserved() throws {
        let table = try table(["/a", "/a/_", "/a/~", "/b/:x"])
        #expect(table.match("/a/_")?.route.pattern == "/a/_")
        #expect(table.match("/a/~")?.route.pattern == "/a/~")
        #expect(table.match("/b/_")?["x"] == "_")
        let spoof = try #require(table.match("/a?JLRoutePattern=x&route=y&controller_class=z&block=q"))
        #expect(spoof.route.pattern == "/a")
        #expect(spoof.parameters.isEmpty)
    }

    @Test("routable: nothing of one match is left in the next")
    func noCache() throws {
        let table = try table(["users/:id", "users(/:id)/x/:y"])
        let scratch = RouteScratch()
        for (url, expected) in [("users/4", "4"), ("users/3", "3")] { #expect(table.match(url)?["id"] == expected) }
        let first = Array("users/4/x/5".utf8)
        let second = Array("users/x/5".utf8)
        _ = table.lookup(first.span, scratch: scratch)
        let lookup = table.lookup(second.span, scratch: scratch)
        let match = table.match(lookup, url: second, parts: RouteSubject(splitting: second.span), scratch: scratch)
        #expect(match?["id"] == nil)
        #expect(match?["y"] == "5")
    }

    @Test("ZIKRouter: ten components and more are distinguished")
    func manyComponents() throws {
        let names = (1...12).map { "/:p\($0)" }.joined()
        let table = try table(["app://host" + names, "app://host/1/2/3/4/5/6/7/8/9/10/11/x"])
        let match = try #require(table.match("app://host/1/2/3/4/5/6/7/8/9/10/11/12?q=1"))
        #expect(match["p10"] == "10")
        #expect(match["p12"] == "12")
        #expect(match.query["q"] == "1")
        #expect(table.match("app://host/1/2/3/4/5/6/7/8/9/10/11/x")?.parameters.isEmpty == true)
    }

    @Test("schemes have no case, paths do, and an escaped slash is data")
    func parsing() throws {
        let table = try table(["kl://pay/:id", "/a/b"])
        #expect(table.match("KL://pay/x%2Fy")?["id"] == "x/y")
        #expect(table.match("/A/b") == nil)
        #expect(table.match("/a%2Fb") == nil)
        #expect(table.match("/a b") == nil)
    }
}
