import Shunt
import ShuntCore
import Testing

@testable import ShuntRules

/// Rows of lists of redirects that were written for another server, and what becomes of their captures.
@Suite("Rows of redirects")
struct RedirectRowTests {
    private static func rules(_ directive: String, _ name: String, _ text: String) throws(RuleSetError) -> RuleSet {
        try RuleSet(path: "/r", from: InMemoryFileSystem(["/r/a.conf": directive, "/r/\(name)": text]))
    }

    private static func location(_ decision: Decision) -> String {
        switch decision.action {
        case .redirect(let redirect): redirect.location
        case .forward(let forward): "forward \(forward.url)"
        default: "\(decision.kind) \(decision.status ?? 0)"
        }
    }

    /// The name of a list, a row, and the message about it.
    static let unusableRows: [(name: String, row: String, message: String)] = [
        ("l", "/old/(.*)$ /new/$1", "has an expression or a placeholder"),
        ("l", "/old/.* /new", "has an expression or a placeholder"),
        ("l", "/p[^/]+/x /new", "has an expression or a placeholder"),
        ("l", "/a\\.html /new", "has an expression or a placeholder"),
        ("l", "/posts/:slug /articles", "has an expression or a placeholder"),
        ("l", "/posts/{slug} /articles", "has an expression or a placeholder"),
        ("l", "/blog/[name] /news/x", "has an expression or a placeholder"),
        ("l", "^/old /new", "is for no path"),
        ("l", "/old /new/$1", "has a target with a part"), ("l", "/old /new/:splat", "has a target with a part"),
        ("l", "/old /new/*", "has a target with a part"), ("l", "/old/* /new/$1", "has a target with a part"),
        ("bulk.csv", "a.test/x/*,https://n.test/,301,false", "has an expression or a placeholder"),
        ("_redirects", "/old/(.*) /new", "has an expression or a placeholder"),
        ("_redirects", "/old /new/:slug", "has a target with a part"),
        ("_redirects", "/old/:slug /new/:slog", "has a target with a part"),
        (
            "v.json", #"{"redirects": [{"source": "/a/:b", "destination": "/:c"},{"source":"/f","destination":"/g"}]}"#,
            "has a target with a part"
        ),
        (
            "v.json",
            #"{"redirects": [{"source": "/a{/:b}?", "destination": "/c"},{"source":"/f","destination":"/g"}]}"#,
            "has a wildcard"
        ),
        (
            "firebase.json",
            #"{"redirects": [{"source": "/@(a|b)/c", "destination": "/d"},{"source":"/f","destination":"/g"}]}"#,
            "has a wildcard"
        ),
        (
            "firebase.json",
            #"{"redirects": [{"source": "/[ab]", "destination": "/d"},{"source":"/f","destination":"/g"}]}"#,
            "has a wildcard"
        ),
        (
            "firebase.json",
            #"{"redirects": [{"source": "/{a}", "destination": "/d"},{"source":"/f","destination":"/g"}]}"#,
            "has a wildcard"
        ),
    ]

    @Test("A row in the words of another form is left out and reported, and never text", arguments: unusableRows)
    func unusable(name: String, row: String, message: String) throws {
        let rules = try Self.rules(
            "redirects \(name);",
            name,
            name.hasSuffix("json") ? row : "\(row)\n\(Self.sound(name))\n"
        )
        let list = try #require(rules.model.redirectLists.first)
        #expect(list.rows.map(\.isLeftOut) == [true, false])
        let notes = rules.diagnostics.flatMap(\.notes).map(\.message)
        #expect(notes.count == 1 && notes[0].hasPrefix("this row \(message)"), "\(notes)")
    }

    private static func sound(_ name: String) -> String {
        name == "bulk.csv" ? "a.test/f,https://n.test/g,301,false" : "/f /g"
    }

