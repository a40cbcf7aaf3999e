import ShuntPatterns
import ShuntRules

/// Expressions of rules, in their order: which of them match a subject is looked up, not tried.
struct MatchingExpressions<Rule: Comparable> {
    private let index: PatternIndex
    private let rules: [Rule]
    private let scratch = MatchScratch()

    /// Takes expressions, each with its rule; the rules ascend.
    init(_ all: [(rule: Rule, expression: RuleModel.Expression)]) {
        index = PatternIndex(all.map(\.expression.expression))
        rules = all.map(\.rule)
    }

    /// The rules of a range whose expressions match, in their order.
    func taking(_ subject: [UInt8], in range: Range<Rule>) -> [Rule] {
        var found: [Rule] = []
        var next = rules.partitioningIndex { $0 >= range.lowerBound }
        let end = rules.partitioningIndex { $0 >= range.upperBound }
        while next < end, found.count < CoverSearch.mostTaking {
            scratch.renew()
            switch index.firstMatch(subject.span, from: next, to: end, scratch: scratch) {
            case .none: return found
            case .match(let number):
                found.append(rules[number])
                next = number + 1
            case .limitExceeded(let number): next = number + 1
            }
        }
        return found
    }
}
