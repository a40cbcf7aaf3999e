import SeededRandom
import Testing

@testable import ShuntPatterns

/// Expressions that are accepted without PCRE2 are those that PCRE2 accepts.
@Suite struct PlainPatternTests {
    @Test(arguments: [
        ("^/news/section-12/(.*)$", 1), ("^/blog-7/?$", 0), ("^/shop/(\\d{4})/(\\d{2})/post-3(?:\\.html)?$", 2),
        ("^/(en|de|fr)/item-5/([^/]+)/?$", 2), ("/user_item9\\.php$", 0), ("(?i)^/help/CASE-4/(.*)$", 1),
        ("^https?://[a-z0-9-]+:8080/", 0), ("", 0), ("a|", 0), ("[\\w.-]{2,}+", 0), ("(?:a(b)?)*c{0,3}?", 1),
        ("^kl://(?i:Pay)/(\\w+)", 1),
    ]) func isPlain(pattern: String, captures: Int) throws {
        #expect(PlainPattern.captureCount(of: [UInt8](pattern.utf8)) == captures)
        #expect(try CompiledPattern([UInt8](pattern.utf8), caseless: false, for: .checking).captureCount == captures)
    }

    @Test(arguments: [
        "(", ")", "a)", "*a", "a**", "(?i)*", "^*", "a|*", "[", "[]", "[]a]", "[z-a]", "[a-", "[a-\\d]", "[\\d-z]",
        "[.a.]",
        "[=a=]", "[:alpha:]", "[[:alpha:]]", "[a-c-e]", "\\", "a\\", "\\1", "\\Qa", "\\b", "\\x41", "(?<n>a)", "(?=a)",
        "(?#a)", "(*UTF)a", "(a){2}", "a{3,2}", "a{,2}", "a{1000}", "a{2", "é", "a b",
        String(repeating: "a", count: 513),
        String(repeating: "(", count: 65) + String(repeating: ")", count: 65),
    ]) func isLeftToPCRE2(pattern: String) {
        #expect(PlainPattern.captureCount(of: [UInt8](pattern.utf8)) == nil)
    }

    @Test(arguments: 0..<8) func agreesWithPCRE2(seed: Int) throws {
        var generator = PatternGenerator(seed: UInt64(seed))
        let pieces = [
            "a", "z", "A", "0", "9", "/", ".", "-", "_", "=", ":", ",", "^", "$", "|", "(", ")", "(?:", "(?i)", "(?i:",
            "[",
            "[^",
            "]", "*", "+", "?", "{", "}", "{2}", "{2,3}", "{1,}", "\\", "\\d", "\\w", "\\.", "\\-", "\\]", "a-z", "(a)",
            "[a-c]", "[/-]",
        ]
        var plain = 0
        for round in 0..<20_000 {
            let text =
                switch round % 4 {
                case 0: generator.expression()
                case 1: generator.rule()
                default: (0..<generator.random.below(9)).map { _ in generator.random.pick(pieces) }.joined()
                }
            let pattern = [UInt8](text.utf8)
            guard let captures = PlainPattern.captureCount(of: pattern) else { continue }
            plain += 1
            guard let compiled = try? CompiledPattern(pattern, caseless: seed % 2 == 0, for: .checking) else {
                Issue.record("PCRE2 refuses \(text)")
                continue
            }
            #expect(compiled.captureCount == captures && compiled.names.isEmpty, "\(text)")
        }
        #expect(plain > 2_000)
    }

    /// The largest plain patterns are still within what PCRE2 compiles.
    @Test(arguments: ["[ab]", "[^a]*+", "(", "(?:a|", "\\w{2,999}", "[\\d]{1,999}?", "a{999}", "(a)*"])
    func isNeverTooLarge(piece: String) throws {
        let opening =
            piece.utf8.filter { $0 == UInt8(ascii: "(") }.count - piece.utf8.filter { $0 == UInt8(ascii: ")") }.count
        let count = opening > 0 ? 64 : 512 / piece.utf8.count
        let text = String(repeating: piece, count: count) + String(repeating: ")", count: opening * count)
        let captures = try #require(PlainPattern.captureCount(of: [UInt8](text.utf8)))
        #expect(try CompiledPattern([UInt8](text.utf8), caseless: true, for: .checking).captureCount == captures)
    }
}
