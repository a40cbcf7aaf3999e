import Shunt
import ShuntCore
import ShuntTools
import Testing

@Suite("The rules that can send a request to a URL")
struct TargetSourceTests {
    /// Rules, a target, and for each line that can send a request there the request.
    static let cases: [(rules: String, target: String, sources: [String])] = [
        (
            "server {\nserver_name a.test;\nrewrite ^/shop/(\\w+)$ https://b.test/store/$1 permanent;\n"
                + "rewrite ^/other$ https://b.test/store/ permanent;\n}",
            "https://b.test/store/x", ["3 a.test/shop/x"]
        ),
        (
            "server {\nserver_name a.test;\nlocation ~ ^/i/(\\d+)$ { return 302 https://b.test/item?id=$1; }\n}",
            "https://b.test/item?id=7", ["3 a.test/i/7"]
        ),
        (
            "server {\nserver_name a.test;\nlocation /go { return 302 https://b.test/$arg_to; }\n}",
            "https://b.test/here", ["3 a.test/go?to=here"]
        ),
        (
            "server {\nserver_name a.test;\nrewrite ^/(?<page>[a-z]+)\\.html$ /$page;\n}",
            "/about", ["3 a.test/about.html"]
        ),
        (
            "server {\nserver_name a.test;\nrewrite ^/old$ /new permanent;\nrewrite ^/older$ /new?x=1? permanent;\n}",
            "/new?x=1", ["3 a.test/old?x=1", "4 a.test/older"]
        ),
        ("degrade ~ ^kl://Pay/(\\w+) https://m.test/pay/$1;", "https://m.test/pay/a", ["1 kl://pay/a"]),
        ("rewrite_url ^kl://a/(.*)$ kl://b/$1 last;", "kl://b/x?y=1", ["1 kl://a/x?y=1"]),
        ("degrade ~ ^kl://Pay/(\\w+) https://m.test/pay/$1;", "/pay/a", ["1 kl://pay/a"]),
        ("rename_host old.test new.test;", "http://new.test/x?y=1", ["1 http://old.test/x?y=1"]),
        // An earlier rule takes what would reach it.
        (
            "block host c.test;\nrewrite_url ^http://c\\.test/(.*)$ http://b.test/$1 301;",
            "http://b.test/x", []
        ),
        ("degrade ~ ^kl://Pay/(\\w+) https://m.test/pay/$1;", "https://m.test/other", []),
    ]

    @Test("Each with a request that the engine sends there", arguments: cases)
    func sources(_ asked: (rules: String, target: String, sources: [String])) throws {
        let rules = try RuleSet(text: asked.rules, named: "r")
        let time = Timestamp(seconds: 1_793_491_200)
        let found = TargetSources(of: asked.target, in: rules, asOf: time)
        #expect(found.sources.map { "\($0.rule.line) \($0.request)" } == asked.sources, "\(found.unproved)")
        for source in found.sources {
            let url = try #require(Engine(rules).decide(source.request.request).url)
            #expect(url.hasSuffix(asked.target))
        }
    }
}
