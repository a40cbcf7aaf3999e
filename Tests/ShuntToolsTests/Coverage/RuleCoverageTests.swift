import SeededRandom
import Shunt
import ShuntTools
import TestSettings
import Testing

/// The parts of the rules that tests reach.
@Suite("Coverage")
struct RuleCoverageTests {
    private static func report(_ rules: String, _ tests: [String], isLinear: Bool = false) throws -> TestReport {
        let file = try TestFile(Array(tests.joined(separator: "\n").utf8), named: "a.requests", host: "a.example")
        var options = RuleTests.Options()
        options.collectsCoverage = true
        options.isLinear = isLinear
        return RuleTests(try RuleSet(text: rules), file.cases, options: options).run()
    }

    /// The things of a kind that were reached, as `line` or `line part`.
    private static func covered(_ kind: RuleCoverage.Kind, _ rules: String, _ tests: [String]) throws -> [String] {
        let coverage = try #require(try report(rules, tests).coverage)
        return coverage.items.filter { $0.kind == kind && $0.isCovered }
            .map { "\($0.location.line)" + ($0.part.map { " \($0)" } ?? "") }
    }

    private static let rules = """
        block host ads.example;
        input $v 9;
        if ($v < 2.0) { block ^~ http://a.example/old; }
        server {
            server_name a.example;
            rewrite ^/x$ /y;
            set $z 1;
            location /y { return 200 y; }
            location /z { deny all; }
        }
        server { server_name b.example; }
        route /r r;
        """

    @Test("Rules, places and routes count when they decide or change something")
    func rules() throws {
        let tests = ["/x -> respond", "/z -> respond 403", "/r -> forward"]
        #expect(try Self.covered(.rules, Self.rules, tests) == ["6", "7", "8", "9"])
        #expect(try Self.covered(.servers, Self.rules, tests) == ["4"])
        #expect(try Self.covered(.locations, Self.rules, tests) == ["8", "9"])
        #expect(try Self.covered(.routes, Self.rules, tests) == ["12"])
        let coverage = try #require(try Self.report(Self.rules, tests).coverage)
        #expect(coverage.count(.rules).covered == 4 && coverage.count(.rules).all == 6)
        let missing = coverage.missing.filter { $0.kind == .rules }.map(\.text)
        #expect(missing == ["block host ads.example", "block ^~ http://a.example/old"])
        #expect(coverage.count(.servers).percent == 50)
    }

    @Test("A branch counts for each outcome that was seen")
    func branches() throws {
        #expect(try Self.covered(.branches, Self.rules, ["/x -> respond"]) == ["1 false", "3 false"])
        let tests = ["http://a.example/old -> block\n  $v = 1", "http://ads.example/ -> block"]
        #expect(try Self.covered(.branches, Self.rules, tests) == ["1 true", "1 false", "3 true", "3 true"])
        let both = "input $a 0; input $b 0;\nif ($a && $b) { block host x.example; }\n"
        let first = ["kl://a/ -> forward\n  $a = 1\n  $b = 0"]
        #expect(try Self.covered(.branches, both, first) == ["2 test 1, true", "2 test 2, false"])
    }

    @Test("A version counts below, at and above its bound")
    func boundaries() throws {
        #expect(try Self.covered(.boundaries, Self.rules, ["/x -> respond\n  $v = 2.0.0"]) == ["3 equal"])
        let tests = ["/x -> respond\n  $v = 1", "/x -> respond\n  $v = 3"]
        #expect(try Self.covered(.boundaries, Self.rules, tests) == ["3 below", "3 above"])
    }

    private static let tables = """
        map $arg_k $m {
            default 0;
            a 1;
            A.b 1;
            ~^x(\\d+)$ $1;
        }
        map $http_host $h {
            hostnames;
            .a.test 1;
            *.b.test 2;
        }
        geo $g {
            default 0;
            192.0.2.0/24 1;
            192.0.2.0/25 2;
            192.0.2.128/25 3;
            2001:db8::/32 1;
        }
        split_clients $arg_k $s { 50% one; * other; }
        server { return 200 $m$h$g$s; }
        """

