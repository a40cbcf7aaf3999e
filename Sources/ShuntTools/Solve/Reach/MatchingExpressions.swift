import ShuntCore
import ShuntPatterns
import ShuntRules

/// Expressions of rules, in their order: which of them match a subject is looked up, not tried.
struct MatchingExpressions {
    private let index: PatternIndex
    private let rules: [Int]
    private let scratch = MatchScratch()

    /// The most rules that are looked at for one subject.
    static let mostTaking = 256

    /// Takes expressions of the program, each with the number of its rule; the numbers ascend.
    init(_ all: [(rule: Int, pattern: ExpressionIndex)], _ program: Program) {
        index = PatternIndex(all.map { program.expressions.expressions[$0.pattern.position] })
        rules = all.map(\.rule)
    }

    /// The rules of a range whose expressions match, in their order.
    func taking(_ subject: [UInt8], in range: Range<Int>) -> [Int] {
        var found: [Int] = []
        var next = rules.partitioningIndex { $0 >= range.lowerBound }
        let end = rules.partitioningIndex { $0 >= range.upperBound }
        while next < end, found.count < Self.mostTaking {
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

extension [Int] {
    /// The first index of a sorted array from which on a condition holds.
    fileprivate func partitioningIndex(_ holds: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
