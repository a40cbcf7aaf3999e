import ShuntCore
import ShuntRouting
import Testing

@Suite("Route match")
struct RouteMatchTests {
    private func table(_ patterns: [String], _ options: RoutingOptions = RoutingOptions()) throws -> RouteTable {
        var builder = RouteTableBuilder(options: options)
        for pattern in patterns { builder.add(pattern) }
        return try builder.build()
    }

    @Test("values are decoded once, on demand, and split before")
    func values() throws {
        let table = try table(["/u/:name/:id(int)", "/f/*path", "/b/:bytes/raw"])
        let match = try #require(table.match("/u/caf%C3%A9%2Fbar%2541+x/-12?id=9&q=a+b&q=c%2Bd&flag&e=#top"))
        #expect(match["name"] == "caf\u{e9}/bar%41+x")
        #expect(match.value("id", as: Int.self) == -12)
        #expect(match.value("name", as: Int.self) == nil)
        #expect(match["none"] == nil)
        #expect(match.query["id"] == "9")
        #expect(match.query.values(of: "q") == ["a b", "c+d"])
        #expect(match.query.values(of: "flag") == [nil])
        #expect(match.query["e"] == "")
        #expect(match.query.names == ["id", "q", "flag", "e"])
        #expect(match.combinedParameters["id"] == ["-12"])
        #expect(match.range(of: "id").map { match.urlBytes[$0.indices].elementsEqual(Array("-12".utf8)) } == true)
        #expect(table.match("/b/%FF%00/raw")?.bytes(of: "bytes") == [0xff, 0])
        let tail = try #require(table.match("/f/a%2Fb/c//d/"))
        #expect(tail.wildcardComponents == ["a/b", "c", "d"])
        #expect(tail.base == "/f")
        #expect(try #require(table.match("/f")).wildcard == "")
    }

