import Shunt
import Testing

@testable import ShuntTools

@Suite("Mutation of rules")
struct MutationTests {
    private static let asOf = Timestamp(seconds: 1_793_491_200)  // 2026-11-01T00:00:00Z

    private func report(
        _ text: String,
        _ requests: [String] = [],
        _ change: (inout MutationRun.Options) -> Void = { _ in }
    ) throws -> MutationReport {
        let ruleSet = try RuleSet(text: text, named: "r.conf")
        let engine = Engine(ruleSet)
        let tests = try requests.map { line in
            let description = try RequestDescription(line: Array(line.utf8))
            return MutationTest(description, decidedAs: engine.decide(description.request))
        }
        var options = MutationRun.Options()
        change(&options)
        let run = MutationRun(ruleSet, tests: tests, options: options, asOf: Self.asOf) {
            file,
            content throws(RuleSetError) in
            try RuleSet(text: String(decoding: content, as: UTF8.self), named: file)
        }
        return run.report()
    }

    /// The changes of a rule set, kind by kind.
    static let changes: [(rules: String, changes: [String])] = [
        (
            #"server { rewrite ^/a\.b(c|d)+$ /x$1 permanent; }"#,
            [
                "M1 removed", #"M3 without "^" in ^/a\.b(c|d)+$"#, #"M3 "." for "\." in ^/a\.b(c|d)+$"#,
                #"M4 without "|d" in ^/a\.b(c|d)+$"#, #"M4 "*" for "+" in ^/a\.b(c|d)+$"#,
                #"M3 without "$" in ^/a\.b(c|d)+$"#, #"M5 whatever the case in ^/a\.b(c|d)+$"#, #"M6 without "$1""#,
                #"M10 "y" for "x" in the target"#, #"M10 "?" at the end"#, "M7 redirect for permanent",
                #"M7 without "permanent""#,
            ]
        ),
        (
            "server { return 301 /a$1; }",
            ["M1 removed", "M7 302 for 301", #"M6 without "$1""#, #"M10 "b" for "a" in the target"#]
        ),
        ("server { return 301 /a; }", ["M1 removed", "M7 302 for 301", #"M10 "b" for "a" in the target"#]),
        (
            "if ($time_of_day < 10:00 && $http_v >= 1.2) { block host a.test 410; }",
            [
                "M8 <= for <", "M8 || for &&", "M8 > for >=", "M8 1.3 for 1.2", "M1 removed", "M11 .a.test for a.test",
                "M7 404 for 410",
            ]
        ),
        (
            "map $http_a $b { x 1; default 2; } server { if ($b) { return 403; } allow 192.0.2.0/24; deny all; }",
            [
                "M9 removed", "M9 removed", "M8 turned round", "M1 removed", "M7 404 for 403", "M1 removed",
                "M2 below the next one", "M9 192.0.2.0/23 for 192.0.2.0/24", "M1 removed",
            ]
        ),
        (
            "server { rewrite ^/a$ /b; rewrite ^/c$ /d; }",
            ["M2 below the next one"]
        ),
    ]

    @Test("Small mistakes of each kind", arguments: changes)
    func mutations(_ asked: (rules: String, changes: [String])) throws {
        let made = MutationMaker.mutations(of: try RuleSet(text: asked.rules))
            .map { "\($0.0.kind.rawValue) \($0.0.change)" }
        if asked.changes.count == 1 {
            #expect(made.contains(asked.changes[0]))
        } else {
            #expect(made.sorted() == asked.changes.filter { !$0.hasPrefix("M2") || made.contains($0) }.sorted())
        }
    }

    @Test("A mutant that tests find is killed, one that changes nothing is equal, others survive with a request")
    func outcomes() throws {
        let rules = #"server { location ~ ^/a(.*)$ { return 200; } location ~ ^/b\.c$ { return 301 /d; } }"#
        let report = try report(rules, [#"{"target":"/a","host":"x"}"#, #"{"target":"/b.c","host":"x"}"#])
        var outcomes: [String: String] = [:]
        for (mutation, outcome) in report.mutants {
            switch outcome {
            case .killed: outcomes[mutation.change] = "killed"
            case .equal: outcomes[mutation.change] = "equal"
            case .survived(let suggestion):
                outcomes[mutation.change] =
                    suggestion.map { "\($0.request) \($0.today.kind) \($0.changed.kind)" } ?? "-"
            }
        }
        // Whatever follows, it is taken: the end needs no "$".
        #expect(outcomes[#"without "$" in ^/a(.*)$"#] == "equal")
        #expect(outcomes[#"without "$" in ^/b\.c$"#] == "localhost/b.ca forward redirect")
        #expect(outcomes[#""." for "\." in ^/b\.c$"#] == "localhost/bac forward redirect")
        #expect(outcomes[#"without "^" in ^/b\.c$"#] == "localhost/b/b.c forward redirect")
        #expect(outcomes["302 for 301"] == "killed")
        #expect(outcomes["removed"] == "killed")
        #expect(report.counts().killed + report.counts().equal + report.counts().survived == report.mutants.count)
    }

    @Test(
        "A changed expression is equal only if nothing distinguishes it from the one before",
        arguments: [
            ("^/a(.*)$", "^/a", false, true), ("^/a(.*)$", "^/a", true, false), ("^/a(.*)$", "^/a(.*)", true, true),
            ("^/a$", "^/a", false, false), ("^/(a|b)$", "^/[ab]$", false, true), ("^/a$", "(?i)^/A$", false, false),
            (#"^/a\.b$"#, "^/a.b$", false, false), ("^/", "/", false, true),
            ("^/(.*)$", "/(.*)$", true, true), ("^/a(.*)$", "/a(.*)$", true, false),
            (#"^/~(\w+)$"#, #"(?i)^/~(\w+)$"#, true, true), ("^/(a+)$", "(?i)^/(a+)$", true, false),
            ("^(/a.+)$", "^(/a.+)", true, true), ("^/0([a-z]*)$", "^(?i:/0)([a-z]*)$", true, true),
            ("^/(?:a|ab)(.*)$", "^/(?:ab|a)(.*)$", true, false),
        ]
    )
    func equality(_ before: String, _ after: String, _ usesCaptures: Bool, _ isEqual: Bool) throws {
        let change = ExpressionChange(
            original: Array(before.utf8),
            mutated: Array(after.utf8),
            wasCaseless: false,
            isCaseless: false,
            subject: .path,
            usesCaptures: usesCaptures
        )
        let checker = ValueChecker(try RuleSet(text: "").model, limits: AnalysisLimits())
        #expect(try #require(EqualityProof(change, checker)).isEqual == isEqual)
    }

    @Test(
        "A repetition that may be empty is equal to one that may not where nothing that comes there is matched by none",
        arguments: [
            ("^/([a-z]*/)?x$", "^/([a-z]+/)?x$", true), ("^/([a-z]*)x$", "^/([a-z]+)x$", false),
            // Another way matches the same path, with another capture.
            ("^/([a-z]*)/?(.*)$", "^/([a-z]+)/?(.*)$", false), ("^(/[a-z]*)+x$", "^(/[a-z]+)+x$", false),
            ("^/([a-z]*/)?x(?!y)", "^/([a-z]+/)?x(?!y)", false),
        ]
    )
    func waysToMatch(_ before: String, _ after: String, _ isEqual: Bool) throws {
        let rules = "server { rewrite \(before) /y/$1; }"
        let changes = MutationMaker.mutations(of: try RuleSet(text: rules)).compactMap(\.expression)
        let change = try #require(changes.first { $0.mutated == Array(after.utf8) })
        let checker = ValueChecker(try RuleSet(text: rules).model, limits: AnalysisLimits())
        #expect(try #require(EqualityProof(change, checker)).isEqual == isEqual)
    }

    @Test(
        "A move is equal where neither rule takes what the other takes or makes",
        arguments: [
            ("server { rewrite ^/a$ /x last; rewrite ^/b$ /y permanent; }", true),
            ("server { rewrite ^/a /x last; rewrite ^/ab$ /y permanent; }", false),
            // What the first makes may reach the second, and the other way round.
            ("server { rewrite ^/a$ /b; rewrite ^/b$ /y; }", false),
            ("server { rewrite ^/b$ /y; rewrite ^/a$ /b; }", false),
            ("server { rewrite ^/a$ /x; rewrite ^/b$ /y; }", true),
            ("server { rewrite ^/a(.*)$ /x$1; rewrite ^/b$ /y; }", true),
            ("server { rewrite ^/a(.*)$ $1; rewrite ^/b$ /y; }", false),
            // A rule uses what the last of the two captured.
            ("server { rewrite ^/(a)$ /x; rewrite ^/b$ /y; set $z $1; return 200 $z; }", false),
            ("server { location ~ ^/a { return 200; } location ~ ^/b { return 201; } }", true),
            ("server { location ~ ^/a { return 200; } location ~* ^/A/b { return 201; } }", false),
            ("rename_host a.test b.test; rename_host *.c.test *.d.test;", true),
            ("rename_host a.test x.c.test; rename_host *.c.test *.d.test;", false),
            ("rename_host *.c.test *.a.test; rename_host *.a.test *.b.test;", false),
            ("degrade = kl://A/b https://m.test/; degrade ^~ kl://B/ https://m.test/x;", true),
            // Another spelling of the second is the first.
            ("degrade = kl://A/b https://m.test/; degrade ^~ kl://A/c/ https://m.test/x;", false),
            ("block host a.test 404; block ^~ kl://b/ 410;", true),
            ("block host a.test 404; block ^~ kl://a.test/ 410;", false),
            ("rewrite_url ^kl://a/ kl://b/; rewrite_url ^kl://c/ kl://d/;", true),
            ("rewrite_url ^kl://a/ kl://c/; rewrite_url ^kl://c/ kl://d/;", false),
            ("server { allow 192.0.2.0/24; allow 192.0.2.1; deny all; }", true),
            ("server { deny 192.0.2.0/24; deny all; }", true),
            ("server { allow 192.0.2.0/24; deny 198.51.100.0/24; }", true),
            ("server { allow 192.0.2.0/24; deny 192.0.2.1; }", false), ("server { allow 192.0.2.1; deny all; }", false),
        ]
    )
    func moves(_ rules: String, _ isEqual: Bool) throws {
        let ruleSet = try RuleSet(text: rules)
        let mutation = try #require(MutationMaker.mutations(of: ruleSet).map(\.mutation).first { $0.kind == .moved })
        #expect(MutationEquality(ruleSet, limits: AnalysisLimits()).holds(mutation) == isEqual)
    }

    @Test(
        "Another flag is equal if both continue alike and nothing after the rule takes what it makes",
        arguments: [
            ("server { rewrite ^/a$ /b break; }", ["last for break", "without \"break\""]),
            // A location that takes files or an upstream by the path as it was sent.
            ("server { rewrite ^/a$ /b break; location /b { proxy_pass http://127.0.0.1:8080/c; } }", []),
            ("server { rewrite ^/a$ /b last; rewrite ^/c$ /d; }", ["break for last", "without \"last\""]),
            ("server { rewrite ^/a$ /c last; rewrite ^/c$ /d; }", ["break for last"]),
            ("server { rewrite ^/(.*)$ $1 last; rewrite ^/c$ /d; }", ["break for last"]),
            ("server { rewrite ^/(a)$ /b last; if ($http_x) { return 403; } }", ["break for last"]),
            ("server { location /a { rewrite ^/a$ /b last; } }", []),
            ("rewrite_url ^https?://a/ kl://b/c last;", ["break for last", "without \"last\""]),
            ("rewrite_url ^kl://a/ http://b/c last; server { return 403; }", ["without \"last\""]),
            ("rewrite_url ^https?://a/ kl://b/c last; block host b;", ["break for last"]),
            ("rewrite_url ^https?://a/ kl://b/c last; block host c;", ["break for last", "without \"last\""]),
            ("rewrite_url ^https?://a/(.*)$ kl://b/$1 last; block ^~ kl://c/;", ["break for last"]),
            (
                "rewrite_url ^https?://a/(\\w+)$ kl://b/$1 last; block ^~ kl://c/;",
                ["break for last", "without \"last\""]
            ),
        ]
    )
    func flags(_ rules: String, _ equal: [String]) throws {
        let ruleSet = try RuleSet(text: rules)
        let equality = MutationEquality(ruleSet, limits: AnalysisLimits())
        let mutations = MutationMaker.mutations(of: ruleSet).map(\.mutation)
            .filter { $0.change.contains("last") || $0.change.contains("break") }
        #expect(mutations.count == 2)
        #expect(mutations.filter(equality.holds).map(\.change) == equal)
    }

    @Test("The requests that reach a location's rule are those of the location")
    func placesOfRules() throws {
        let ruleSet = try RuleSet(
            text: """
                server {
                    location /a/ { rewrite ^/a/(.*)$ /b/$1 break; }
                    location ~ ^/c/ { rewrite ^/a/(.*)$ /b/$1; rewrite ^/c/(.*)$ /d/$1; }
                }
                """
        )
        let equality = MutationEquality(ruleSet, limits: AnalysisLimits())
        let found = MutationMaker.mutations(of: ruleSet)
            .filter { mutation, change in
                change.flatMap { equality.proof(of: mutation, $0) }?.isEqual == true
            }
        let changes = found.map { "\($0.mutation.rule.line):\($0.mutation.rule.column) \($0.mutation.change)" }
        #expect(changes.contains(#"2:20 without "^" in ^/a/(.*)$"#))
        #expect(changes.contains(#"2:20 whatever the case in ^/a/(.*)$"#))
        // The rule before it may make any path.
        #expect(!changes.contains { $0.contains("^/c/(.*)$") && $0.contains("case") })
    }

    @Test(
        "A path that try_files takes as it is need not begin with a slash",
        arguments: [("$uri /b", true), ("/none other", true), ("/none a/b", false), ("/none $arg_p", false)]
    )
    func directPaths(candidates: String, isEqual: Bool) throws {
        let rules = "server { rewrite ^/(.*)$ /b; location /t { try_files \(candidates); } }"
        let ruleSet = try RuleSet(text: rules)
        let equality = MutationEquality(ruleSet, limits: AnalysisLimits())
        let change = try #require(
            MutationMaker.mutations(of: ruleSet).first { $0.mutation.change == #"without "^" in ^/(.*)$"# }
        )
        let proof = change.expression.flatMap { equality.proof(of: change.mutation, $0) }
        #expect((proof?.isEqual == true) == isEqual)
    }

    @Test(
        "The target of an error page with a location's captures reaches no rule that is for something else",
        arguments: [
            ("location ~ ^/(2|3)/ { error_page 404 /$1/404.html; }", true),
            ("location ~ ^/(2|3)/ { if ($arg_x) { return 404; } error_page 404 /$1/404.html; }", true),
            ("location ~ ^/(2|3)/ { error_page 404 //x; }", false),
            ("location ~ ^/(/?)3/ { error_page 404 /$1/x; }", false),
            // The end of the path is unknown.
            ("location ~ ^/(.*)$ { error_page 404 /$1/404.html; }", false),
            // Other expressions capture, too, or pages of the server are sent with whatever was captured last.
            ("location ~ ^/(2|3)/ { if ($arg_x ~ (.*)) { return 404; } error_page 404 /$1/404.html; }", false),
            ("location ~ ^/(2|3)/ { } error_page 404 /$1/404.html;", false),
            ("location ~ ^/(2|3)/ { error_page 404 /$arg_x/404.html; }", false),
        ]
    )
    func pages(_ other: String, _ isEqual: Bool) throws {
        let ruleSet = try RuleSet(text: "server { \(other) location ~ ^/([a-z]*/)?x$ { return 301 /y/$1; } }")
        let equality = MutationEquality(ruleSet, limits: AnalysisLimits())
        let change = try #require(
            MutationMaker.mutations(of: ruleSet)
                .first { $0.mutation.change.hasPrefix(#""+" for "*" in ^/([a-z]*/)?x$"#) }
        )
        let proof = change.expression.flatMap { equality.proof(of: change.mutation, $0) }
        #expect((proof?.isEqual == true) == isEqual)
    }

    @Test(
        "A request for two rules that change places, for a file that a changed rule looks for, for an address of two networks",
        arguments: [
            (
                "location ~ ^/([a-z]*/)?x$ { return 200; } location ~ ^/d/(.*)$ { return 201; }", "below the next one",
                "GET localhost/d/x"
            ),
            (
                "location ~ ^/a/\\w+$ { if (-f $request_filename.b) { return 301 /c; } }", #""*" for "+""#,
                "GET localhost/a/ {with html/a/.b}"
            ),
            ("allow 10.0.0.0/8; deny 10.1.0.0/16; deny all;", "below the next one", "GET localhost/ {from 10.1.0.1}"),
        ]
    )
    func suggested(_ rules: String, _ change: String, _ request: String) throws {
        let found = try report("server { \(rules) }", [])
        let survivor = try #require(found.survivors.first { $0.mutation.change.hasPrefix(change) })
        let suggestion = try #require(survivor.suggestion)
        #expect(RequestText.shown(suggestion.request, showsUsualMethod: true) == request)
    }

    @Test("Every suggestion distinguishes the mutant and the rules, and with all of them as tests the score is better")
    func suggestions() throws {
        let rules = #"""
            server {
                rewrite ^/old/(\d+)\.html$ /new/$1 permanent;
                location ~ ^/(a|b)/x\.y$ { return 302 /z/$1; }
                if ($http_v = 1) { return 403; }
            }
            """#
        let before = try report(rules, [#"{"target":"/old/1.html","host":"x"}"#])
        let requests = before.survivors.compactMap(\.suggestion)
            .map { String(decoding: $0.request.json, as: UTF8.self) }
        for suggestion in before.survivors.compactMap(\.suggestion) {
            #expect(!suggestion.today.isSameOutcome(as: suggestion.changed))
        }
        let after = try report(rules, [#"{"target":"/old/1.html","host":"x"}"#] + requests)
        #expect(after.score > before.score)
        #expect(after.score >= 95, "\(after.survivors.map(\.mutation.change))")
    }

    @Test("Parts that are tried one by one add up")
    func parts() throws {
        let rules = "server { rewrite ^/a$ /b; rewrite ^/c$ /d last; if ($http_v = 1) { return 403; } }"
        let ruleSet = try RuleSet(text: rules, named: "r.conf")
        let run = MutationRun(ruleSet, tests: [], asOf: Self.asOf) { file, content throws(RuleSetError) in
            try RuleSet(text: String(decoding: content, as: UTF8.self), named: file)
        }
        func shown(_ report: MutationReport) -> [String] {
            report.mutants.map { "\($0.mutation.rule) \($0.mutation.change)" }
        }
        var added = run.report(part: 0, of: 3)
        added.append(run.report(part: 1, of: 3))
        added.append(run.report(part: 2, of: 3))
        #expect(shown(added) == shown(run.report()))
        #expect(added.mutants.count > 10)
    }

    @Test("A sample is the same for the same seed, and another one for another")
    func sample() throws {
        let rules = (0..<20).map { "server { server_name a\($0).test; rewrite ^/a\($0)\\.b$ /c; }" }
            .joined(separator: "\n")
        func sample(_ seed: UInt64) throws -> [String] {
            try report(rules) {
                $0.sample = 10
                $0.seed = seed
                $0.suggests = false
            }
            .mutants.map { "\($0.mutation.rule) \($0.mutation.change)" }
        }
        #expect(try sample(1) == sample(1))
        #expect(try sample(1) != sample(2))
        #expect(try sample(1).count == 10)
    }
}
