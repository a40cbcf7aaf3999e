import SeededRandom
import Shunt
import ShuntTools
import TestSettings
import Testing

/// `SHUNT_DEAD_SETS` asks for more random sets, and `SHUNT_DEAD_REQUESTS` for more requests about each.
@Suite("Rules that nothing reaches")
struct DeadRuleTests {
    private static let asOf = Timestamp(seconds: 1_793_491_200)  // 2026-11-01T00:00:00Z

    private func dead(_ rules: String) throws -> [String: [String]] {
        let ruleSet = try RuleSet(text: rules, named: "r")
        var found: [String: [String]] = [:]
        for entry in ExampleSearch(ruleSet, asOf: Self.asOf).examples() where !entry.covers.isEmpty {
            found["\(entry.rule.line)"] = entry.covers.map { "\($0.line)" }
        }
        return found
    }

    /// Rules, one a line, and which are dead because of which.
    static let cases: [(rules: String, dead: [String: [String]])] = [
        ("server {\nrewrite ^/a /b last;\nrewrite ^/ab /c last;\n}", ["3": ["2"]]),
        ("server {\nrewrite ^/a /b;\nrewrite ^/ab /c last;\n}", [:]),
        (
            "server {\nrewrite ^/(a|b)$ /x last;\nrewrite ^/c$ /x last;\nrewrite ^/[a-c]$ /c last;\n}",
            ["4": ["2", "3"]]
        ),
        ("server {\nrewrite ^/a$ /x last;\nrewrite ^/A$ /x last;\nrewrite (?i)^/a$ /c last;\n}", ["4": ["2", "3"]]),
        ("server {\nif ($http_x) { rewrite ^/a /b last; }\nrewrite ^/ab /c last;\n}", [:]),
        ("server {\nif ($http_x) {\nrewrite ^/a /b last;\nrewrite ^/ab /c last;\n}\n}", ["4": ["3"]]),
        ("server {\nrewrite ^/a /b last;\nif ($http_x) {\nrewrite ^/ab /c last;\n}\n}", ["4": ["2"]]),
        ("server {\nreturn 403;\nrewrite ^/ab /c last;\n}", ["3": ["2"]]),
        ("server {\nif ($http_x) {\nreturn 403;\nset $a b;\n}\nset $a c;\n}", ["4": ["3"]]),
        ("server {\nlocation ~ ^/a { return 403; }\nlocation ~ ^/ab {\nreturn 404;\n}\n}", ["4": ["2"]]),
        ("server {\nlocation ~ ^/a$ { return 403; }\nlocation ~ ^/a\\z {\nreturn 404;\n}\n}", ["4": ["2"]]),
        ("server {\nlocation ~ ^/a\\z { return 403; }\nlocation ~ ^/a$ {\nreturn 404;\n}\n}", [:]),
        ("server {\nrewrite ^/(?!www\\.)x /b last;\nrewrite ^/x /c last;\n}", ["3": ["2"]]),
        ("server {\nrewrite ^/(?!xa)x /b last;\nrewrite ^/x /c last;\n}", [:]),
        ("server {\nrewrite ^/(\\w)\\1 /b last;\nrewrite ^/aa /c last;\n}", [:]),
        ("block ~ ^https?://a/;\nblock ~ ^http://a/b;", ["2": ["1"]]),
        (
            "block host a.test;\nblock host *.a.test;\nblock host b.a.test;\nblock host a.test;",
            ["3": ["2"], "4": ["1"]]
        ),
        ("match_spelling exact;\nblock host a.test;\nblock ~ ^http://a\\.test/b;", ["3": ["2"]]),
        ("match_spelling exact;\nblock host a.test;\nblock ~ ^http://a\\.test;", [:]),
        ("match_spelling exact;\nblock host a.test;\nblock ~ ^http://a\\.test:;", [:]),
        ("rename_host b.test a.test;\nblock host a.test;\nblock host a.test;", ["3": ["2"]]),
        ("block host a.test;\nrename_host b.test a.test;\nblock host a.test;", [:]),
    ]

    @Test("Dead is what is proved, with the rules because of which it is", arguments: cases)
    func proofs(_ asked: (rules: String, dead: [String: [String]])) throws {
        #expect(try dead(asked.rules) == asked.dead, "\(asked.rules)")
    }