    /// The name of a list, its text, a URL, and the target of the decision.
    static let targets: [(name: String, text: String, url: String, location: String)] = [
        (
            "v.json", #"{"redirects": [{"source": "/p/:id(\\d+)*", "destination": "/t/:id*"}]}"#, "http://h.test/p/abc",
            "forward http://h.test/p/abc"
        ),
        (
            "v.json", #"{"redirects": [{"source": "/p/:id(\\d+)*", "destination": "/t/:id*"}]}"#,
            "http://h.test/p/1/22", "http://h.test/t/1/22"
        ),
        (
            "v.json", #"{"redirects": [{"source": "/p/:id(\\d+)+", "destination": "/t/:id+"}]}"#, "http://h.test/p/7",
            "http://h.test/t/7"
        ),
        (
            "v.json", #"{"redirects": [{"source": "/p/:id(\\d+)+", "destination": "/t/:id+"}]}"#, "http://h.test/p",
            "forward http://h.test/p"
        ),
        (
            "v.json", #"{"redirects": [{"source": "/p/:id", "destination": "/t/:id"}]}"#, "http://h.test/p/1/",
            "forward http://h.test/p/1/"
        ),
        (
            "v.json", #"{"redirects": [{"source": "/:lang?/blog", "destination": "/b"}]}"#, "http://h.test/blog",
            "http://h.test/b"
        ),
        (
            "v.json", #"{"redirects": [{"source": "/:lang?/blog", "destination": "/b"}]}"#, "http://h.test/en/blog",
            "http://h.test/b"
        ),
        (
            "v.json", #"{"redirects": [{"source": "/:lang?/:slug/edit", "destination": "/e/:slug"}]}"#,
            "http://h.test/x/edit", "http://h.test/e/x"
        ),
        (
            "v.json", #"{"redirects": [{"source": "/:p*/edit", "destination": "/e"}]}"#, "http://h.test/edit",
            "http://h.test/e"
        ),
        (
            "v.json", #"{"redirects": [{"source": "/:p*/edit", "destination": "/e"}]}"#, "http://h.test/a/b/edit",
            "http://h.test/e"
        ),
        (
            "v.json", #"{"redirects": [{"source": "/:l(en|de)?/x", "destination": "/y"}]}"#, "http://h.test/x",
            "http://h.test/y"
        ),
        (
            "v.json", #"{"redirects": [{"source": "/:l(en|de)?/x", "destination": "/y"}]}"#, "http://h.test/fr/x",
            "forward http://h.test/fr/x"
        ),
        ("_redirects", "/a tag=x /t", "http://h.test/a/?tag=x", "http://h.test/t"),
        ("_redirects", "/a/ tag=x /t", "http://h.test/a?tag=x", "http://h.test/t"),
        ("_redirects", "/x/:s/ /t/:s", "http://h.test/x/1", "http://h.test/t/1"),
        ("_redirects", "/x/:s/ /t/:s", "http://h.test/x/1/", "http://h.test/t/1"),
        (
            "m.csv", "Original URL,Redirect to URL,Redirect style\n/a,/b,302\n/c,/d,Temporary", "http://h.test/c",
            "http://h.test/d"
        ),
        ("m.csv", "Old URL,New URL,Published\n/a,/b,0\n/c,/d,1", "http://h.test/a", "forward http://h.test/a"),
        ("m.csv", "Old URL,New URL,Published\n/a,/b,0\n/c,/d,1", "http://h.test/c", "http://h.test/d"),
        (
            "m.csv", "entity_type,request_path,target_path,redirect_type\ncustom,/a,/b,302", "http://h.test/a",
            "http://h.test/b"
        ),
        ("l", "/wiki/Foo_(bar) /new", "http://h.test/wiki/Foo_(bar)", "http://h.test/new"),
        ("l", "/feed.* /rss", "http://h.test/feed.xml", "http://h.test/rss"),
        ("l", "/a /deals/$5-off", "http://h.test/a", "http://h.test/deals/$5-off"),
        ("l", "/x/{3F2504E0-4F89} /b", "http://h.test/x/{3F2504E0-4F89}", "http://h.test/b"),
        ("l", "/a?price=100$ /b", "http://h.test/a?price=100$", "http://h.test/b"),
        ("l", "/s?q=caf\u{e9}&r=%c3 /b", "http://h.test/s?q=caf%C3%A9&r=%C3", "http://h.test/b"),
        ("m.csv", "New URL,Current URL\n/b,/a", "http://h.test/a", "http://h.test/b"),
        ("m.csv", "Destination,Origin\n/b,/a", "http://h.test/a", "http://h.test/b"),
        ("l", "/a /price/$100", "http://h.test/a", "http://h.test/price/$100"),
        ("l", "/p/* /q?u=:splat", "http://h.test/p/a%26b=c%2Bd%3Be%20f", "http://h.test/q?u=a%26b=c%2Bd%3Be%20f"),
        ("l", "/p/* /q/:splat?u=:splat", "http://h.test/p/a&b", "http://h.test/q/a&b?u=a%26b"),
        ("l", "/p/*  403", "http://h.test/p/%0ax", "block 403"),
        ("_redirects", "/p/* /q/:splat", "http://h.test/p/%0ax", "http://h.test/q/%0Ax"),
        (
            "v.json", #"{"redirects": [{"source": "/p/:x*", "destination": "/q/:x*"}]}"#, "http://h.test/p/%0ax",
            "http://h.test/q/%0Ax"
        ),
        ("bulk.csv", "h.test/p,https://n.test/q,301,false,,true", "http://h.test/p/%0ax", "https://n.test/q/%0Ax"),
        ("l", "/p/* /q?u=:splat#f", "http://h.test/p/a&b?c=d", "http://h.test/q?u=a%26b&c=d#f"),
        ("_redirects", "/s id=:id /t/:id", "http://h.test/s?id=a%20b%26c", "http://h.test/t/a%20b%26c"),
        ("_redirects", "/s id=:id /t?i=:id", "http://h.test/s?id=a%20b+c%26", "http://h.test/t?i=a%20b+c%26"),
        ("_redirects", "http://h.test/* https://h.test/:splat 301!", "http://h.test/a", "https://h.test/a"),
        ("_redirects", "http://h.test/* https://h.test/:splat 301!", "https://h.test/a", "forward https://h.test/a"),
        (
            "firebase.json", #"{"redirects": [{"source": "/{a,b%20c}/x?", "destination": "/d"}]}"#,
            "http://h.test/b%20c/x1", "http://h.test/d"
        ),
        (
            "firebase.json", #"{"redirects": [{"source": "/{a,b}/x?", "destination": "/d"}]}"#, "http://h.test/c/x1",
            "forward http://h.test/c/x1"
        ),
        (
            "firebase.json", #"{"redirects": [{"source": "/a/x?", "destination": "/d"}]}"#, "http://h.test/a/x",
            "forward http://h.test/a/x"
        ),
        (
            "v.json", #"{"redirects": [{"source": "/d/(a|b)?", "destination": "/e"}]}"#, "http://h.test/d",
            "http://h.test/e"
        ),
    ]