    @Test("why nothing matched")
    func misses() throws {
        var builder = RouteTableBuilder()
        let user = builder.add("/users/:id(uint)/profile")
        builder.add("/orders/:code([A-Z]{3})", methods: ["GET", "PUT"])
        builder.add("/settings/notifications")
        let table = try builder.build()
        func reason(_ url: String, _ method: String? = nil) -> RouteMiss? { table.resolve(url, method: method).miss }
        #expect(reason("/nowhere/at/all")?.reason == .noSuchPath)
        #expect(reason("/nowhere/at/all")?.suggestion == nil)
        #expect(
            reason("/users/abc/profile")?.reason
                == .valueDoesNotFit(route: user, parameter: "id", value: "abc", requirement: "uint")
        )
        #expect(reason("/orders/ABC", "POST")?.reason == .methodNotAllowed(["GET", "PUT"]))
        #expect(reason("/orders/ABC", "PROPFIND")?.reason == .methodNotAllowed(["GET", "PUT"]))
        #expect(reason("/orders/abc", "GET")?.description == "\"abc\" does not fit code([A-Z]{3})")
        #expect(reason("/setings/notifications")?.suggestion == "/settings/notifications")
        #expect(reason("/users/7/profil")?.suggestion == "/users/7/profile")
        #expect(
            reason("/settings/notificationx")?.description.hasSuffix("did you mean \"/settings/notifications\"?")
                ?? false
        )
        #expect(reason("/users/7/profile") == nil)
        // A path that leads nowhere either does not help.
        #expect(reason("/user/abc/profile")?.suggestion == nil)
    }

    @Test("handlers may decline, and the search continues")
    func candidates() throws {
        var builder = RouteTableBuilder()
        builder.add("/a/*rest", name: "tail")
        builder.add("/a/:x", name: "plain")
        builder.add("/a/b", name: "exact", methods: ["GET"])
        builder.add("/a/b", name: "any")
        builder.add("/:y/b", name: "urgent", priority: 5)
        builder.add("//h.test/a/b", name: "host")
        let table = try builder.build()
        #expect(
            table.candidates(for: "http://h.test/a/b", method: "GET").map(\.route.displayName)
                == ["host", "urgent", "exact", "any", "plain", "tail"]
        )
        #expect(
            table.candidates(for: "/a/b", method: "PUT").map(\.route.displayName) == ["urgent", "any", "plain", "tail"]
        )
        let scratch = RouteScratch()
        let url = Array("/a/b".utf8)
        let parts = RouteSubject(splitting: url.span)
        var lookup = table.lookup(url.span, parts: parts, scratch: scratch)
        var count = 0
        while lookup.isMatch {
            count += 1
            lookup = table.lookup(url.span, parts: parts, after: lookup, scratch: scratch)
        }
        #expect(count == 5)
        let end = table.lookup(url.span, parts: parts, after: lookup, scratch: scratch)
        #expect(end.outcome == .noMatch)
    }

    @Test("options: slashes, case, prefixes, fragments, hosts")
    func options() throws {
        var options = RoutingOptions()
        options.trailingSlash = .significant
        var strict = try table(["/a", "/b/", "/c/*rest", "/"], options)
        for (url, isMatch) in [
            ("/a", true), ("/a/", false), ("/b", false), ("/b/", true), ("/", true), ("/c/", true), ("/c", false),
            ("/c/x", true), ("/c/x/", true),
        ] { #expect(strict.canRoute(url) == isMatch, "\(url)") }

        options = RoutingOptions()
        options.caseSensitive = false
        strict = try table(["/Users/:Name/V:x", "/\u{c9}"], options)
        #expect(strict.match("/uSERS/Jo/v1")?["Name"] == "Jo")
        #expect(strict.canRoute("/%55sers/Jo/V1"))
        #expect(strict.canRoute("/\u{c9}"))
        #expect(!strict.canRoute("/\u{e9}"))

        options = RoutingOptions()
        options.matchesPrefix = true
        strict = try table(["/a/:x", "/a"], options)
        #expect(strict.match("/a/1/2/3")?.remainder == "/2/3")
        #expect(strict.match("/a")?.remainder == "")
        #expect(strict.match("/ab") == nil)

        options = RoutingOptions()
        options.routesFragment = true
        strict = try table(["/a#/b/:x", "/a", "/t#/*rest"], options)
        #expect(strict.match("/a#/b/7?k=v")?["x"] == "7")
        #expect(strict.match("/a#/b/7?k=v")?.query["k"] == "v")
        #expect(strict.match("/a#anchor")?.route.pattern == "/a")
        #expect(strict.match("/a#/c") == nil)
        #expect(strict.match("/t#")?.wildcard == "")

        options = RoutingOptions()
        options.emptyComponents = .kept
        strict = try table(["/a/:x/b", "/a"], options)
        #expect(strict.match("/a//b")?["x"] == "")
        #expect(strict.match("//a") == nil)
        #expect(strict.canRoute("/a/"))
    }

    @Test("the `/` patterns of Universal Links")
    func universalLinks() throws {
        let table = try table(
            ["/help/website/*", "/help/*", "/buy/*", "/p/????", "/v?.html", "/any/*/x?"],
            .universalLinks
        )
        let cases = [
            ("https://ex.com/help/website/a", "/help/website/*"), ("https://ex.com/help/a/b", "/help/*"),
            ("https://ex.com/Buy/1", nil), ("https://ex.com/p/1234", "/p/????"), ("https://ex.com/p/123", nil),
            ("https://ex.com/v1.html", "/v?.html"), ("https://ex.com/any/a/b/xy", "/any/*/x?"),
            ("https://ex.com/any/a/b", nil), ("https://ex.com/buy", "/buy/*"), ("https://ex.com/p/1234/", "/p/????"),
        ]
        for (url, pattern) in cases { #expect(table.match(url)?.route.pattern == pattern, "\(url)") }
        let broad = try self.table(["/*", "/e/*"], .universalLinks)
        #expect(broad.match("https://ex.com/e/x")?.route.pattern == "/*")
        #expect(broad.warnings.map(\.code) == ["shadowed-route"])
    }

    @Test("parts of a parsed URL, and parts that are not inside it")
    func parts() throws {
        let table = try table(["https://h.test/a/:x"])
        let url = Array("https://h.test/a/1".utf8)
        let scratch = RouteScratch()
        let parsed = RouteSubject(try URLParser.parse(url.span))
        var lookup = table.lookup(url.span, parts: parsed, scratch: scratch)
        #expect(lookup.isMatch)
        #expect(scratch.value(0).map { Array(url[$0.indices]) } == Array("1".utf8))
        #expect(scratch.value(1) == nil)
        #expect(scratch.value(-1) == nil)
        var outside = parsed
        outside.path = ByteRange(0, url.count + 1)
        lookup = table.lookup(url.span, parts: outside, scratch: scratch)
        #expect(lookup.outcome == .noMatch)
        outside.path = ByteRange(start: -5, end: 3)
        lookup = table.lookup(url.span, parts: outside, scratch: scratch)
        #expect(!lookup.isMatch)
    }

    @Test("any bytes can be looked up")
    func arbitrary() throws {
        var generator = SeededBytes(state: 99)
        for name in RoutingOptions.presetNames {
            var builder = RouteTableBuilder(options: try #require(RoutingOptions.preset(named: name)))
            for pattern in ["/a/:x", "kl://h/:y", "/:a/:b", "/t/*", "/a.b"] { builder.add(pattern) }
            let table = try builder.build()
            let scratch = RouteScratch()
            for _ in 0..<300 {
                let url = generator.bytes()
                let parts = RouteSubject(splitting: url.span)
                let lookup = table.lookup(url.span, parts: parts, scratch: scratch)
                let match = table.match(lookup, url: url, parts: parts, scratch: scratch)
                let total = (match?.parameters.count ?? 0) + (match?.query.items.count ?? 0)
                #expect(total >= 0 && (match != nil) == lookup.isMatch)
                #expect(match?.combinedParameters.count ?? 0 <= total)
            }
        }
    }
}

/// Short byte strings of what URLs are made of.
struct SeededBytes {
    var state: UInt64

    mutating func bytes() -> [UInt8] {
        let alphabet = Array("/:@?#%&=+*.-akhltx01[]\u{e9}\u{0} ".utf8)
        var result: [UInt8] = []
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        for _ in 0..<(state >> 59) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            result.append(alphabet[Int((state >> 33) % UInt64(alphabet.count))])
        }
        return result
    }
}
