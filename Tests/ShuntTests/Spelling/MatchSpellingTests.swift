import Shunt
import Testing

/// A rule for a page holds for all spellings of it, and the URL is forwarded as it was written.
@Suite("Spellings of one page")
struct MatchSpellingTests {
    static let spellings = [
        "https://www.example.com/private/", "https://www.example.com/%70rivate/",
        "https://www.example.com:443/private/",
        "https://u@www.example.com/private/", "HTTPS://WWW.example.com/private/", "https://www.example.com//private/",
        "https://www.example.com/x/../private/", "https://www.example.com./private/",
        "https://www.example.com/x%2f..%2Fprivate/",
        "https://www.example.com/.//private/", "https://u:p@WWW.EXAMPLE.COM.:0443/a/%2e%2e/%2fprivat%65/",
    ]

    /// The decisions with and without the index, and with a trace: all the same.
    private func decide(_ rules: String, _ url: String) throws -> Decision {
        let ruleSet = try RuleSet(text: rules)
        var options = Engine.Options()
        options.isLinear = true
        let decision = Engine(ruleSet).decide(RuleRequest(url: url))
        #expect(Engine(ruleSet, options: options).decide(RuleRequest(url: url)) == decision)
        #expect(Engine(ruleSet).explain(RuleRequest(url: url)).decision == decision)
        return decision
    }

    /// Other rules around one, so that an index covers them.
    private func among(_ rule: String) -> String {
        (0..<6).map { "block ~ ^https://other\($0)\\.example/; \n" }.joined() + rule
            + (6..<9).map { "\nblock ^~ https://other\($0).example/;" }.joined()
    }

    @Test("no spelling gets through", arguments: spellings)
    func blocked(url: String) throws {
        for rule in [
            "block ^~ https://www.example.com/private/ 404;", "block = https://www.example.com/private/ 404;",
            "block ~ ^https://www\\.example\\.com/private/ 404;", "block ~* ^https?://[^/]+/PRIVATE 404;",
            "block ^~ HTTPS://WWW.Example.com:443/x/../%70rivate/ 404;",
            "match ^~ https://www.example.com/private/ { block ~ . 404; }",
            "match ~ /private { block host www.example.com 404; }",
        ] {
            #expect(try decide(rule, url).status == 404, "\(rule)")
            #expect(try decide(among(rule), url).status == 404, "\(rule)")
        }
        let degrade = "degrade ~ ^https://www\\.example\\.com/(?<page>\\w+)/ https://m.example.com/$page;"
        #expect(try decide(among(degrade), url).urlBytes == Array("https://m.example.com/private".utf8))
    }

    @Test("what is written is forwarded, whatever was matched", arguments: spellings)
    func kept(url: String) throws {
        let decision = try decide("block ~ ^https://other/; match ~ /private { set $x 1; }", url)
        #expect(decision.kind == .forward)
        #expect(decision.urlBytes == Array(url.utf8))
    }

