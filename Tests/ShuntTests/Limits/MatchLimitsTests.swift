import Shunt
import Testing

/// The expressions of one decision share its steps, and each decision has all of them.
@Suite struct MatchLimitsTests {
    private static func engine(_ rules: String, _ limits: MatchLimits = .standard, isLinear: Bool = false) throws
        -> Engine
    {
        var options = Engine.Options()
        options.matchLimits = limits
        options.isLinear = isLinear
        return Engine(try RuleSet(text: rules), options: options)
    }

    private static let hostile = RuleRequest(target: "/" + String(repeating: "a", count: 2000) + "!ab", host: "a.test")

    @Test(
        "A request that reaches the limit of a harmful expression fails",
        arguments: [
            "server { if ($uri ~ \"^/(a+)+b\") { return 200; } return 204; }",
            "server { if ($uri !~ \"^/(a+)+b\") { return 200; } return 204; }",
            "server { rewrite \"^/(a+)+b\" /x last; return 204; }",
            "server { location ~ \"^/(a+)+b\" { return 200; } location / { return 204; } }",
            "block ~ \"/(a+)+b\"; server { return 204; }",
        ]
    ) func failsClosed(rules: String) throws {
        for isLinear in [false, true] {
            let decision = try Self.engine(rules, MatchLimits(steps: 50_000), isLinear: isLinear).decide(Self.hostile)
            #expect(decision.kind == .fail && decision.status == 500)
        }
    }

    @Test("A hundred expressions take no more steps than one may")
    func sharesTheSteps() throws {
        let tests = (1...100).map { "if ($arg_x ~ \"^(a+)+[b-z]{\($0)}$\") { return 403; }\n" }.joined()
        let engine = try Self.engine("server {\n\(tests)return 204; }", MatchLimits(steps: 1_000_000))
        // Each takes 4,096 ways of some steps: some of them fit, not a hundred.
        #expect(engine.decide(RuleRequest(target: "/?x=aa!", host: "a.test")).status == 204)
        #expect(engine.decide(RuleRequest(target: "/?x=aaaaaaaaaaaa!", host: "a.test")).status == 500)
    }

    @Test("Each decision has all steps again")
    func renews() throws {
        let engine = try Self.engine(
            "server { if ($uri ~ \"^/(a+)+b$\") { return 200; } return 204; }",
            MatchLimits(steps: 100_000)
        )
        let request = RuleRequest(target: "/aaaaaaaabx", host: "a.test")
        for _ in 0..<200 { #expect(engine.decide(request).status == 204) }
        #expect(engine.decide(Self.hostile).status == 500)
        #expect(engine.decide(request).status == 204)
    }

    @Test("The gateway's limits are a quarter of the usual ones, and none is below 1")
    func presets() {
        #expect(MatchLimits.gateway.steps * 4 == MatchLimits.standard.steps)
        #expect(MatchLimits(steps: 0).steps == 1)
    }
}
