import Foundation
import SeededRandom
import ShuntPatterns
import TestSettings
import Testing

/// Every expression of HTTPS Everywhere, if the folder with its rule sets is there: on subjects at its edges automaton and
/// PCRE2 agree.
///
/// `SHUNT_HTTPS_EVERYWHERE` names a folder with `rulesets.jsonl`.
@Suite(.enabled(if: HTTPSEverywhereRules.folder != nil, "SHUNT_HTTPS_EVERYWHERE names no folder"))
struct HTTPSEverywhereTests {
    /// At least a hundred subjects at the edges of an automaton: the shortest that it accepts, the shortest that it does not,
    /// and each of them with one byte changed, missing or more.
    static func subjects(of automaton: Automaton, _ random: inout SeededGenerator) throws -> [[UInt8]] {
        let others = try Language.complement(.automaton(automaton)).automaton()
        var subjects = automaton.subjects(atMost: 8) + others.subjects(atMost: 3)
        for subject in automaton.subjects(atMost: 8) {
            for _ in 0..<12 {
                var changed = subject
                let place = random.below(changed.count)
                switch random.below(4) {
                case 0 where !changed.isEmpty: changed[place] = random.pick(Array("/.aw:A0-\n?".utf8))
                case 1 where !changed.isEmpty: changed.remove(at: place)
                case 2: changed.insert(random.pick(Array("/.aws:\n".utf8)), at: place)
                default: changed += Array(random.pick(["\n", "\n\n", "/", "www.", "s"]).utf8)
                }
                subjects.append(changed)
            }
        }
        return subjects
    }

    @Test func everyExpressionAgreesAtItsEdges() throws {
        let patterns = try HTTPSEverywhereRules.patterns()
        #expect(patterns.count == 12_293)
        let scratch = MatchScratch()
        var random = SeededGenerator(seed: 17)
        var pairs = 0
        var matches = 0
        for pattern in patterns {
            let expression = try expression(pattern)
            let automaton = try Automaton(expression)
            for subject in try Self.subjects(of: automaton, &random) {
                pairs += 1
                let matched = expression.match(subject.span, scratch: scratch) == .matched
                if matched { matches += 1 }
                if automaton.accepts(subject) != matched {
                    Issue.record("\(pattern) on \(subject.text.debugDescription)")
                }
            }
        }
        #expect(pairs > 100 * patterns.count)
        #expect(matches * 4 > pairs && matches * 4 < pairs * 3)
    }
}

enum HTTPSEverywhereRules {
    static let folder = TestSettings.httpsEverywhere

    private struct RuleSet: Decodable {
        struct Rule: Decodable {
            var from: String
        }
        var rules: [Rule]
        var exclusions: [String]
    }

    /// The distinct expressions, in the order of the file.
    static func patterns() throws -> [String] {
        let text = try String(contentsOfFile: try #require(folder) + "/rulesets.jsonl", encoding: .utf8)
        var seen: Set<String> = []
        var patterns: [String] = []
        for line in text.split(separator: "\n") {
            let ruleSet = try JSONDecoder().decode(RuleSet.self, from: Data(line.utf8))
            for pattern in ruleSet.rules.map(\.from) + ruleSet.exclusions where seen.insert(pattern).inserted {
                patterns.append(pattern)
            }
        }
        return patterns
    }
}