    @Test("\"exact\" sees the URL as it is written, and a block has its own")
    func exact() throws {
        let rule = "block ^~ https://www.example.com/private/;"
        for url in Self.spellings.dropFirst() {
            #expect(try decide("match_spelling exact; \(rule)", url).kind == .forward)
            #expect(
                try decide("match_spelling exact; match host www.example.com { match_spelling loose; \(rule) }", url)
                    .kind == .block
            )
            #expect(try decide("match host www.example.com { match_spelling exact; \(rule) }", url).kind == .forward)
            #expect(try decide("\(rule) match_spelling exact;", url).kind == .forward)
            // A redirect is made of what its expression sees.
            #expect(
                try decide("rewrite_url ^https://www.example.com/private/ https://a.example/ permanent;", url).kind
                    == .forward
            )
        }
    }

    @Test("what looks for a spelling finds it, and an exemption is not widened by one")
    func writtenToo() throws {
        for url in ["https://user@a.example/", "https://a.example/x//y", "https://a.example:443/"] {
            #expect(try decide("block ~ [^:]//|@|:443;", url).kind == .block)
        }
        let rules = "match ^~ https://a.example/open/ { break; } block ^~ https://a.example/;"
        #expect(try decide(rules, "https://a.example/open/x").kind == .forward)
        #expect(try decide(rules, "https://a.example/%6fpen/x").kind == .forward)
        for url in ["https://a.example/open/../private", "https://a.example/open/%2e%2e/private"] {
            #expect(try decide(rules, url).kind == .block)
        }
    }

    @Test("names of native hosts count in any case, paths in theirs")
    func native() throws {
        for rule in [
            "block ^~ kl://Debug/x;", "block = kl://Debug/x;", "block ~ ^kl://Debug/x;", "block ~ ^kl://debug?/x$;",
        ] {
            for url in ["kl://Debug/x", "kl://debug/x", "KL://DEBUG//x", "kl://Debug/y/../x"] {
                if rule.contains("bug?"), !url.contains("debu") { continue }
                #expect(try decide(rule, url).kind == .block, "\(rule) \(url)")
                #expect(try decide(among(rule), url).kind == .block, "\(rule) \(url)")
            }
            #expect(try decide(rule, "kl://Debug/X").kind == .forward)
        }
    }

    @Test("an expression that is wrong is reported where it is")
    func places() {
        #expect {
            try RuleSet(text: "block ~ ^kl://Debug/(x;")
        } throws: { error in
            guard let first = (error as? RuleSetError)?.diagnostics.first else { return false }
            return first.location.column == 22 && first.message.hasPrefix("invalid regular expression")
        }
    }

    @Test("the trace shows the normal form")
    func trace() throws {
        let engine = Engine(try RuleSet(text: "block ^~ https://a.example/b;"))
        let steps = engine.explain(RuleRequest(url: "https://A.example/%62")).trace.steps
        #expect(steps.contains { $0.text == "in its normal form: https://a.example/b" })
        #expect(
            !engine.explain(RuleRequest(url: "https://a.example/b")).trace.steps.contains { $0.text.contains("normal") }
        )
    }

    @Test(
        "no spelling gets past the rules that ship",
        arguments: [
            ("https://www.example.com/.env", 404), ("https://www.example.com/wp-admin", 410),
            ("kl://Debug/console", 403),
        ]
    )
    func example(url: String, status: Int) throws {
        let example = try ExampleRules(try ExampleRules.files())
        let colon = try #require(url.firstIndex(of: ":"))
        let scheme = url[..<colon]
        let rest = url[colon...].dropFirst(3)
        let slash = try #require(rest.firstIndex(of: "/"))
        let (host, path) = (rest[..<slash], rest[slash...].dropFirst())
        let first = path.utf8.first.map { "%" + String($0, radix: 16) } ?? ""
        for spelled in [
            "\(scheme.uppercased())://\(host)/\(path)", "\(scheme)://\(host.uppercased())/\(path)",
            "\(scheme)://u@\(host)/\(path)",
            "\(scheme)://\(host)./\(path)", "\(scheme)://\(host)//\(path)", "\(scheme)://\(host)/x/../\(path)",
            "\(scheme)://\(host)/\(first)\(path.dropFirst())", "\(scheme)://\(host)/%2e/\(path)",
        ] + (scheme == "https" ? ["https://\(host):443/\(path)", "https://\(host):/\(path)"] : []) {
            #expect(example.decision(about: RuleRequest(url: spelled)).status == status, "\(spelled)")
        }
        for degraded in [
            "kl://HELP/index", "kl://forum/x", "kl://Forum//x", "kl://x@Pay/a", "kl://PAY/a", "kl://Help/%69ndex",
        ] {
            #expect(example.decision(about: RuleRequest(url: degraded)).kind == .degrade, "\(degraded)")
        }
    }
}
