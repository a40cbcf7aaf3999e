import Shunt
import TestSettings
import Testing

/// The index finds the decision, and the rule, that trying the rules one after another finds.
///
/// `SHUNT_INDEX_PAIRS` makes a run longer, 20,000 pairs of a rule set and a URL unless it is set, and `SHUNT_INDEX_SEED`
/// begins with another seed than 1. Ten million take some minutes, optimized:
///
///     SHUNT_INDEX_PAIRS=10000000 swift test -c release -Xswiftc -enable-testing --filter IndexAgreementTests
@Suite struct IndexAgreementTests {
    private static let urlsPerSet = 400

    @Test("Indexed and linear decisions agree on random rule sets and URLs", .timeLimit(.minutes(120)))
    func agree() throws {
        let pairs = TestSettings.indexPairs
        let first = TestSettings.indexSeed
        var decided = 0
        for seed in first..<first + (pairs + Self.urlsPerSet - 1) / Self.urlsPerSet {
            var generator = RuleSetGenerator(seed: UInt64(seed))
            let rules = generator.rules()
            let ruleSet = try RuleSet(text: rules)
            var linear = Engine.Options()
            linear.isLinear = true
            let engines = (indexed: Engine(ruleSet), linear: Engine(ruleSet, options: linear))
            for _ in 0..<Self.urlsPerSet {
                let url = generator.url()
                let request = url.hasPrefix("/") ? RuleRequest(target: url, host: "a.test") : RuleRequest(url: url)
                let (indexed, expected) = (engines.indexed.decide(request), engines.linear.decide(request))
                if indexed.rule != nil { decided += 1 }
                guard indexed == expected else {
                    Issue.record("seed \(seed), \(url): \(indexed), one by one \(expected), rules:\n\(rules)")
                    return
                }
            }
        }
        // Most URLs have to meet a rule, or nothing is compared.
        #expect(decided * 3 > pairs)
    }
}
