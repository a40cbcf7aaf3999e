import Shunt
import Testing

@Suite("The URL of a request whose path was changed")
struct ChangedURLTests {
    private static let rules = """
        server {
            rewrite ^/a/(.*)$ /b/$1 last;
            rewrite ^/c/(.*)$ /d/$1?z=2 last;
            rewrite ^/e(/.*)$ $1 break;
            rewrite ^/f/ /constant last;
            rewrite ^/g/(.*)$ /h/$1;
            rewrite ^/h/(.*)$ /i/$1? last;
            rewrite ^/j/(.*)$ /k/$host/$1 last;
            rewrite ^/l/([^/]*)/([^/]*)$ /m/$2/$1/$3 last;
        }
        """

    /// A path of more than a block that is copied at once.
    private static let long = String(repeating: "long-", count: 9)

    @Test(
        "It has the scheme and the Host that were asked, and what the path needs encoded",
        arguments: [
            ("/a/x", "/b/x"), ("/a/", "/b/"), ("/a/x?q=1", "/b/x?q=1"), ("/a/x?", "/b/x"), ("/a/\(long)", "/b/\(long)"),
            ("/a/x%20y", "/b/x%20y"), ("/a/{x}", "/b/%7Bx%7D"), ("/a/~x", "/b/~x"), ("/a/x?\(long)", "/b/x?\(long)"),
            ("/c/x", "/d/x?z=2"), ("/c/x?q=1", "/d/x?z=2&q=1"), ("/e/x", "/x"), ("/e/x?q", "/x?q"),
            ("/f/x?q", "/constant?q"), ("/g/x?q=1", "/i/x"), ("/j/x", "/k/h.test/x"), ("/l/1/2", "/m/2/1/"),
        ]
    )
    func changed(target: String, expected: String) throws {
        let ruleSet = try RuleSet(text: Self.rules)
        var options = Engine.Options()
        options.isLinear = true
        let engine = Engine(ruleSet)
        let longest = String(repeating: "a", count: 40) + ".test"
        for host in ["h.test", "h.test:8080", "H.test", longest] where host == "h.test" || !target.hasPrefix("/j/") {
            let request = RuleRequest(target: target, host: host)
            let decision = engine.decide(request)
            #expect(decision.url == "http://\(host)\(expected)")
            #expect(Engine(ruleSet, options: options).decide(request) == decision)
            #expect(engine.explain(request).decision == decision)
            // The Host is the one of the request before now.
            #expect(engine.decide(request) == decision)
        }
    }
}
