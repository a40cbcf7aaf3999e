import Shunt
import ShuntTools
import Testing

/// The entries of `map`, `geo` and `split_clients` as rules: named by decisions, traces, counters and coverage.
@Suite struct TableEntryTests {
    private static let files = [
        "/r/rules.conf": """
        map $uri $new { default ""; include maps/moved; ~^/old/(?<rest>.*)$ /new/$rest; include lists/plain /start; }
        map $host $site { hostnames; .shop.test shop; *.blog.test blog; }
        geo $near { default far; 192.0.2.0/24 near; 192.0.2.128/25 nearer; include lists/office office; }
        geo $range { ranges; 10.0.0.0-10.0.0.255 inner; 10.0.0.9-10.0.0.9 one; }
        split_clients $arg_u $share { 50% a; * b; }
        map $uri $volatile { volatile; default v; }
        server {
            listen 80;
            if ($new) { return 301 $new; }
            location /site { return 200 $site; }
            location /near { return 200 $near; }
            location /range { return 200 $range; }
            location /share { return 200 $share; }
            location /volatile { return 200 $volatile$volatile; }
            location /none { return 204; }
        }
        """,
        "/r/maps/moved": "/a /b;\n/b\n/c?x=$arg_x;\n",
        "/r/lists/plain": "# pages\n/p1\n\n/p2\n",
        "/r/lists/office": "198.51.100.0/24\n203.0.113.7\n",
    ]

    private static func ruleSet() throws -> RuleSet {
        try RuleSet(path: "/r/rules.conf", from: InMemoryFileSystem(files))
    }

    private static func request(_ target: String, _ host: String, from address: String?) -> RuleRequest {
        var request = RuleRequest(target: target, host: host)
        if let address { request.remoteAddress = address }
        return request
    }

    @Test(
        "A decision names the entries that supplied its values, and only on request",
        arguments: [
            ("/a", "h.test", nil, ["maps/moved:1:1"]), ("/b?x=1", "h.test", nil, ["maps/moved:2:1"]),
            ("/A", "h.test", nil, ["maps/moved:1:1"]), ("/old/x", "h.test", nil, ["rules.conf:1:49"]),
            ("/p1", "h.test", nil, ["lists/plain:2:1"]), ("/p2", "h.test", nil, ["lists/plain:4:1"]),
            ("/none", "h.test", nil, ["rules.conf:1:17"]),
            ("/site", "www.shop.test", nil, ["rules.conf:1:17", "rules.conf:2:30"]),
            ("/site", "a.blog.test", nil, ["rules.conf:1:17", "rules.conf:2:47"]),
            ("/site", "h.test", nil, ["rules.conf:1:17"]),
            ("/near", "h.test", "192.0.2.1", ["rules.conf:1:17", "rules.conf:3:26"]),
            ("/near", "h.test", "192.0.2.200", ["rules.conf:1:17", "rules.conf:3:45"]),
            ("/near", "h.test", "198.51.100.9", ["rules.conf:1:17", "lists/office:1:1"]),
            ("/near", "h.test", "203.0.113.7", ["rules.conf:1:17", "lists/office:2:1"]),
            ("/near", "h.test", "10.0.0.1", ["rules.conf:1:17", "rules.conf:3:13"]),
            ("/range", "h.test", "10.0.0.200", ["rules.conf:1:17", "rules.conf:4:22"]),
            ("/range", "h.test", "10.0.0.9", ["rules.conf:1:17", "rules.conf:4:49"]),
            ("/range", "h.test", "10.9.0.9", ["rules.conf:1:17"]),
            ("/share?u=1", "h.test", nil, ["rules.conf:1:17", "rules.conf:5:31"]),
            ("/share?u=3", "h.test", nil, ["rules.conf:1:17", "rules.conf:5:38"]),
            ("/volatile", "h.test", nil, ["rules.conf:1:17", "rules.conf:6:32"]),
        ] as [(String, String, String?, [String])]
    )
    func decisions(target: String, host: String, address: String?, expected: [String]) throws {
        let rules = try Self.ruleSet()
        var options = Engine.Options()
        #expect(Engine(rules, options: options).decide(Self.request(target, host, from: address)).entries == [])
        options.namesEntries = true
        let engine = Engine(rules, options: options)
        let expected = expected.map { "/r/" + $0 }
        for _ in 0..<2 {
            #expect(engine.decide(Self.request(target, host, from: address)).entries.map(\.description) == expected)
        }
        engine.withDecision(for: Self.request(target, host, from: address)) { decision in
            #expect(decision.entries.map(\.description) == expected)
            #expect(decision.copy().entries.map(\.description) == expected)
        }
    }

    @Test("A trace has a step for each entry, with what was looked up")
    func traces() throws {
        let engine = Engine(try Self.ruleSet())
        let steps = engine.explain(Self.request("/share?u=1", "h.test", from: nil)).trace.steps
            .filter { $0.kind == .entry }
        #expect(steps.map { $0.rule?.description } == ["/r/rules.conf:1:17", "/r/rules.conf:5:31"])
        #expect(steps.map(\.text) == ["default \"\"", "50% a"])
        #expect(steps.first?.subject == #"in map $uri $new, for "/share""#)
        #expect(steps.last?.subject?.hasSuffix(": from 0% to 50%") == true)
    }

    @Test("Counters count entries on request, and what they had stays with the text of an entry")
    func counters() throws {
        let rules = try Self.ruleSet()
        var options = Engine.Options()
        options.namesEntries = true
        let engine = Engine(rules, options: options)
        let counters = RuleCounters(rules, countsEntries: true)
        for target in ["/a", "/a", "/p2", "/near"] {
            counters.count(engine.decide(Self.request(target, "h.test", from: "203.0.113.7")))
        }
        engine.withDecision(for: Self.request("/a", "h.test", from: nil)) { counters.count($0) }
        func hits(_ counters: RuleCounters) -> [String: UInt64] {
            Dictionary(counters.counts().filter { $0.hits > 0 }.map { ($0.text, $0.hits) }) { $0 + $1 }
        }
        #expect(
            hits(counters) == [
                "/a /b": 3, "/p2": 1, "default \"\"": 1, "203.0.113.7": 1, "return 301 $new": 4, "return 200 $near": 1,
            ]
        )
        #expect(counters.counts().contains { $0.text == "/p1" && $0.hits == 0 })
        #expect(!RuleCounters(rules).counts().contains { $0.text == "/a /b" })
        var moved = Self.files
        moved["/r/maps/moved"] = "/0 /z;\n/a /b;\n"
        let next = try RuleSet(path: "/r/rules.conf", from: InMemoryFileSystem(moved))
        #expect(hits(RuleCounters(next, countsEntries: true, continuing: counters))["/a /b"] == 3)
    }

    @Test("Decisions that differ in their entries differ")
    func equality() throws {
        let rules = try RuleSet(text: "map $uri $x { /a 1; /b 1; } server { return 200 $x; }")
        var options = Engine.Options()
        options.namesEntries = true
        let engine = Engine(rules, options: options)
        let decisions = ["/a", "/b"].map { engine.decide(RuleRequest(target: $0, host: "h.test")) }
        #expect(decisions.map(\.entries.count) == [1, 1])
        #expect(decisions[0] != decisions[1])
    }
}