    @Test("An entry of a table counts when its value is taken")
    func entries() throws {
        func covered(_ tests: [String]) throws -> [String] {
            let coverage = try #require(try Self.report(Self.tables, tests).coverage)
            return coverage.items.filter { $0.kind == .entries && $0.isCovered }
                .map { String($0.text.prefix { $0 != " " }) }
        }
        #expect(try covered(["/?k=a -> respond"]) == ["a", "default", "*"])
        #expect(
            try covered(["/?k=x7 c.b.test -> respond\n  @remote 192.0.2.200"]) == [
                "~^x(\\d+)$", "*.b.test", "192.0.2.128/25", "*",
            ]
        )
        #expect(
            try covered(["/?k=a.B a.test -> respond\n  @remote 2001:db8::7"]) == [
                "A.b", ".a.test", "2001:db8::/32", "50%",
            ]
        )
        let coverage = try #require(try Self.report(Self.tables, ["/ -> respond"]).coverage)
        // The larger network is hidden by its two halves, and still one of the entries.
        #expect(coverage.count(.entries).all == 13)
        let unused = "map $arg_k $m { a 1; default 2; }\nserver { return 204; }\n"
        #expect(try Self.covered(.entries, unused, ["/?k=a -> respond"]) == [])
    }

    @Test("An alternative counts when a match went through it, an optional group when one went past it, too")
    func alternatives() throws {
        let rules = """
            server {
                rewrite ^/(?:a|b(?:c|d)?)/x$ /y;
                if ($http_user_agent ~* phone|tablet) { return 403; }
            }
            """
        let all = try #require(try Self.report(rules, ["/ -> forward"]).coverage).items
            .filter { $0.kind == .alternatives }
        #expect(
            all.map { "\($0.location.line) \($0.part ?? "")" } == [
                #"2 "a""#, #"2 "b(?:c|d)?""#, #"2 "c""#, #"2 "d""#, #"2 without "(?:c|d)""#, #"3 "phone""#,
                #"3 "tablet""#,
            ]
        )
        #expect(all.allSatisfy { !$0.isCovered })
        #expect(try Self.covered(.alternatives, rules, ["/a/x -> forward"]) == [#"2 "a""#])
        #expect(
            try Self.covered(.alternatives, rules, ["/bd/x -> forward\n  > User-Agent: Tablet"]) == [
                #"2 "b(?:c|d)?""#, #"2 "d""#, #"3 "tablet""#,
            ]
        )
        #expect(
            try Self.covered(.alternatives, rules, ["/b/x -> forward"]) == [
                #"2 "b(?:c|d)?""#, #"2 without "(?:c|d)""#,
            ]
        )
    }

    @Test("Rules that an index passes over count the same as with every rule tried")
    func linear() throws {
        var random = SeededGenerator(seed: 7)
        let sets = TestSettings.coverageSets
        for _ in 0..<sets {
            var rules = "server {\n"
            for index in 0..<Int.random(in: 1...12, using: &random) {
                let letter = ["a", "b", "c", "d"].randomElement(using: &random) ?? "a"
                switch Int.random(in: 0..<3, using: &random) {
                case 0: rules += "    if ($arg_k = \(letter)) { set $n \(index); }\n"
                case 1: rules += "    rewrite ^/\(letter)(.*)$ /\(index)$1;\n"
                default: rules += "    if ($uri ~ ^/\(letter)) { return 200 \(index); }\n"
                }
            }
            rules += "}\n"
            let tests = (0..<6)
                .map { _ in
                    let letter = ["a", "b", "c", "d", "e"].randomElement(using: &random) ?? "e"
                    return "/\(letter)\(letter)?k=\(letter) -> not block"
                }
            let indexed = try Self.report(rules, tests)
            let linear = try Self.report(rules, tests, isLinear: true)
            #expect(indexed.coverage?.items == linear.coverage?.items, "\(rules)")
            let decisions = indexed.outcomes.map { $0.decision?.url }
            let plain = RuleTests(try RuleSet(text: rules), indexed.outcomes.map(\.test)).run()
            #expect(decisions == plain.outcomes.map { $0.decision?.url })
        }
    }

    @Test("Parts that are made one by one add up")
    func parts() throws {
        let file = try TestFile(
            Array("http://a.example/old -> block\n  $v = 1\n/x -> respond\n".utf8),
            named: "a",
            host: "a.example"
        )
        var options = RuleTests.Options()
        options.collectsCoverage = true
        let tests = RuleTests(try RuleSet(text: Self.rules), file.cases, options: options)
        var report = tests.run(0..<1)
        report.append(tests.run(1..<2))
        #expect(report.coverage?.items == tests.run().coverage?.items)
        #expect(report.isPassed)
        #expect(report.outcomes.count == 2)
    }

    @Test("Lines for genhtml and Cobertura")
    func lines() throws {
        let coverage = try #require(try Self.report(Self.rules, ["/x -> respond"]).coverage)
        let lcov = LcovReport.text(coverage)
        #expect(lcov.contains("SF:rules.conf\n"))
        #expect(lcov.contains("\nDA:6,1\n"))
        #expect(lcov.contains("\nDA:11,0\n"))
        #expect(lcov.contains("\nBRDA:3,0,0,0\nBRDA:3,0,1,1\nBRDA:3,1,0,0\nBRDA:3,1,1,0\n"))
        #expect(lcov.hasSuffix("end_of_record\n"))
        let cobertura = CoberturaReport.text(coverage)
        #expect(cobertura.contains("<line number=\"3\" hits=\"0\" branch=\"true\" condition-coverage=\"25% (1/4)\"/>"))
        #expect(cobertura.contains("<line number=\"6\" hits=\"1\"/>"))
    }
}
