import ShuntCore
import ShuntRouting
import Testing

@Suite("Route table builder")
struct RouteBuilderTests {
    @Test("groups, mounts and their prefixes")
    func prefixes() throws {
        var child = RouteTableBuilder()
        let inner = child.add("users/:id", name: "user")
        child.add("", name: "home")
        var builder = RouteTableBuilder()
        builder.group("/api", namePrefix: "api.") { builder in
            builder.add("/status", name: "status")
            builder.group("v2/") { $0.add("/items/:id(uint)", name: "item") }
            builder.add("(/:page)/list", name: "list")
        }
        builder.group("/pay", scheme: "kl", host: "wallet") { $0.add("checkout", name: "checkout") }
        let mounted = builder.mount(child, at: "/first/second", namePrefix: "child.")
        let table = try builder.build()
        let cases = [
            ("/api/status", "api.status"), ("/api/v2/items/5", "api.item"), ("/api/3/list", "api.list"),
            ("/api/list", "api.list"), ("kl://wallet/pay/checkout", "checkout"),
            ("/first/second/users/1234", "child.user"), ("/first/second", "child.home"),
        ]
        for (url, name) in cases { #expect(table.match(url)?.route.name == name, "\(url)") }
        #expect(mounted[inner] == table.match("/first/second/users/1")?.route.id)
        #expect(table.match("kl://other/pay/checkout") == nil)
    }

    @Test("removal leaves the other routes and their numbers")
    func removal() throws {
        var builder = RouteTableBuilder()
        let first = builder.add("/a")
        let second = builder.add("/b(/c)")
        let third = builder.add("kl:///c")
        let removed = [builder.remove(first), builder.remove(first)]
        #expect(removed == [true, false])
        let counts = [builder.remove(pattern: "/b(/c)"), builder.removeAll(scheme: "KL")]
        #expect(counts == [1, 1])
        #expect(builder.count == 0)
        let fourth = builder.add("/d")
        #expect(Set([first, second, third, fourth]).count == 4)
        let table = try builder.build()
        #expect(table.route(fourth)?.pattern == "/d")
        #expect(table.route(second) == nil)
        #expect(table.match("/a") == nil)
        #expect(try RouteTableBuilder().build().match("/") == nil)
    }

    @Test("fallbacks take what is left below their prefix, the longest prefix first")
    func fallbacks() throws {
        var builder = RouteTableBuilder()
        builder.add("/:a/:b", name: "pair")
        builder.addFallback(under: "/api", name: "api")
        builder.addFallback(under: "/api/v2/:user", name: "user")
        builder.addFallback(name: "root")
        builder.addFallback(name: "kl", scheme: "kl")
        builder.add("kl://pay/x", name: "x")
        let table = try builder.build()
        let cases = [
            ("/api/x", "pair"), ("/api", "api"), ("/api/x/y", "api"), ("/api/v2/jo/z", "user"), ("/api/v2/jo", "user"),
            ("/", "root"), ("/q/w/e", "root"), ("kl://pay/x", "x"), ("kl://pay/y/z/t", "kl"), ("kl:x", "kl"),
        ]
        for (url, name) in cases { #expect(table.match(url)?.route.name == name, "\(url)") }
        #expect(table.match("/api/v2/jo/z/1")?.remainder == "/z/1")
    }

    @Test("namespaces fall back, unless set otherwise")
    func namespaces() throws {
        var builder = RouteTableBuilder()
        builder.add("/shared", name: "shared")
        builder.add("kl:///own", name: "own")
        builder.add("https://www.example.com/own", name: "web")
        #expect(try builder.build().match("kl:///shared")?.route.name == "shared")
        builder.setFallsBack(false, scheme: "kl")
        builder.setFallsBack(false, scheme: "https", host: "www.example.com")
        let table = try builder.build()
        #expect(table.match("kl:///shared") == nil)
        #expect(table.match("kl:///own")?.route.name == "own")
        #expect(table.match("https://www.example.com/shared") == nil)
        #expect(table.match("https://other.example.com/shared")?.route.name == "shared")
    }

    @Test("many host patterns cost one probe each")
    func manyHosts() throws {
        var builder = RouteTableBuilder()
        for number in 0..<2000 {
            builder.add("https://h\(number).example.com/x", name: "exact\(number)")
            builder.add("https://*.t\(number).example.org/x", name: "open\(number)")
        }
        let table = try builder.build()
        #expect(table.match("https://h1234.example.com/x")?.route.name == "exact1234")
        #expect(table.match("https://a.b.t77.example.org/x")?.route.name == "open77")
        #expect(table.match("https://t77.example.org/x") == nil)
    }

    @Test("order of registration matters where it is asked to")
    func registrationOrder() throws {
        var options = RoutingOptions()
        options.order = .registration
        var builder = RouteTableBuilder(options: options)
        builder.add("/:x", name: "first")
        builder.add("/a", name: "second")
        builder.add("/a", name: "third")
        let table = try builder.build()
        #expect(table.candidates(for: "/a").map(\.route.name) == ["first", "second", "third"])
        #expect(table.warnings.map(\.code) == ["shadowed-route", "shadowed-route"])
    }

    @Test("the table as JSON")
    func json() throws {
        var builder = RouteTableBuilder()
        builder.add("/a/:id", name: "a", methods: ["GET"], priority: 3)
        let table = try builder.build()
        let text = table.json()
        #expect(
            text.hasPrefix(
                #"[{"pattern":"/a/:id","id":"a","method":"GET","priority":3,"parameters":["id"],"origin":"#
            )
        )
    }
}
