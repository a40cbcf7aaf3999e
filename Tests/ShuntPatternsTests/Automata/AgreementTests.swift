import SeededRandom
import ShuntPatterns
import TestSettings
import Testing

/// Automaton and PCRE2 agree: where they do not, the automaton is wrong.
///
/// `SHUNT_AUTOMATA_PAIRS` asks for a longer run, and `SHUNT_AUTOMATA_SEED` begins it with another seed. Ten million pairs take three minutes:
///
///     SHUNT_AUTOMATA_PAIRS=10000000 swift test --filter AgreementTests
@Suite struct AgreementTests {
    /// The results of random pairs.
    struct Counts {
        var pairs = 0
        var matches = 0
        var expressions = 0
        var refusals: [String: Int] = [:]
        var gaveUp = 0
    }

    /// Asks both about pairs of expressions and subjects until there were `wanted` of them.
    static func compare(seed: UInt64, pairs wanted: Int) throws -> Counts {
        var generator = ExpressionGenerator(seed: seed)
        var counts = Counts()
        let scratch = MatchScratch()
        while counts.pairs < wanted {
            let text = generator.expression()
            let caseless = generator.random.chance(15)
            guard
                let expression = try? RegularExpression([UInt8](text.utf8), caseless: caseless, engine: .pcre2)
            else { continue }
            counts.expressions += 1
            let automaton: Automaton
            do {
                automaton = try Automaton(expression)
            } catch {
                let kind =
                    switch error {
                    case .notRead: "not read"
                    default: error.description
                    }
                counts.refusals[kind, default: 0] += 1
                continue
            }
            for _ in 0..<40 {
                let subject = generator.subject()
                let outcome = expression.match(subject.span, scratch: scratch)
                if case .limitExceeded = outcome {
                    counts.gaveUp += 1
                    continue
                }
                counts.pairs += 1
                if outcome == .matched { counts.matches += 1 }
                let accepts = automaton.accepts(subject)
                guard accepts != (outcome == .matched) else { continue }
                let shown = String(decoding: subject, as: UTF8.self).debugDescription
                Issue.record("\(text.debugDescription), caseless \(caseless), on \(shown): automaton \(accepts)")
            }
        }
        return counts
    }

    private static let pairs = TestSettings.automataPairs

    @Test("Many random expressions on random subjects", .enabled(if: pairs != nil), .timeLimit(.minutes(120)))
    func agreesForLong() throws {
        let wanted = try #require(Self.pairs)
        let seed = UInt64(TestSettings.automataSeed)
        let counts = try Self.compare(seed: seed, pairs: wanted)
        print("\(counts.pairs) pairs of \(counts.expressions) expressions, \(counts.matches) matches")
        #expect(counts.pairs >= wanted)
    }

    @Test("Random expressions on random subjects", arguments: 1...8 as ClosedRange<UInt64>)
    func agrees(seed: UInt64) throws {
        let counts = try Self.compare(seed: seed, pairs: 25_000)
        // The comparison has a meaning only if both answers and most constructs occur.
        #expect(counts.matches * 5 > counts.pairs)
        #expect(counts.matches * 5 < counts.pairs * 4)
        #expect(counts.refusals.values.reduce(0, +) * 4 < counts.expressions)
    }
}
