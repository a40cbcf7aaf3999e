import ShuntCore
import Testing

@testable import ShuntRules

/// `expect`: tests that a rule set brings along.
@Suite("Expectations")
struct ExpectationTests {
    private static let rules = """
        block host ads.test 410;
        degrade ^~ kl://Pay/ https://m.test/pay;
        rewrite_url ^http://old.test/(.*)$ https://new.test/$1 permanent;
        route /item/:id item;
        server {
            server_name new.test;
            location /r { return 200 "x"; }
            location /gone { return 404; }
            rewrite ^/shop/(.*)$ /item/$1;
        }

        """

    @Test(
        "A test that is met is accepted",
        arguments: [
            "https://ads.test/ block", "https://ads.test/ block 410", "kl://Pay/7 degrade",
            "kl://Pay/7 degrade https://m.test/pay", "http://old.test/a redirect", "http://old.test/a redirect 301",
            "http://old.test/a redirect 301 https://new.test/a", "http://old.test/a redirect https://new.test/a",
            "https://new.test/r respond", "https://new.test/r respond 200", "https://new.test/gone respond 404",
            "https://new.test/shop/7 forward", "https://new.test/shop/7 forward https://new.test/item/7",
            "https://new.test/shop/7 route item", "https://new.test/other forward", "nonsense fail",
            "nonsense fail 400", "\"kl://Pay/with space\" degrade",
        ]
    )
    func met(_ expectation: String) throws {
        let ruleSet = try RuleSet(text: Self.rules + "expect \(expectation);\n")
        #expect(ruleSet.diagnostics.isEmpty)
        // Tests may be before what they test.
        _ = try RuleSet(text: "expect \(expectation);\n" + Self.rules)
    }

    @Test(
        "An unmet test is an error with the actual decision",
        arguments: [
            ("https://ads.test/ block 403", "expected \"block 403\", but got \"block 410\", by rules.conf:1:1"),
            (
                "https://ads.test/ forward",
                "expected \"forward\", but got \"block 410\", by rules.conf:1:1"
            ),
            (
                "http://old.test/a redirect 302",
                "expected \"redirect 302\", but got \"redirect 301 https://new.test/a\", by rules.conf:3:1"
            ),
            (
                "http://old.test/a redirect 301 https://new.test/b",
                "expected \"redirect 301 https://new.test/b\", but got \"redirect 301 https://new.test/a\", by rules.conf:3:1"
            ),
            (
                "https://new.test/shop/7 route items",
                "expected \"route items\", but got \"route item\", by rules.conf:9:5"
            ),
            ("https://new.test/x route item", "expected \"route item\", but got \"forward\""),
            ("https://ads.test/ route item", "expected \"route item\", but got \"block 410\", by rules.conf:1:1"),
            ("https://x.test/ fail", "expected \"fail\", but got \"forward https://x.test/\""),
        ]
    )
    func unmet(_ expectation: String, _ message: String) throws {
        let error = #expect(throws: RuleSetError.self) {
            try RuleSet(text: Self.rules + "expect \(expectation);\n")
        }
        let diagnostic = try #require(error?.diagnostics.first)
        #expect(diagnostic.message == message)
        #expect(diagnostic.code == "unmet-expectation")
        #expect(diagnostic.location.line == 11 && diagnostic.location.column == 8)
    }

    @Test("All that fail are reported at once, and none is run on rules with errors")
    func all() {
        let tests = "expect https://a.test/ block;\nexpect https://a.test/ forward;\nexpect https://b.test/ block;\n"
        let unmet = #expect(throws: RuleSetError.self) { try RuleSet(text: tests) }
        #expect(unmet?.diagnostics.map { $0.location.line } == [1, 3])
        let broken = #expect(throws: RuleSetError.self) { try RuleSet(text: tests + "block;\n") }
        #expect(broken?.diagnostics.map { $0.location.line } == [4])
    }

    @Test(
        "A text that is not an expectation is refused",
        arguments: [
            ("https://a.test/", "argument-count"), ("https://a.test/ blocked", "unknown-decision"),
            ("https://a.test/ route", "missing-route"), ("https://a.test/ block 99", "invalid-status"),
            ("https://a.test/ block 600", "invalid-status"),
            ("https://a.test/ block https://b.test/", "extra-argument"),
            ("https://a.test/ forward https://b.test/ x", "extra-argument"),
            ("https://a.test/ route a b", "extra-argument"),
            ("https://a.test/ respond 200 x", "extra-argument"),
        ]
    )
    func refused(_ expectation: String, _ code: String) {
        let error = #expect(throws: RuleSetError.self) { try RuleSet(text: "expect \(expectation);\n") }
        #expect(error?.diagnostics.map(\.code) == [code])
    }

    @Test("More tests than a load may make are an error at the first one too many")
    func tooMany() {
        let tests = String(repeating: "expect https://a.test/ forward;\n", count: 100_001)
        let error = #expect(throws: RuleSetError.self) { try RuleSet(text: tests) }
        #expect(error?.diagnostics.map(\.code) == ["too-many-expectations"])
        #expect(error?.diagnostics.first?.location.line == 100_001)
    }

    @Test("Tests of an expression that takes long end soon")
    func slowExpressions() {
        let url = "https://a.test/" + String(repeating: "a", count: 3000) + "!Z"
        let tests = String(repeating: "expect \(url) forward;\n", count: 10)
        let rules = "block ~ \"(a+)\\1+Z\\d\";\n" + tests
        let start = ProcessorTime.ofThread()
        let error = #expect(throws: RuleSetError.self) { try RuleSet(text: rules) }
        // 21 s without a limit; a tenth of a second when optimized.
        #expect(ProcessorTime.ofThread() - start < .seconds(5))
        #expect(error?.diagnostics.map(\.code) == Array(repeating: "unmet-expectation", count: 10) + ["slow-regex"])
    }

    @Test("Tests that take longer than they may are an error at the first that was not made")
    func takeTooLong() {
        let rules = RuleFiles.load(
            text: "expect https://a.test/ forward;\nexpect https://b.test/ forward;\n",
            named: "a"
        )
        let result = Compiler.compile(rules, hostname: [], expectationTime: .seconds(-1))
        #expect(result.program == nil)
        #expect(result.source.orderedDiagnostics.map(\.code) == ["slow-expectations"])
        #expect(result.source.orderedDiagnostics.first?.location.line == 1)
    }
}
