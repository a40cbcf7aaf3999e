import Foundation
import Shunt
import ShuntRules
import Testing

@testable import ShuntTools

/// Examples of rules: each is asked of a separate engine, and of one that tries the rules one by one.
@Suite("Examples of rules")
struct ExampleTests {
    private static let asOf = Timestamp(seconds: 1_793_491_200)  // 2026-11-01T00:00:00Z

    private func examples(_ text: String, hits: Int = 1, misses: Int = 0) throws -> [RuleExamples] {
        let ruleSet = try RuleSet(text: text, named: "r.conf")
        var options = ExampleSearch.Options()
        options.hits = hits
        options.misses = misses
        let found = ExampleSearch(ruleSet, options: options, asOf: Self.asOf).examples()
        try check(found, ruleSet)
        return found
    }

    /// Asks for every example again what an explanation has of its rule, or what is counted of a setting or an entry.
    private func check(_ found: [RuleExamples], _ ruleSet: RuleSet) throws {
        let model = ruleSet.model
        var targets: [String: CoverageTarget] = [:]
        for (position, target) in TableEntries.all(of: model) {
            if let location = model.location(of: position) { targets["\(location)"] = target }
        }
        for position in ruleSet.countedPositions where model.rule(at: position) == nil {
            if let location = model.location(of: position) { targets["\(location)"] = .rule(position) }
        }
        for entry in found {
            for example in entry.hits + entry.misses {
                var options = Engine.Options()
                options.fileSystem = example.request.fileSystem
                options.isLinear = true
                var request = try RequestDescription(line: example.request.json).request
                if request.time == nil { request.time = Self.asOf }
                let (decision, trace) = Engine(ruleSet, options: options).explain(request)
                #expect(decision == example.decision, "\(entry.rule) \(example.request)")
                if let target = targets["\(entry.rule)"] {
                    let recorder = CoverageRecorder()
                    var linear = EvaluationOptions()
                    linear.isLinear = true
                    linear.fileSystem = example.request.fileSystem
                    var evaluation = Evaluation(ruleSet, options: linear)
                    evaluation.recorder = recorder
                    evaluation.evaluate(request)
                    let isReached = target.isReached(recorder.counts)
                    #expect(isReached == (example.kind == .hit), "\(entry.rule) \(example.request)")
                    continue
                }
                let applied = trace.steps.contains {
                    $0.rule == entry.rule && ($0.kind == .assignment || $0.kind == .rule && $0.result != .skipped)
                }
                #expect(applied == (example.kind == .hit), "\(entry.rule) \(example.request)")
            }
        }
    }

