import Shunt
import ShuntCore
import Testing

@testable import ShuntRules

/// `block` and `allow` with lists of networks, agents and hosts.
@Suite("Lists that block and allow")
struct EntryListTests {
    private static func rules(_ directives: String, _ files: [String: String]) throws(RuleSetError) -> RuleSet {
        var system = InMemoryFileSystem(["/r/a.conf": directives])
        for (name, text) in files { system.set("/r/\(name)", .file(Array(text.utf8))) }
        return try RuleSet(path: "/r", from: system)
    }

    private static func decide(_ engine: Engine, address: String = "198.51.100.1", agent: String? = nil) -> String {
        var request = RuleRequest(url: "https://www.test/")
        request.remoteAddress = address
        if let agent { request.headers = [.init("User-Agent", agent)] }
        let decision = engine.decide(request)
        #expect(decision == engine.explain(request).decision)
        return "\(decision.kind) \(decision.status ?? 0) \(decision.rule.map { "\($0.file):\($0.line)" } ?? "")"
    }

    static let networkLists: [(text: String, decisions: [(address: String, line: Int?)])] = [
        (
            "# bots\n192.0.2.0/24 ; x\n\n198.51.100.1 - 198.51.100.9 // range\n2001:db8::/32\ndeny 203.0.113.7;\n10.0.0.1,note\n",
            [
                ("192.0.2.255", 2), ("192.0.3.0", nil), ("198.51.100.9", 4), ("198.51.100.10", nil), ("2001:db8::1", 5),
                ("2001:db9::1", nil), ("203.0.113.7", 6), ("::ffff:203.0.113.7", 6), ("10.0.0.1", 7), ("unix:", nil),
            ]
        ),
        (
            "10.0.0.0-10.0.0.20\n10.0.0.10-10.0.0.30\n10.0.0.5/32\n10.0.0.31\n255.255.255.255\n",
            [
                ("10.0.0.5", 1), ("10.0.0.15", 1), ("10.0.0.25", 2), ("10.0.0.31", 4), ("10.0.0.32", nil),
                ("255.255.255.255", 5),
            ]
        ),
        (
            #"{"prefixes": [{"ip_prefix": "192.0.2.0/24", "region": "x"},"# + "\n"
                + #"{"ipv6Prefix": "2001:db8::/32"}], "values": [{"properties": {"addressPrefixes": ["10.0.0.0/8"]}}]}"#,
            [("192.0.2.1", 1), ("2001:db8::1", 2), ("10.1.1.1", 2), ("11.1.1.1", nil)]
        ),
        ("[\"192.0.2.0/24\",\n\"10.0.0.1 \"]", [("192.0.2.1", 1), ("10.0.0.1", 2)]),
        (
            "::ffff:10.0.0.0/104\n::ffff:192.0.2.7\n::FFFF:198.51.100.1-::ffff:198.51.100.9\n",
            [
                ("10.1.2.3", 1), ("::ffff:10.1.2.3", 1), ("11.0.0.1", nil), ("192.0.2.7", 2), ("192.0.2.8", nil),
                ("198.51.100.9", 3), ("198.51.100.10", nil), ("::a01:203", nil),
            ]
        ),
    ]

    @Test("Networks are read in the forms in which they are published, and the entry is named", arguments: networkLists)
    func networks(text: String, decisions: [(address: String, line: Int?)]) throws {
        let engine = Engine(try Self.rules("block networks n 410;", ["n": text]))
        for (address, line) in decisions {
            let expected = line.map { "block 410 /r/n:\($0)" } ?? "forward 0 "
            #expect(Self.decide(engine, address: address) == expected, "\(address)")
        }
    }

