import Foundation
import SeededRandom
import Shunt
import TestSettings
import Testing

/// A random rule set whose short requests are blocked lets no long one through, however its values grow.
///
/// `SHUNT_GROWTH_SETS` makes a run longer, `SHUNT_GROWTH_SEED` begins with another seed than 1.
@Suite struct RandomGrowthTests {
    static func requests(_ length: Int) -> [RuleRequest] {
        let long = "aaa" + String(repeating: "a", count: length)
        let target = "/\(long)?long=\(long)"
        return [RuleRequest(target: target, host: "a.test"), RuleRequest(url: "http://a.test\(target)")]
            .map { request in
                var request = request
                request.headers = [RuleRequest.Header("X-Long", long), RuleRequest.Header("Cookie", "long=\(long)")]
                return request
            }
    }

    @Test("A request that a random rule set blocks is blocked at every length", .timeLimit(.minutes(60)))
    func blocks() throws {
        let first = TestSettings.growthSeed
        let count = TestSettings.growthSets
        var blocked = 0
        var failed = 0
        for seed in first..<first + count {
            var rules = GrowingRules(seed: UInt64(seed))
            let text = rules.text()
            let engine = Engine(try RuleSet(text: text))
            var random = SeededGenerator(seed: UInt64(seed) &+ 1 << 32)
            for length in [0, random.below(200), 4_000 + random.below(4_000), 50_000 + random.below(14_000)] {
                for request in Self.requests(length) {
                    let decision = engine.decide(request)
                    if ValueGrowthTests.letsThrough(decision) {
                        Issue.record("seed \(seed), \(length) bytes: \(decision), rules:\n\(text)")
                        return
                    }
                    if decision.kind == .block { blocked += 1 }
                    if decision.kind == .fail { failed += 1 }
                }
            }
        }
        // Both happen often, or nothing is shown.
        #expect(blocked > count && failed > count)
    }
}
