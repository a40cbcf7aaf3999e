import ShuntCore
import ShuntRouting
import Testing

/// The Swift of `docs/routes.md` and `docs/migrating-from-app-routers.md`, which `DocumentTests` compares with them.
@Suite("Swift of the documents about routes")
struct DocumentExamples {
    @Test("routes.md")
    func routes() throws {
        var builder = RouteTableBuilder()
        builder.add("/users/:id(uint)", name: "user", methods: ["GET"])
        builder.group("/api", namePrefix: "api.") { builder in
            builder.add("/status", name: "status")
            builder.addFallback(name: "unknown")
        }
        let table = try builder.build()
        #expect(table.match("/api/x/y")?.route.name == "api.unknown")

        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        switch table.resolve("/users/7?tab=posts", method: "GET") {
        case .matched(let match):
            print(match.route.displayName, match.value("id", as: Int.self) ?? 0, match.query["tab"] ?? "")
        case .missed(let miss):
            print(miss)
        }

        for match in table.candidates(for: "/users/7", method: "GET") where match["id"] != "0" {
            print(match.route.displayName)
            break
        }

        let scratch = RouteScratch()
        let url = Array("/users/7".utf8)
        let found = table.lookup(url.span, method: .get, scratch: scratch)
        if found.isMatch, let id = scratch.value(0) {
            print(found.route, String(decoding: url[id.indices], as: UTF8.self))
        }

        let link = try table.generate(
            route: "user",
            values: ["id": "7"],
            query: RouteQuery([.init(name: "tab", value: "posts")])
        )
        print(link)
        #expect(printed == ["user 7 posts", "user", "0 7", "/users/7?tab=posts"])
    }

    @Test("JLRoutes and HHRouter")
    func jlroutesAndHHRouter() throws {
        var jlroutes = RouteTableBuilder(options: .jlroutes)
        jlroutes.add("/user/view/:userID", name: "user")
        jlroutes.add("/wildcard/*", name: "wildcard")
        jlroutes.add("/test", name: "test", scheme: "thing")
        jlroutes.setFallsBack(true, scheme: "thing")
        #expect(try jlroutes.build().match("thing://user/view/joe")?["userID"] == "joe")
        #expect(try jlroutes.build().match("thing://wildcard/a/b")?.wildcardComponents == ["a", "b"])

        var options = RoutingOptions.hhrouter
        options.hostComponentSchemes = ["hhrouter", "hhrouter20"]
        var hhrouter = RouteTableBuilder(options: options)
        hhrouter.add("/user/:userId/", name: "user")
        #expect(try hhrouter.build().match("hhrouter20://user/1")?["userId"] == "1")
        #expect(try hhrouter.build().match("other://user/1") == nil)
    }

    @Test("MGJRouter")
    func mgjrouter() throws {
        var mgjrouter = RouteTableBuilder(options: .mgjrouter)
        mgjrouter.add("mgj://search/:query", name: "search")
        let search = try RoutePattern("mgj://search/:query?page=:page", options: .mgjrouter)
        let searchURL = try search.generate(positional: ["a b", "2"], options: .mgjrouter)
        #expect(searchURL == "mgj://search/a%20b?page=2")
        #expect(try mgjrouter.build().match(searchURL)?["query"] == "a b")

        var native = RouteTableBuilder()
        native.add("mgj://search/:query", name: "search")
        native.addFallback(name: "fallback", scheme: "mgj")
        #expect(try native.build().match("mgj://other/x/y")?.route.name == "fallback")
    }

    @Test("routable, ZIKRouter, react-router, Universal Links")
    func others() throws {
        var routable = RouteTableBuilder(options: .routable)
        routable.add("users/:user_id", name: "user")
        var child = RouteTableBuilder(options: .routable)
        child.add("settings", name: "settings")
        routable.mount(child, at: "users/:user_id", namePrefix: "user.")
        #expect(try routable.build().match("users/4/settings")?.route.name == "user.settings")

        var zikrouter = RouteTableBuilder(options: .zikrouter)
        zikrouter.add("app://host/path/:key", name: "key")
        #expect(try zikrouter.build().match("app://host/path/1/")?["key"] == "1")

        var reactRouter = RouteTableBuilder(options: .reactRouter)
        reactRouter.add("/courses/:id?/subjects", name: "subjects")
        let subjects = try reactRouter.build().generate(route: "subjects", values: ["id": "a b?c"])
        #expect(subjects == "/courses/a%20b%3Fc/subjects")

        var links = RouteTableBuilder(options: .universalLinks)
        links.add("/help/website/*", name: "excluded")
        links.add("/help/*", name: "help")
        let broad = try links.build().warnings
        #expect(broad.isEmpty)
    }
}