    @Test("Agents are texts, texts with a *, or expressions")
    func agents() throws {
        let text = "# agents\nBadBot\nEvil*crawler\n/^spam(my)?\\b/\nDownload\\ Demon\na.c\n/^$/\n"
        let engine = Engine(try Self.rules("block agents a;", ["a": text]))
        for (agent, line) in [
            ("Mozilla/5.0 (compatible; badbot/2)", 2), ("my-Evil big crawler", 3), ("Spammy one", 4),
            ("not spammy", nil),
            ("download demon", 5), ("abc", nil), ("xA.Cx", 6), ("Mozilla/5.0 Firefox/120", nil),
        ] as [(String, Int?)] {
            let expected = line.map { "block 403 /r/a:\($0)" } ?? "forward 0 "
            #expect(Self.decide(engine, agent: agent) == expected, "\(agent)")
        }
        #expect(Self.decide(engine) == "block 403 /r/a:7")
        let json =
            #"[{"pattern": "Googlebot\\/", "url": "x"},"# + "\n"
            + #"{"pattern": "[cC]url", "instances": ["Mozilla/5.0"]}]"#
        let other = Engine(try Self.rules("block agents a.json;", ["a.json": json]))
        #expect(Self.decide(other, agent: "Googlebot/2.1") == "block 403 /r/a.json:1")
        #expect(Self.decide(other, agent: "curl/8") == "block 403 /r/a.json:2")
    }

