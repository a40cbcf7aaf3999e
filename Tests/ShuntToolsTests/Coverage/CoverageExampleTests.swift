import Shunt
import Testing

@testable import ShuntTools

/// Requests for what no test reaches.
@Suite("Examples for what is not covered")
struct CoverageExampleTests {
    private static let asOf = Timestamp(seconds: 1_793_491_200)  // 2026-11-01T00:00:00Z

    /// Rules with a request for each thing that is counted in them.
    static let rules = [
        // Branches and boundaries of conditions that rules compute.
        """
        input $v 0;
        input $p "";
        if ($v < 2.0 && $p = ios) { block ^~ kl://a/; } else if ($p ~ ^(a|b)c?$) { degrade ~ ^kl://(c|d)/(e)?$ https://m.test/; }
        """,
        // Tables that rules test, that a set takes, and that are in a text.
        """
        map $arg_k $m { default 0; a 1; ~^x(y|z)$ 2; ~x 3; }
        map $m $n { 3 one; default two; }
        geo $g { default 0; 192.0.2.0/24 1; 192.0.2.128/25 2; 2001:db8::/32 3; }
        split_clients $cookie_id $s { 20% one; 30% two; * three; }
        server {
            if ($n = one) { return 201; }
            set $view $g;
            return 200 $view$s;
        }
        """,
        // Servers, locations, addresses, files and pages for errors.
        """
        server {
            listen 80;
            server_name a.test *.b.test ~^c(\\d|x)\\.test$;
            error_page 404 /e;
            location /a/ { allow 192.0.2.0/25; allow 192.0.2.0/24; deny 198.51.100.0/24; deny all; }
            location ~ \\.(png|jpe?g)$ { try_files $uri =404; }
            location = /p { proxy_pass http://127.0.0.1:8080; }
            location /x/ { limit_except GET { deny all; } }
            location /e { internal; return 200 gone; }
        }
        server { listen 80 default_server; return 444; }
        """,
        // What another rule makes.
        "server { rewrite ^/a/(.*)$ /b/$arg_x/$1; rewrite ^/b/q/(c|d)$ /e break; }",
    ]

    @Test("Each is confirmed, and all of them as tests reach everything", arguments: rules)
    func all(_ rules: String) throws {
        let ruleSet = try RuleSet(text: rules)
        let examples = TargetSolver(ruleSet, asOf: Self.asOf)
        let engine = Engine(ruleSet)
        var lines: [String] = []
        for item in RuleCoverage(ruleSet, .init()).items {
            guard let request = examples.request(reaching: item.target) else {
                Issue.record("nothing for \(item.kind) \(item.location.line) \(item.part ?? "") \(item.text)")
                continue
            }
            lines.append(
                TestNotation.lines(
                    request,
                    MutationRun.decide(request, ruleSet: ruleSet, usual: engine, asOf: Self.asOf)
                )
            )
        }
        let text = lines.joined(separator: "\n")
        let file = try TestFile(Array(text.utf8), named: "a.requests", host: "a.test")
        var options = RuleTests.Options()
        options.collectsCoverage = true
        options.time = Self.asOf
        let coverage = try #require(RuleTests(ruleSet, file.cases, options: options).run().coverage)
        #expect(coverage.missing.map { "\($0.kind) \($0.location.line) \($0.part ?? "")" } == [])
    }

    @Test("There is none for what nothing reaches")
    func none() throws {
        let rules = """
            geo $g { default 0; 192.0.2.0/24 1; 192.0.2.0/25 2; 192.0.2.128/25 3; }
            server { return 200 $g; rewrite ^/(a|b)$ /c; }
            """
        let ruleSet = try RuleSet(text: rules)
        let examples = TargetSolver(ruleSet, asOf: Self.asOf)
        let open = RuleCoverage(ruleSet, .init()).items.filter { examples.request(reaching: $0.target) == nil }
        #expect(
            open.map { "\($0.kind) \($0.location.line):\($0.location.column)" } == [
                "rules 2:25", "entries 1:21", "alternatives 2:25", "alternatives 2:25",
            ]
        )
    }

    @Test("A rule is reached through another one, whose target has a variable")
    func throughAVariable() throws {
        let rules = "server { rewrite ^/a/(.*)$ /b/$arg_x/$1; rewrite ^/b/q(c|d)/e$ /f break; }"
        let solver = RuleSolver(try RuleSet(text: rules), asOf: Self.asOf)
        let rule = try #require(solver.model.rules.last)
        let found = ImageSearch(solver).request(for: .step(rule))
        #expect(found?.description == "localhost/a/e?x=qc")
    }

    @Test("The name of a rule stays when it moves in its file, and distinguishes equal ones")
    func identifiers() throws {
        func names(_ rules: String) throws -> [String] {
            let items = RuleCoverage(try RuleSet(text: rules), .init()).items.filter { $0.kind == .rules }
            let names = RuleIdentifier.all(of: items)
            return items.compactMap { names[$0.location] }
        }
        let names1 = try names("server {\n    rewrite ^/a$ /b;\n    rewrite ^/c$ /d;\n    rewrite ^/a$ /b;\n}\n")
        let names2 = try names("# moved\nserver {\n\n    rewrite  ^/a$  /b;\n    rewrite ^/a$ /b;\n}\n")
        #expect(names1.count == 3 && Set(names1).count == 3)
        #expect(names2 == [names1[0], names1[2]])
        // The first twelve digits of the output of any tool for SHA-256.
        #expect(RuleIdentifier.of(file: "r.conf", text: "return 204", number: 0) == "c29787dd0553")
    }
}