    @Test("Hosts of a long list are looked up, without automata")
    func longList() throws {
        let count = TestSettings.listedHosts
        let names = (0..<count).map { "0.0.0.0 n\($0).test\n" }.joined() + "||w.test^\n"
        let rules = """
            blocklist l.txt;
            block host n\(count / 2).test;
            block host n\(count).test;
            block host *.n7.test;
            block host a.w.test n1.test;
            block host .w.test;
            block host n1.test x.test;
            """
        let files = InMemoryFileSystem(["/r/10.conf": rules, "/r/l.txt": names])
        let ruleSet = try RuleSet(path: "/r", from: files)
        let found = ExampleSearch(ruleSet, asOf: Self.asOf).examples()
        let dead = found.filter { !$0.covers.isEmpty }
        #expect(dead.map(\.rule.line) == [2, 5, 6])
        #expect(dead.allSatisfy { $0.covers.map(\.line) == [1] })
        #expect(found.filter { [3, 4, 7].contains($0.rule.line) }.allSatisfy { !$0.hits.isEmpty })
    }

    @Test("With every limit at 1 nothing is claimed wrongly")
    func limits() throws {
        var limits = AnalysisLimits()
        limits.statesPerExpression = 1
        limits.statesPerProof = 1
        limits.stepsPerProof = 1
        limits.requestsPerQuestion = 1
        for asked in Self.cases {
            let ruleSet = try RuleSet(text: asked.rules, named: "r")
            for entry in ExampleSearch(ruleSet, limits: limits, asOf: Self.asOf).examples() where !entry.covers.isEmpty
            {
                #expect(asked.dead["\(entry.rule.line)"] != nil)
            }
        }
    }

    @Test("No request reaches a rule that is called dead", arguments: 0..<6)
    func refutation(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var deadCount = 0
        for _ in 0..<TestSettings.deadSets / 6 {
            let rules = Self.randomRules(&random)
            let ruleSet = try RuleSet(text: rules, named: "r")
            let dead = ExampleSearch(ruleSet, asOf: Self.asOf).examples().filter { !$0.covers.isEmpty }
            deadCount += dead.count
            guard !dead.isEmpty else { continue }
            let engine = Engine(ruleSet)
            for _ in 0..<TestSettings.deadRequests {
                let request = Self.randomRequest(&random)
                let (_, trace) = engine.explain(request)
                for entry in dead {
                    let isReached = trace.steps.contains {
                        $0.rule == entry.rule && $0.kind == .rule && $0.result != .skipped
                    }
                    #expect(!isReached, "\(entry.rule) by \(request.url) in\n\(rules)")
                }
            }
        }
        #expect(deadCount > 0)
    }

    private static func pick(_ all: [String], _ random: inout SeededGenerator) -> String {
        all[Int(random.next() % UInt64(all.count))]
    }

    private static func randomRules(_ random: inout SeededGenerator) -> String {
        let paths = [
            "^/a", "^/ab", "^/a$", "^/(a|b)", "^/[ab]", "b$", "^/a.b", "^/(a|b)c?$", "^/a\\z", "(?i)^/A", "^/.+",
        ]
        let hosts = [
            "host a.test", "host *.a.test", "host .a.test", "~ ^http://a\\.test/", "~ ^https?://[^/]*a", "~* /B$",
        ]
        var text = ""
        for _ in 0..<4 {
            let matcher = pick(hosts, &random)
            switch random.next() % 5 {
            case 0: text += "if ($http_x) { block \(matcher); }\n"
            case 1: text += "rewrite_url ^http://b\\.test/ http://a.test/;\n"
            default: text += "block \(matcher);\n"
            }
        }
        text += "server {\n"
        for _ in 0..<5 {
            let flag = pick(["last", "break", "permanent", ""], &random)
            let rule = "rewrite \(pick(paths, &random)) /\(pick(["a", "ab", "c"], &random)) \(flag);"
            switch random.next() % 5 {
            case 0: text += "if ($http_x) { \(rule) }\n"
            default: text += rule + "\n"
            }
        }
        for _ in 0..<4 { text += "location ~ \(pick(paths, &random)) { rewrite \(pick(paths, &random)) /b break; }\n" }
        return text + "}\n"
    }

    private static func randomRequest(_ random: inout SeededGenerator) -> RuleRequest {
        let host = pick(["a.test", "b.test", "x.a.test", "A.test", "a%2etest", "u@a.test", "a.test:80", "c"], &random)
        var path = "/"
        for _ in 0..<(random.next() % 4) { path += pick(["a", "b", "c", "A", "B", "/", "%0A", "."], &random) }
        var request = RuleRequest(url: "\(pick(["http", "https", "HTTP"], &random))://\(host)\(path)")
        if random.next() % 2 == 0 { request.headers.append(RuleRequest.Header("X", "1")) }
        return request
    }
}
