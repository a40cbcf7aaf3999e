import ShuntRouting
import Testing

@Suite("Route table")
struct RouteTableTests {
    /// The name of the route and its parameters, or `-`.
    private func describe(_ table: RouteTable, _ url: String, _ method: String? = nil) -> String {
        guard let match = table.match(url, method: method) else { return "-" }
        let values = match.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
        return "\(match.route.displayName) \(values)".trimming()
    }

    @Test("literal, typed, constrained, plain, wildcard and tail, in this order, with backtracking")
    func order() throws {
        var builder = RouteTableBuilder()
        for pattern in [
            "/a/*rest", "/a/:plain", "/a/:digits(\\d{4,})", "/a/:number(uint)", "/a/v:major", "/a/lit", "/a/lit/deep",
            "/a/:x/tail/end", "/", "/files/:name.tar.gz", "/:a/:b(/c/:d)(/e)", "/w/*/z",
        ] {
            builder.add(pattern)
        }
        let table = try builder.build()
        let cases = [
            ("/a/lit", "/a/lit"),
            ("/a/lit/", "/a/lit"),
            ("/a//lit", "/a/lit"),
            ("/a/l%69t", "/a/lit"),
            ("/a/v2", "/a/v:major major=2"),
            ("/a/v", "/a/:plain plain=v"),
            ("/a/12", "/a/:number(uint) number=12"),
            ("/a/99999999999999999999999", "/a/:digits(\\d{4,}) digits=99999999999999999999999"),
            ("/a/x%2Fy", "/a/:plain plain=x/y"),
            ("/a/lit/other", "/a/*rest rest=lit/other"),
            ("/a/lit/tail/end", "/a/:x/tail/end x=lit"),
            ("/a", "/a/*rest rest="),
            ("/", "/"),
            ("", "/"),
            ("/files/archive.tar.gz", "/files/:name.tar.gz name=archive"),
            ("/files/.tar.gz", "/:a/:b(/c/:d)(/e) a=files,b=.tar.gz"),
            ("/1/2", "/:a/:b(/c/:d)(/e) a=1,b=2"),
            ("/1/2/c/3", "/:a/:b(/c/:d)(/e) a=1,b=2,d=3"),
            ("/1/2/c/3/e", "/:a/:b(/c/:d)(/e) a=1,b=2,d=3"),
            ("/1/2/e", "/:a/:b(/c/:d)(/e) a=1,b=2"),
            ("/1/2/e/c", "-"),
            ("/w/x/z", "/w/*/z"),
            ("/none", "-"),
        ]
        for (url, expected) in cases {
            #expect(describe(table, url) == expected, "\(url)")
        }
    }

    @Test("methods, schemes and hosts")
    func methodsAndHosts() throws {
        var builder = RouteTableBuilder()
        builder.add("/users/me", name: "me", methods: ["GET"])
        builder.add("/users/:id", name: "user", methods: ["GET", "POST"])
        builder.add("/users/:id", name: "purge", methods: ["PURGE"])
        builder.add("kl://user/:id", name: "kl")
        builder.add("https://*.example.com/item/:id", name: "wild")
        builder.add("https://:tenant.example.com/item/:id", name: "tenant")
        builder.add("https://www.example.com/item/:id", name: "www")
        builder.add("//*sub.example.org:8080/x", name: "port")
        let table = try builder.build()
        let cases: [(String, String?, String)] = [
            ("/users/me", "GET", "me"),
            ("/users/me", "POST", "user id=me"),
            ("/users/7", "PURGE", "purge id=7"),
            ("/users/7", "DELETE", "-"),
            ("kl://user/7", nil, "kl id=7"),
            ("KL://USER/7", nil, "kl id=7"),
            ("kl://other/users/7", "GET", "user id=7"),
            ("https://www.example.com/item/1", nil, "www id=1"),
            ("https://acme.example.com/item/1", nil, "tenant tenant=acme,id=1"),
            ("https://a.b.example.com/item/1", nil, "wild id=1"),
            ("https://example.com/item/1", nil, "-"),
            ("http://a.b.example.org:8080/x", nil, "port sub=a.b"),
            ("http://a.b.example.org:80/x", nil, "-"),
        ]
        for (url, method, expected) in cases {
            #expect(describe(table, url, method) == expected, "\(url)")
        }
        #expect(
            table.resolve("/users/7", method: "DELETE").miss?.reason == .methodNotAllowed(["GET", "POST", "PURGE"])
        )
    }
}

extension String {
    /// The text without a space at its end.
    func trimming() -> String { last == " " ? String(dropLast()) : self }
}