    @Test(
        "A line that would stand for every client is an error",
        arguments: [
            ("networks", "192.0.2.0/24\n0.0.0.0/0\n", 2), ("networks", "::/0", 1),
            ("networks", "0.0.0.0-255.255.255.255", 1), ("networks", "10.0.0.1\n::ffff:0:0/96", 2),
            ("networks", "::ffff:0.0.0.0-::ffff:255.255.255.255", 1),
            ("networks", #"["10.0.0.1", "::ffff:0.0.0.0/96"]"#, 1),
            ("networks", "10.0.0.1\n0.0.0.0/1\n128.0.0.0/1", 2), ("networks", "::/1\n8000::/1", 1),
            ("networks", "2000::/3", 1),
            ("networks", "224.0.0.1\n1.0.0.0-127.255.255.255\n128.0.0.0/2\n192.0.0.0/3", 2),
            ("networks", #"{"a": ["0.0.0.0/2", "64.0.0.0/2"], "b": ["128.0.0.0/1"]}"#, 1),
            ("agents", "bot\nAppleWebKit\n", 2), ("agents", "safari", 1), ("agents", "/like gecko/", 1),
            ("agents", "bot\nMozilla\n", 2), ("agents", "*", 1), ("agents", "//", 1), ("agents", "/.*/", 1),
            ("agents", "/x|/", 1),
        ]
    )
    func everyone(kind: String, text: String, line: Int) throws {
        for directive in ["block", "allow"] {
            let error = try #require(throws: RuleSetError.self) {
                try Self.rules("\(directive) \(kind) n;", ["n": text])
            }
            let problem = try #require(error.diagnostics.first)
            #expect(problem.code == "everyone-listed" && problem.location.line == line)
        }
    }

    /// An `allow` or a `block` with a list, the codes and the lines of its problems, and the line of the decision of each address.
    static let verbs:
        [(directive: String, text: String, problems: [String], decisions: [(address: String, line: Int?)])] = [
            (
                "allow", "deny 203.0.113.0/24;\nallow 192.0.2.7;\ndeny all;\n",
                ["denied-in-allow-list 1", "invalid-rows 3"], []
            ),
            ("allow", "192.0.2.7\ndeny 203.0.113.0/33;\n", ["denied-in-allow-list 2"], []),
            ("allow", "allow 192.0.2.7;\ndeny unix:;\n", ["denied-in-allow-list 2"], []),
            (
                "allow", "allow 192.0.2.7;\ndeny all;\n", ["invalid-rows 2"],
                [("192.0.2.7", nil), ("192.0.2.8", 1), ("203.0.113.7", 2)]
            ),
            ("allow", "allow all;\n", ["everyone-listed 1"], []),
            ("block", "allow 192.0.2.7;\ndeny all;\n", ["everyone-listed 2", "invalid-rows 1"], []),
            (
                "block", "allow 198.51.100.7;\ndeny 198.51.100.0/24;\n", ["invalid-rows 1"],
                [("198.51.100.7", 2), ("198.51.100.8", 2), ("203.0.113.7", nil)]
            ),
        ]

    @Test("A line with the verb of the other list is never turned into one of this list", arguments: verbs)
    func verb(directive: String, text: String, problems: [String], decisions: [(address: String, line: Int?)]) throws {
        let next = directive == "allow" ? " block networks all 410;" : ""
        let files = ["n": text, "all": "192.0.2.0/24\n203.0.113.0/24\n"]
        let found: [Diagnostic]
        do throws(RuleSetError) {
            let rules = try Self.rules("\(directive) networks n\(directive == "allow" ? "" : " 410");\(next)", files)
            found = rules.diagnostics
            for (address, line) in decisions {
                let expected = line.map { "block 410 /r/\(next.isEmpty ? "n" : "all"):\($0)" } ?? "forward 0 "
                #expect(Self.decide(Engine(rules), address: address) == expected, "\(address)")
            }
            #expect(!decisions.isEmpty)
        } catch {
            found = error.diagnostics
            #expect(decisions.isEmpty)
        }
        #expect(found.map { "\($0.code) \($0.location.line)" } == problems)
    }

    @Test(
        "No part of a list is dropped without a report",
        arguments: [
            ("192.0.2.1, 192.0.2.2\n10.0.0.1", "has more than one network"),
            ("1.0.0.0,1.0.0.255,AU\n10.0.0.1", "has more than one network"),
            ("deny 192.0.2.1; deny 192.0.2.2;\n10.0.0.1", "has more than one network"),
            ("192.0.2.1 192.0.2.256\n10.0.0.1", "has more than one network"),
            ("192.0.2.1 - 192.0.2.9 192.0.2.12\n10.0.0.1", "has more than one network"),
            ("::ffff:192.0.2.0/24\n10.0.0.1", "is not a network"),
            (#"["192.0.2.0/33", "10.0.0.1"]"#, "is not a network"),
            (#"["192.0.2.1, 192.0.2.2", "10.0.0.1"]"#, "is not a network"),
            (#"{"192.0.2.0/24": true, "more": "10.0.0.1"}"#, "has a network as a name, not as a value"),
            (#"["1.2", "2026-11-27", "eu-west-1", 192, "10.0.0.1"]"#, ""),
            ("10.0.0.1,note\n192.0.2.9 seen 2026-11-27 12:00\n192.0.2.8 # 192.0.2.1\n192.0.2.7 // 192.0.2.1", ""),
            ("deny 192.0.2.9; # 192.0.2.1\n10.0.0.1", ""),
            ("192.0.2.1 0;\n10.0.0.1", "is an entry of a geo, whose value is not read"),
        ]
    )
    func droppedParts(text: String, message: String) throws {
        let rules = try Self.rules("block networks n;", ["n": text])
        let messages = rules.diagnostics.flatMap(\.notes).map(\.message)
        #expect(messages == (message.isEmpty ? [] : ["this line \(message)"]))
        #expect(Self.decide(Engine(rules), address: "192.0.2.1") == "forward 0 ")
        #expect(Self.decide(Engine(rules), address: "10.0.0.1").hasPrefix("block"))
    }

    @Test(
        "A list of networks that is damaged JSON is refused",
        arguments: [
            ("{\"a\": \"192.0.2.0/24\"\n", 2), ("[\"192.0.2.0/24\",\n \"10.0.0.0/8\"", 2),
            ("\u{feff}[\n\"192.0.2.0/24\n]", 2),
        ]
    )
    func damagedJSON(text: String, line: Int) throws {
        for directive in ["block networks n;", "allow networks n;", "geo $g { include n 1; }"] {
            let error = try #require(throws: RuleSetError.self) { try Self.rules(directive, ["n": text]) }
            let problem = try #require(error.diagnostics.first)
            #expect(problem.code == "invalid-list" && problem.location.line == line, "\(problem)")
        }
        let agents = try Self.rules("block agents n;", ["n": #"[{"url": "x"}, {"pattern": "bot"}]"#])
        #expect(agents.diagnostics.flatMap(\.notes).map(\.message) == ["this line has an agent without a pattern"])
    }

    @Test("Other lines that cannot be used are left out and reported; a list without entries is, too")
    func dirt() throws {
        let rules = try Self.rules(
            "block networks n; block agents a;",
            ["n": "192.0.2.0/33\nads.example\n\n10.0.0.1\n", "a": "/(/\nbot\n"]
        )
        #expect(
            rules.diagnostics.map(\.message) == [
                "2 lines of this list are left out", "1 line of this list is left out",
            ]
        )
        #expect(Self.decide(Engine(rules), address: "10.0.0.1") == "block 403 /r/n:4")
        let empty = try Self.rules("block networks n;", ["n": "\n\n# none\n"])
        #expect(empty.diagnostics.map(\.code) == ["empty-list"])
        #expect(Self.decide(Engine(empty)) == "forward 0 ")
        let hosts = try Self.rules("blocklist n;", ["n": "192.0.2.0/24\nads.example\n"])
        #expect(hosts.diagnostics.contains { $0.suggestion?.contains("block networks FILE") == true })
    }

    @Test("A rule about elements of a page is not one about its host", arguments: ["##.ad", "#@#.ad", "#?#.ad"])
    func elements(rule: String) throws {
        let engine = Engine(try Self.rules("block urls n;", ["n": "ads.example\nnews.example\(rule)\n"]))
        #expect(engine.decide(RuleRequest(url: "https://news.example/")).kind == .forward)
        #expect(engine.decide(RuleRequest(url: "https://ads.example/")).kind == .block)
    }

    @Test("Entries of an allow pass the lists after it, in servers too")
    func allow() throws {
        let directives = """
            allow networks partners; allow agents good;
            block networks n; block urls hosts;
            server { listen 80; block agents bots; location / { return 200; } }
            """
        let engine = Engine(
            try Self.rules(
                directives,
                ["partners": "192.0.2.7", "good": "GoodBot", "n": "192.0.2.0/24", "hosts": "bad.test", "bots": "bot"]
            )
        )
        #expect(Self.decide(engine, address: "192.0.2.8") == "block 403 /r/n:1")
        #expect(Self.decide(engine, address: "192.0.2.7", agent: "bot") == "respond 200 /r/a.conf:3")
        #expect(Self.decide(engine, address: "192.0.2.8", agent: "goodbot") == "respond 200 /r/a.conf:3")
        #expect(Self.decide(engine, agent: "badbot") == "respond 403 /r/bots:1")
        let host = engine.decide(RuleRequest(url: "https://x.bad.test/"))
        #expect(host.kind == .block && host.rule?.file == "/r/hosts" && host.rule?.line == 1)
    }

    @Test("A list in a server sees the address that a trusted proxy names")
    func realAddress() throws {
        let directives = """
            server { listen 80; set_real_ip_from 10.0.0.0/8; real_ip_header X-Forwarded-For; block networks n 444; return 200; }
            """
        let engine = Engine(try Self.rules(directives, ["n": "192.0.2.0/24"]))
        var request = RuleRequest(target: "/", host: "a.test")
        request.remoteAddress = "10.0.0.1"
        request.headers = [.init("X-Forwarded-For", "192.0.2.1")]
        #expect(engine.decide(request).status == 444)
        request.headers = []
        #expect(engine.decide(request).status == 200)
    }

    @Test(
        "Lists stand where they may",
        arguments: [
            ("server { block host a.test; }", "misplaced-directive"),
            ("server { location / { allow networks n; } }", "argument-count"),
            ("server { allow 192.0.2.1 x; }", "argument-count"), ("block networks n 200;", "invalid-code"),
            ("block networks a b c;", "unexpected-argument"),
            ("location / { block networks n; }", "misplaced-directive"),
        ]
    )
    func places(directives: String, code: String) throws {
        let error = try #require(throws: RuleSetError.self) { try Self.rules(directives, ["n": "192.0.2.1"]) }
        #expect(error.diagnostics.first?.code == code, "\(error)")
    }

    @Test("Entries are counted, and not the directive")
    func counters() throws {
        let rules = try Self.rules("block networks n;", ["n": "192.0.2.0/24\n10.0.0.1\n"])
        let counters = RuleCounters(rules)
        var request = RuleRequest(url: "https://www.test/")
        request.remoteAddress = "10.0.0.1"
        counters.count(Engine(rules).decide(request))
        #expect(
            counters.counts().map { "\($0.rule.line) \($0.text) \($0.hits)" } == ["1 192.0.2.0/24 0", "2 10.0.0.1 1"]
        )
    }

    @Test(
        "geo and map read lists whose lines all have one value; an entry that is written out wins in any order",
        arguments: [
            ("include n 1; 192.0.2.7 0; 192.0.2.8/32 2;", "include hosts yes; a.test maybe;"),
            ("192.0.2.7 0; 192.0.2.8 2; include n 1;", "a.test maybe; include hosts yes;"),
            (
                "include n 1; include again 9; 192.0.2.7 0; 192.0.2.8 2;",
                "include hosts yes; include hosts 9; a.test maybe;"
            ),
        ]
    )
    func tables(geo: String, map: String) throws {
        let directives = """
            geo $bad { default 0; \(geo) }
            map $host $known { default no; \(map) }
            server { listen 80; return 200 $bad$known; }
            """
        let networks =
            "192.0.2.0/24\n192.0.2.8\n10.0.0.3-10.0.0.9 # x\n2001:db8::1-2001:db8::5\n::ffff:203.0.113.0/120\n"
        let files = ["n": networks, "again": "192.0.2.0/24\n", "hosts": "# hosts\nb.test\nc.test\na.test\n"]
        let engine = Engine(try Self.rules(directives, files))
        for (address, host, body) in [
            ("192.0.2.1", "a.test", "1maybe"), ("192.0.2.7", "b.test", "0yes"), ("10.0.0.3", "c.test", "1yes"),
            ("10.0.0.9", "d.test", "1no"), ("10.0.0.10", "d.test", "0no"), ("10.0.0.2", "d.test", "0no"),
            ("192.0.2.8", "d.test", "2no"), ("2001:db8::1", "d.test", "1no"), ("2001:db8::5", "d.test", "1no"),
            ("2001:db8::6", "d.test", "0no"), ("2001:db8::", "d.test", "0no"), ("203.0.113.9", "d.test", "1no"),
        ] {
            var request = RuleRequest(target: "/", host: host)
            request.remoteAddress = address
            guard case .respond(let response) = engine.decide(request).action else { return #expect(Bool(false)) }
            #expect(response.body == body, "\(address)")
        }
    }

    @Test("A geo takes the lines of a list with the first verb of it, and refuses to allow what a line denies")
    func verbsOfGeo() throws {
        let geo = "geo $bad { default 0; include n 1; } server { listen 80; return 200 $bad; }"
        let rules = try Self.rules(geo, ["n": "192.0.2.0/28\ndeny 192.0.2.64/28;\nallow 192.0.2.65;\n"])
        #expect(rules.diagnostics.flatMap(\.notes).map(\.location.line) == [3])
        let error = try #require(throws: RuleSetError.self) {
            try Self.rules(geo, ["n": "allow 192.0.2.65;\ndeny 192.0.2.64/28;\n"])
        }
        #expect(error.diagnostics.map(\.code) == ["denied-in-allow-list"])
    }

    @Test("A range is the networks that it is made of")
    func networksOfRange() {
        for (range, networks) in [
            ("10.0.0.3-10.0.0.9", "10.0.0.3/32 10.0.0.4/30 10.0.0.8/31"), ("0.0.0.0-255.255.255.255", "0.0.0.0/0"),
            ("255.255.255.254-255.255.255.255", "255.255.255.254/31"), ("2001:db8::-2001:db8::ffff", "2001:db8::/112"),
            ("2001:db8::-2001:db8::1:1", "2001:db8::/112 2001:db8::1:0/127"),
            ("::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "::/0"),
            ("2001:db8::1-2001:db8::5", "2001:db8::1/128 2001:db8::2/127 2001:db8::4/127"),
            ("10.0.0.1-10.0.0.1", "10.0.0.1/32"),
            ("::ffff:ffff:ffff:ffff-::1:0:0:0:1", "::ffff:ffff:ffff:ffff/128 0:0:0:1::/127"),
        ] {
            let bytes = Array(range.utf8)
            let read = AddressRange(parsing: bytes.span)
            #expect(read?.networks.map(\.description).joined(separator: " ") == networks, "\(range)")
        }
    }
}