    @Test("Every rule of the example rules has a hit")
    func exampleRules() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("rules")
        let ruleSet = try RuleSet(path: folder.path)
        var options = ExampleSearch.Options()
        options.misses = 8
        let found = ExampleSearch(ruleSet, options: options, asOf: Self.asOf).examples()
        // What is counted as rules and entries is what there are examples for.
        let counted = RuleCoverage(ruleSet, .init())
        let places = Set(found.map(\.rule))
        #expect(
            counted.items.filter { $0.kind == .rules || $0.kind == .entries }
                .allSatisfy { places.contains($0.location) }
        )
        #expect(found.count { !$0.isTableEntry } == 82)
        #expect(found.count(where: \.isTableEntry) == counted.count(.entries).all)
        #expect(found.filter { $0.hits.isEmpty }.map(\.text) == [])
        #expect(found.count { $0.misses.isEmpty && !$0.isTableEntry } <= 14)
        try check(found, ruleSet)
    }

    @Test("Examples of the example rules as tests count the same with the index and with every rule tried")
    func coverageOfExampleRules() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("rules")
        let ruleSet = try RuleSet(path: folder.path)
        var options = ExampleSearch.Options()
        options.misses = 2
        let tests = ExampleSearch(ruleSet, options: options, asOf: Self.asOf).examples()
            .flatMap { entry in (entry.hits + entry.misses).map { ExpectationText.test($0.request, $0.decision) } }
        let file = try TestFile(Array(tests.joined().utf8), named: "a.requests", host: nil)
        func report(isLinear: Bool) -> TestReport {
            var options = RuleTests.Options()
            options.collectsCoverage = true
            options.isLinear = isLinear
            options.time = Self.asOf
            return RuleTests(ruleSet, file.cases, options: options).run()
        }
        let indexed = report(isLinear: false)
        #expect(indexed.outcomes.filter { $0.result != .passed }.map(\.message) == [])
        let counted = try #require(indexed.coverage)
        #expect(counted.items == report(isLinear: true).coverage?.items)
        #expect(counted.count(.rules).percent == 100 && counted.count(.entries).percent == 100)
    }

    @Test("A rule on files is reached with a file, and not without")
    func files() throws {
        let found = try examples("server { root /w; if (-f $document_root/x) { return 403; } }")
        let hit = try #require(found.first?.hits.first)
        #expect(hit.request.files == ["/w/x"] && hit.decision.status == 403)
        let engine = Engine(try RuleSet(text: "server { root /w; if (-f $document_root/x) { return 403; } }"))
        #expect(engine.decide(hit.request.request).kind == .forward)
    }

    @Test(
        "Examples in a server with files pass as tests and as expectations",
        arguments: [
            ("location /w { allow all; }", ["/w": ["/srv/w"]]), ("location = / { allow all; }", nil),
            (
                """
                location /w/ { deny 10.0.0.1; } location ~ ^/u/(.*)$ { allow 10.0.0.0/8; } error_page 404 /nf;
                location = /nf { return 200 n; }
                """, nil
            ),
        ] as [(String, [String: [String]]?)]
    )
    func servedFiles(directives: String, files: [String: [String]]?) throws {
        let rules = "server { server_name a.example; root /srv; \(directives) }\n"
        let all = try examples(rules, misses: files == nil ? 8 : 0).flatMap { $0.hits + $0.misses }
        #expect(!all.isEmpty)
        if let files {
            let found = all.map { (String(decoding: $0.request.request.bytes, as: UTF8.self), $0.request.files) }
            #expect(Dictionary(found) { first, _ in first } == files)
        }
        let tests = all.map { ExpectationText.test($0.request, $0.decision) }.joined()
        let file = try TestFile(Array(tests.utf8), named: "a.requests")
        let outcomes = RuleTests(try RuleSet(text: rules), file.cases).run().outcomes
        #expect(outcomes.filter { $0.result != .passed }.map(\.message) == [])
        let directives = all.map { ExpectationText.directive($0.request, $0.decision) }.joined(separator: "\n")
        _ = try RuleSet(text: rules + directives)
    }

    @Test("The shortest hit, and a miss for each part of the expression")
    func parts() throws {
        let found = try examples("server { rewrite \"^/item-(\\d{3,5})\\.html$\" /i/$1; }", misses: 8)
        #expect(found[0].hits.map { $0.request.request.url } == ["/item-000.html"])
        var misses: [String: String] = [:]
        for miss in found[0].misses {
            if case .nearMiss(let part) = miss.kind { misses[part] = miss.request.request.url }
        }
        #expect(
            misses == [
                "the digits": "/item-aaa.html", "the dot": "/item-000ahtml", "the start": "/a/item-000.html",
                "the end": "/item-000.htmla", "the number of digits": "/item-00.html",
            ]
        )
    }

    /// Requirements of a rule for a request, and the request that is found.
    static let requests: [(rules: String, rule: Int, hit: String)] = [
        ("server { root /w; if (-f $document_root/x) { return 403; } }", 0, "localhost/ {with /w/x}"),
        ("server { root /w; if (-d $document_root/x) { return 403; } }", 0, "localhost/ {with /w/x/}"),
        ("server { root /w; if (!-f $document_root/x) { return 403; } }", 0, "localhost/"),
        ("map $http_x $m { ~^b 1; default 0; } server { if ($m) { return 403; } }", 0, "localhost/ {X: b}"),
        ("map $http_x $m { a 0; b 0; default 1; } server { if ($m) { return 403; } }", 0, "localhost/"),
        ("map $arg_a $m { x y; } map $m $n { y 1; } server { if ($n) { return 403; } }", 0, "localhost/?a=x"),
        (
            "geo $g { default 0; 192.0.2.0/24 1; 192.0.2.0/28 0; 10.0.0.0/8 1; } server { if ($g) { return 403; } }", 0,
            "localhost/ {from 10.0.0.1}"
        ),
        ("server { listen 80; server_name a.test; if ($host ~ ^www\\.) { return 403; } }", 0, "www.a/"),
        ("server { server_name .a.test; if ($host ~ ^(.*)\\.a\\.test$) { return 403; } }", 0, "a.a.test/"),
        ("server { if ($request_method = POST) { return 403; } }", 0, "POST localhost/"),
        ("server { if ($request_method !~ ^(GET|POST)$) { return 403; } }", 0, "PUT localhost/"),
        ("server { if ($cookie_a = b) { return 403; } }", 0, "localhost/ {Cookie: a=b}"),
        ("server { if ($args ~ x=(\\d+)) { return 403; } }", 0, "localhost/?x=0"),
        ("server { set $a $arg_b; if ($a = c) { return 403; } }", 1, "localhost/?b=c"),
        ("server { set $a x; if ($arg_q) { set $a y; } if ($a = y) { return 403; } }", 2, "localhost/?q=a"),
        (
            "server { listen 80; return 1; } server { listen 8080; server_name *.b.test; return 403; }", 1,
            "a.b.test/ {at *:8080}"
        ),
        ("server { server_name ~^x\\d\\.test$; return 403; }", 0, "x0.test/"),
        ("server { location ~ ^/a/(.+) { return 403; } location ^~ /a/a { return 204; } }", 0, "localhost/a/b"),
        ("server { location /a { return 200; location ~ \\.x$ { return 403; } } }", 1, "localhost/a.x"),
        ("server { location = /a { return 403; } }", 0, "localhost/a"),
        ("server { location ~ \\?id=1 { return 403; } }", 0, "localhost/%3Fid=1"),
        ("server { rewrite ^/a /b; rewrite ^/b/c /d; }", 1, "localhost/b/c"),
        ("server { rewrite ^(/.)(/.)?$ /b$1; rewrite ^/b/c$ /d; }", 1, "localhost/c"),
        (
            "server { location /a { allow 192.0.2.0/24; deny all; rewrite ^/a /b break; } }", 0,
            "localhost/a {from 192.0.2.1}"
        ),
        ("server { rewrite ^/(\\w+)/\\1$ /b; }", 0, "localhost/a/a"),
        ("input $v \"0\"; if ($v >= 1.2 && $v < 1.3) { block ~ ^x:; }", 0, "x://a {v=1.2}"),
        ("if ($weekday = sun && $time_of_day >= 10:30) { block ^~ x:; }", 0, "x://a {2026-11-01T10:30:00Z}"),
        ("if ($http_a != b) { block host a.test; }", 0, "http://a.test/"),
        ("if ($scheme = ftp) { if ($uri ~ z$) { block host a.test; } }", 0, "ftp://a.test/z"),
        ("rewrite_url ^a://(.*)$ b://$1; block = b://c;", 1, "b://c"),
        // What expressions around it capture, where it arrives, and where it comes from.
        (
            "server { location ~ ^/(?<l>en|de)/(?<r>.*)$ { if ($r ~ ^shop) { return 403; } } }", 0, "localhost/de/shop"
        ),
        ("server { server_name ~^(?<s>.+)\\.a\\.test$; if ($s = x) { return 403; } }", 0, "x.a.test/"),
        ("server { listen 80; listen 8080; if ($server_port = 8080) { return 403; } }", 0, "localhost/ {at *:8080}"),
        (
            "server { valid_referers none a.test; if ($invalid_referer) { return 403; } }", 0,
            "localhost/ {Referer: https://other.invalid/}"
        ),
        ("map $arg_x$cookie_y $n { ab 1; default 0; } server { if ($n) { return 403; } }", 0, "localhost/?x=ab"),
        (
            "map $uri $a { /x 1; default 0; } map $a$request_method $b { 1POST p; } server { if ($b = p) { return 403; } }",
            0, "POST localhost/x"
        ),
        // Settings that decide.
        ("server { allow 192.0.2.0/24; deny all; }", 0, "localhost/ {from 192.0.2.1}"),
        ("server { allow 192.0.2.0/24; deny all; }", 1, "localhost/"),
        ("server { location /a { deny 192.0.2.0/25; allow 192.0.2.0/24; } }", 1, "localhost/a {from 192.0.2.255}"),
        ("server { location /a { limit_except GET { deny all; } } }", 0, "POST localhost/a"),
        ("server { location ~ \\.x$ { try_files $uri =404; } location ^~ /.x { } }", 0, "localhost/a.x"),
        ("server { rewrite ^/a$ /b; location /a { proxy_pass http://127.0.0.1:1; } }", 1, "localhost/aa"),
        ("server { error_page 404 /e; location /a { return 404; } }", 0, "localhost/a"),
        ("server { error_page 403 @f; location @f { return 200; } deny 10.0.0.0/8; }", 0, "localhost/ {from 10.0.0.1}"),
        ("server { root /w; error_page 404 /e; }", 0, "localhost/ {with /a}"),
        ("server { root /w; location /a { if ($arg_x) { proxy_pass http://127.0.0.1:1; } } }", 0, "localhost/a?x=a"),
        // Entries of tables.
        ("map $http_x $m { default 0; b 1; } server { if ($m) { return 403; } }", 1, "localhost/"),
        ("map $http_x $m { default 0; b 1; } server { if ($m) { return 403; } }", 2, "localhost/ {X: b}"),
        (
            "geo $g { default 0; 192.0.2.0/24 1; 192.0.2.0/25 0; } server { if ($g) { return 403; } }", 2,
            "localhost/ {from 192.0.2.255}"
        ),
        ("block ~ ^https?://a; block ~ ^https?://[^/]+/x;", 1, "http://b/x"),
    ]

    @Test("The requirements of a rule for a request are found", arguments: requests)
    func found(_ asked: (rules: String, rule: Int, hit: String)) throws {
        let all = try examples(asked.rules)
        let found = all.filter { !$0.isTableEntry } + all.filter(\.isTableEntry)
        try #require(found.count > asked.rule)
        #expect(found[asked.rule].hits.first.map { "\($0.request)" } == asked.hit, "\(asked.rules)")
    }

    @Test("A share of clients is found by trying values until the hash falls into it")
    func shares() throws {
        let rules = "split_clients $arg_u $g { 10% b; 80% c; * a; } server { if ($g = a) { return 403; } }"
        let hit = try #require(try examples(rules).first { !$0.isTableEntry }?.hits.first)
        #expect(hit.request.request.url.hasPrefix("/?u="))
    }

    @Test(
        "Each share has an example, whatever its key is",
        arguments: [
            "$remote_addr", "$cookie_id", "$uri", "${remote_addr}AAA", "$request_uri", "app$cookie_id", "${arg_a}x",
        ]
    )
    func keysOfShares(key: String) throws {
        let found = try examples(
            "split_clients \(key) $g { 0.5% a; 20% b; * c; } server { server_name a.example; return 200 $g; }"
        )
        #expect(found.filter(\.isTableEntry).map(\.hits.count) == [1, 1, 1])
    }

    @Test("A share of paths in a location has an example", arguments: ["$request_uri", "$uri"])
    func sharesOfPaths(key: String) throws {
        let rules = "split_clients \(key) $g { 0.5% a; * b; } server { location /s/ { if ($g = a) { return 403; } } }"
        #expect(try examples(rules).filter { $0.hits.isEmpty }.map(\.text) == [])
    }

    @Test("More hits are other ones")
    func severalHits() throws {
        let found = try examples("server { rewrite ^/(a|b)$ /c; }", hits: 5)
        #expect(found[0].hits.map { $0.request.request.url } == ["/a", "/b"])
    }

    @Test("An impossible request has a reason")
    func reasons() throws {
        let found = try examples(
            """
            if ($time < 2026-10-01) { block host a.test; }
            block ~ (?R)?x;
            """
        )
        #expect(found[0].reason?.description == "never true since 2026-10-01T00:00:00Z")
        #expect(found[1].reason != nil && found[1].hits.isEmpty)
    }

    @Test("A setting or an entry without requests names those that take them")
    func covered() throws {
        let found = try examples(
            """
            geo $g { default 0; 192.0.2.0/24 1; 192.0.2.0/25 2; 192.0.2.128/25 3; }
            server {
                allow 2001:db8::/33;
                allow 2001:db8:8000::/33;
                deny 2001:db8::/32;
                location /x { return 200 $g; }
            }
            """
        )
        let taken = found.filter(\.hits.isEmpty)
        #expect(taken.map { "\($0.rule.line)" } == ["1", "5"])
        #expect(taken.map { $0.covers.map { "\($0.line):\($0.column)" } } == [["1:37", "1:53"], ["3:5", "4:5"]])
    }

    @Test("A near miss of a rule for addresses is an address next to its network")
    func neighbours() throws {
        let found = try examples("server { allow 10.0.0.0/8; deny all; }", hits: 3, misses: 8)
        #expect(found[0].hits.map { $0.request.request.remoteAddress } == ["10.0.0.1", "10.0.0.0", "10.255.255.255"])
        #expect(found[0].misses.map { $0.request.request.remoteAddress } == ["11.0.0.0", "9.255.255.255"])
        #expect(found[0].misses.allSatisfy { $0.decision.status == 403 })
    }

    @Test("Each network of a long list has an example, and a rule the first one with its value")
    func networks() throws {
        let networks = (0..<1_000).map { "10.\($0 / 250).\($0 % 250).0/24 \($0 % 7);" }
        let found = try examples(
            "geo $g { default 9; \(networks.joined(separator: " ")) } server { if ($g = 5) { return 403; } }"
        )
        let addresses = found.map { $0.hits.first?.request.request.remoteAddress }
        #expect(addresses.first == "127.0.0.1" && addresses.last == "10.0.5.1")
        #expect(addresses.dropFirst().dropLast() == ArraySlice((0..<1_000).map { "10.\($0 / 250).\($0 % 250).1" }))
    }

    @Test("The same rules have the same examples")
    func stability() throws {
        let text = "map $http_a $b { x 1; y 2; } server { if ($b) { return 403; } rewrite ^/(x|y)/\\d+$ /z last; }"
        let first = try examples(text, hits: 3, misses: 8)
        let second = try examples(text, hits: 3, misses: 8)
        func shown(_ all: [RuleExamples]) -> [String] {
            all.flatMap { entry in (entry.hits + entry.misses).map { "\($0.request) \($0.kind)" } }
        }
        #expect(shown(first) == shown(second))
        #expect(!shown(first).isEmpty)
    }
}
