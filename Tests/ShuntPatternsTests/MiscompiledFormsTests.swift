import SeededRandom
import Testing

@testable import ShuntPatterns

/// Expressions that PCRE2 gets wrong with its optimizations or in machine code are compiled without them.
@Suite struct MiscompiledFormsTests {
    /// The prefix with which PCRE2 only interprets an expression, without any optimization.
    private static let plainly = "(*NO_JIT)(*NO_START_OPT)(*NO_AUTO_POSSESS)"

    /// Expressions with a subject of which PCRE2 10.42, left to itself, misses or misreports the match.
    @Test(arguments: [
        ("(?>c+?)$", "cc", ["1-2"]), ("(?>.*|c)[^a]", "aa-acb--1", []), ("(b)*+c", "baacaaa", ["3-4"]),
        ("(b)*+(?=a)[ab]{2,}", "bcbbaacc", ["2-6", "3-4"]), ("(?> \\w+ ) x", "a x", []),
        ("ab*(?:c)?+b", "abb", ["0-3"]), ("aa{0,2}(?>|b{2})[ab]", "aa", ["0-2"]),
        ("(?:a|b|)a*a", "ba", ["0-2"]), ("(?s:a|)/*?a", "//a", ["0-3"]), ("(?:ab|a|a)ba*+[[:alpha:]]", "abb", ["0-3"]),
        ("(?:aab[^b]|)b*ab", "aaba", ["1-3"]), ("([^a]b.|b)[ab]*?[^b]", "bba", ["0-3"]),
        ("(?i)(baa|)aa*\\w", "baaa", ["0-4", "0-3"]), ("(c||)(?:[^b]\\w{1,}?|aa){2}c??", "caaa", []),
        ("(?=a)a*a", "a", ["0-1"]), ("(?=aa*+)b*a{1,2}", "a", ["0-1"]), ("(?=(?:b|a){0})", "b", ["0-0"]),
        ("(ab+?a|\\1?|(?:cbc)bb{1,}?)aa", "aa", ["0-2", "0-0"]), ("((\\daa*+|\\1*)\\B)a", "aa", ["0-1"]),
    ]) func isFound(pattern: String, subject: String, captures: [String]) throws {
        #expect(!MiscompiledForms(in: [UInt8](pattern), caseless: false).isEmpty)
        let plain = try RegularExpression([UInt8](Self.plainly + pattern), caseless: false, engine: .pcre2)
        let expression = try RegularExpression([UInt8](pattern), caseless: false)
        for unwatched in [0, Int.max] {
            let scratch = MatchScratch(unwatchedSteps: unwatched)
            let wanted = plain.match([UInt8](subject).span, scratch: scratch)
            let groups = Captures(scratch).groups
            #expect(expression.match([UInt8](subject).span, scratch: scratch) == wanted)
            #expect(Captures(scratch).groups == groups)
        }
    }

    @Test(arguments: [
        "^/a/(.*)$", "(a+)+", "a++b", "(a)*", "(a)+?", "(?:a){2}", "\\.(?:php|aspx?|jsp)$", "/(en|de)/.*x", "a|bc*d",
        "^(?:a|b|)a*a", "(^a|^(?=b))b*a", "(?!a)a*a", "(?<=a)b*c", "a(b*|c)d",
    ]) func otherFormsAreCompiled(pattern: String) {
        #expect(MiscompiledForms(in: [UInt8](pattern), caseless: false).isEmpty)
    }

    @Test(arguments: [
        ("[)*+]", 1), ("(?>a)(*COMMIT)b", 1), ("(?>a)b", 1), ("(a|bc)(?>a)b+", 3), ("(?x) a b", 2), ("(?:a|b|)a*a", 2),
        ("(a)\\1", 2),
    ]) func saysWhatIsLeftOut(pattern: String, forms: UInt8) {
        #expect(MiscompiledForms(in: [UInt8](pattern), caseless: false).rawValue == forms)
    }

    /// Expressions of every construct, and short ones of those that were found to go wrong.
    @Test(arguments: 1...8) func isWhatPCRE2FindsPlainly(seed: UInt64) {
        var generator = PatternGenerator(seed: 700 + seed)
        let scratch = MatchScratch(steps: 50_000_000, unwatchedSteps: .max)
        var (checked, formed) = (0, 0)
        for _ in 0..<1500 {
            let isNarrow = generator.random.chance(60)
            let text = isNarrow ? generator.narrowExpression() : generator.expression()
            guard
                let plain = try? RegularExpression([UInt8](Self.plainly + text), caseless: false, engine: .pcre2),
                let expression = try? RegularExpression([UInt8](text), caseless: false, engine: .pcre2)
            else { continue }
            if !MiscompiledForms(in: [UInt8](text), caseless: false).isEmpty { formed += 1 }
            for _ in 0..<12 {
                let subject = isNarrow ? generator.narrowText() : generator.text()
                scratch.renew()
                let wanted = plain.match(subject.span, scratch: scratch)
                let groups = Captures(scratch).groups
                let found = expression.match(subject.span, scratch: scratch)
                if wanted == .matched || found == .matched || wanted == .noMatch && found == .noMatch {
                    #expect(found == wanted && Captures(scratch).groups == groups, "\(text) on \(subject.text)")
                    checked += 1
                }
            }
        }
        #expect(checked > 10_000 && formed > 100 && formed < 1200)
    }
}

extension PatternGenerator {
    /// An expression of two letters, full of choices and repetitions.
    mutating func narrowExpression(depth: Int = 2) -> String {
        let branches = random.chance(60) ? 1 : 2 + random.below(2)
        return (0..<branches)
            .map { _ in
                (0..<random.below(4)).map { _ in narrowPiece(depth) }.joined()
            }
            .joined(separator: "|")
    }

    private mutating func narrowPiece(_ depth: Int) -> String {
        let atom =
            depth > 0 && random.chance(35)
            ? random.pick(["(?:", "(", "(?:", "(", "(?=", "(?!", "(?>"]) + narrowExpression(depth: depth - 1) + ")"
            : random.pick(["a", "b", "ab", "ba", "[ab]", "[^a]", ".", "\\w", "\\1", "\\b", "$"])
        guard random.chance(45) else { return atom }
        return atom + random.pick(["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "*+", "?+", "{2,}"])
    }

    /// A text of the letters of `narrowExpression`.
    mutating func narrowText() -> [UInt8] {
        random.bytes([UInt8]("aaabbbc"), random.below(7))
    }
}
