import Shunt
import ShuntPatterns

/// A rule that is tried on every request, and what that costs.
struct CostlyRule {
    let rule: AlwaysTriedRule
    /// The time of one attempt; nil for expressions on variables, whose values are unknown here.
    let nanoseconds: Double?

    /// The most rules and the most requests that are measured.
    private static let ruleLimit = 100
    private static let requestLimit = 1000

    /// Measures the rules of an engine that are always tried, on what they are tried with; the dearest come first.
    static func measure(_ engine: Engine, _ requests: [RuleRequest]) -> [CostlyRule] {
        let rules = engine.ruleSet.alwaysTriedRules.prefix(ruleLimit)
        guard !rules.isEmpty else { return [] }
        let decisions = requests.prefix(requestLimit).map { engine.decide($0) }
        let measured = rules.map { rule in
            CostlyRule(rule: rule, nanoseconds: cost(of: rule, on: subjects(rule.subject, decisions)))
        }
        return measured.sorted { ($0.nanoseconds ?? 0) > ($1.nanoseconds ?? 0) }
    }

    private static func subjects(_ subject: AlwaysTriedRule.Subject, _ decisions: [Decision]) -> [[UInt8]] {
        switch subject {
        case .path: decisions.compactMap(\.uri)
        case .url: decisions.compactMap(\.urlBytes)
        case .host:
            decisions.compactMap(\.urlBytes)
                .compactMap { url in RouteSubject(splitting: url.span).host.map { Array(url[$0.indices]) } }
        case .variable: []
        }
    }

    private static func cost(of rule: AlwaysTriedRule, on subjects: [[UInt8]]) -> Double? {
        guard !subjects.isEmpty else { return nil }
        let scratch = MatchScratch()
        var best = Int.max
        // The first round compiles the expression.
        for _ in 0..<4 {
            let start = ProcessorClock.nanoseconds
            for subject in subjects {
                scratch.renew()
                _ = rule.expression.match(subject.span, scratch: scratch)
            }
            best = min(best, ProcessorClock.nanoseconds - start)
        }
        return Double(best) / Double(subjects.count)
    }
}
