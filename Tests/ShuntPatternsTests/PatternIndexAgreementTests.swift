import SeededRandom
import ShuntPatterns
import Testing

/// The index against the reference that tries every pattern.
@Suite struct PatternIndexAgreementTests {
    @Test(arguments: 1...4) func agreesOnOddPatterns(seed: UInt64) {
        var generator = PatternGenerator(seed: seed)
        let scratch = MatchScratch()
        for _ in 0..<60 {
            let patterns = (0..<(1 + generator.random.below(20)))
                .compactMap { _ in
                    let text = generator.expression()
                    return try? RegularExpression([UInt8](text), caseless: generator.random.chance(20))
                }
            let subjects = (0..<60).map { _ in generator.text() }
            compare(patterns, subjects, &generator.random, scratch)
        }
    }

    @Test(arguments: 1...4) func agreesOnRules(seed: UInt64) throws {
        var generator = PatternGenerator(seed: 100 + seed)
        let scratch = MatchScratch()
        for round in 0..<20 {
            let patterns = try (0..<(round < 10 ? 12 : 300))
                .map { _ in
                    try RegularExpression([UInt8](generator.rule()), caseless: generator.random.chance(10))
                }
            let subjects = (0..<150).map { _ in generator.subject() }
            compare(patterns, subjects, &generator.random, scratch)
        }
    }

    /// Follows all matches of each subject through the patterns, from a random start to a random end.
    private func compare(
        _ patterns: [RegularExpression],
        _ subjects: [[UInt8]],
        _ random: inout SeededGenerator,
        _ scratch: MatchScratch
    ) {
        let index = PatternIndex(patterns)
        for subject in subjects {
            var start = random.chance(50) ? 0 : random.below(patterns.count)
            let end = random.chance(50) ? patterns.count : random.below(patterns.count + 1)
            while start < end {
                let linear = index.firstMatch(subject.span, from: start, to: end, scratch: scratch, mode: .linear)
                let wanted = Captures(scratch)
                let indexed = index.firstMatch(subject.span, from: start, to: end, scratch: scratch)
                let found = Captures(scratch)
                guard linear == indexed, linear == .none || wanted == found else {
                    Issue.record(
                        """
                        \(subject.text.debugDescription) from \(start) to \(end): linear \(linear) \(wanted.groups), \
                        indexed \(indexed) \(found.groups), pattern \(describe(linear, patterns)) or \
                        \(describe(indexed, patterns))
                        """
                    )
                    return
                }
                switch linear {
                case .match(let pattern), .limitExceeded(let pattern): start = pattern + 1
                case .none: start = end
                }
            }
        }
    }

    private func describe(_ outcome: IndexOutcome, _ patterns: [RegularExpression]) -> String {
        switch outcome {
        case .match(let index), .limitExceeded(let index): patterns[index].pattern.text.debugDescription
        case .none: "none"
        }
    }
}