    @Test("Captures of a row have the escapes of their place in the target", arguments: targets)
    func captures(name: String, text: String, url: String, location: String) throws {
        let rules = try Self.rules("redirects \(name);", name, text)
        #expect(Self.location(Engine(rules).decide(RuleRequest(url: url))) == location)
        #expect(rules.diagnostics.isEmpty)
    }

    @Test("A capture does not make a host of the target in a server")
    func targetWithoutHost() throws {
        let rules = try Self.rules("server { absolute_redirect off; redirects l; return 200; }", "l", "/x* /:splat\n")
        let decision = Engine(rules).decide(RuleRequest(target: "/x/evil.test", host: "h.test"))
        #expect(Self.location(decision) == "/evil.test")
    }

    /// The name of a list, its text, and the lines of the rows that are left out.
    static let loopingRows: [(name: String, text: String, left: [Int32])] = [
        ("l", "/blog/* /blog/:splat\n/f /g\n", [1]), ("l", "/* /x/:splat\n/f /g\n", [1]),
        ("l", "/a/* /a/b\n/f /g\n", [1]), ("l", "/a/* /b/:splat\n/b/* /c/:splat\n", []),
        ("l", "/a /b/x\n/b/* /a\n/f /g\n", [1, 2]), ("l", "/a/* /a\n/a /c\n", []),
        ("l", "/a/* https://x.test/a/:splat\n", []), ("l", "/a/* /a/:splat 200\n", []),
        ("l", "/a/* /a/b\n/a/b /c\n", []), ("l", "https://h.test/* https://h.test/:splat\n/f /g\n", [1]),
        ("_redirects", "/* /index.html 302\n", []), ("_redirects", "/* /index.html 302!\n/f /g\n", [1]),
        ("_redirects", "/a /b\n/* /a 302!\n", [1, 2]),
        ("_redirects", "http://h.test/* https://h.test/:splat 301!\n", []),
        ("bulk.csv", "b.test/,https://www.b.test/,301,false,true,true\nc.test/,https://d.test/,301\n", [1]),
        ("bulk.csv", "b.test/,https://www.b.test/,301,false,false,true\n", []),
    ]

    @Test("A row with a wildcard that leads to itself is left out", arguments: loopingRows)
    func loops(name: String, text: String, left: [Int32]) throws {
        let directive = "redirects \(name)\(name == "l" ? " host=h.test" : "");"
        let rules = try Self.rules(directive, name, text)
        let list = try #require(rules.model.redirectLists.first)
        #expect(list.rows.filter(\.isLeftOut).map(\.line) == left)
        for row in left where list.groups.contains(where: { $0.patternRows.contains(row - 1) }) {
            Issue.record("row \(row) is in use")
        }
    }
}
