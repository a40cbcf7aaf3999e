import SeededRandom
import Testing

@testable import ShuntPatterns

/// No expression takes long on any subject.
@Suite struct BoundedMatchingTests {
    /// Expressions that take a backtracking matcher long, each with what a hostile subject repeats and ends with.
    static let slow: [(pattern: String, repeated: String, end: String)] = [
        ("a{0,65535}a{0,65535}Z\\d", "a", "!Z!"), ("(a+)\\1+Z\\d", "a", "!Z!"),
        ("/(\\w+)/.*/\\1/edit$", "/a", "/edit!"),
        ("/(\\w+)/.*/\\1/edit$", "/", "/edit!"), ("(\\w+)/\\1$", "a", "/!"), ("(\\w+)/\\1$", "a/", "b"),
        ("(?<!b)a+Z\\d", "a", "!Z!"), ("\\d*(?:.*,.*)*Z\\d", ",1", "!Z!"), ("a.*a.*Z\\d", "a", "!Z!"),
        ("[0-9]*[.]?[0-9]+px$", "1", "px!"), ("^(a+)+$", "a", "!"), ("^(a|aa)+$", "a", "!"), ("^(a|a?)+$", "a", "!"),
        ("(.*,){11}P", "1,", "zP"), (".*.*=.*;", "x", "=!"), ("^[+]+|[+]+$", "+", "."),
        ("^(([a-z])+.)+[A-Z]([a-z])+$", "a", "!A!"), ("(x+x+)+y", "x", "!y"), ("(.{1,1000}){1,1000}Z\\d", "x", "Z!"),
        ("(a*)*b", "a", "!b"), ("(a*)+Z\\d", "a", "!Z!"), ("(?:a|b|ab)*c", "ab", "!c"), ("(a?){30}a{30}Z", "a", "!Z"),
        ("a{30000,}b", "a", "!b"), ("'.*or.*=.*--", "'or=", "-"), ("(<|%3c).*script.*(>|%3e)", "<script", "%"),
        ("^(.*/)*admin/", "/", "admin"), ("(?:.*[;|&].*)(?:cat|wget|curl)", ";", "car"),
        ("([^?]*/)?wp-(admin|login)", "/", "wp-"), ("^[^?]*\\?(.*&)*debug=", "?&", "debug"),
        ("^/(\\w+/?)*\\.env$", "a", ".en"),
        ("(?=.*x)(?=.*y)(?=.*z)w", "xyz", "!"), ("(?:(?=.*q)a)*b", "a", "q!b"), ("(?<=a)a*b\\d", "a", "b"),
        ("(.+)+\\.(.+)+\\.x", "a.", "!"), ("^(?:\\w+[.-]?)+@x$", "a", "!@x"), ("(\\d+)+-(\\d+)+x", "1", "-x!"),
        ("(.*)(.*)(.*)(.*)Z\\d", "a", "Z!"), ("(?:(a)|(b)|a)*\\1c", "a", "!c"), ("(a+)+\\1b", "a", "!b"),
        ("(?>a+)+b\\d", "a", "!b"), ("(?:a+)++b\\d", "a", "!b"), ("(?x) ( a + ) + b \\d", "a", "!b"),
        ("(*UTF)(a+)+b\\d", "a", "!b"), ("(*NO_JIT)(a+)+b\\d", "a", "!b"), ("(?i)(A|AA)+B\\d", "a", "!b"),
        ("(?:a(?1)?b()|c)Z", "a", "b"), ("(a(?1)?a)Z\\d", "a", "!Z"), ("^(?:.*\\n?)*$(?!.)Z", "a\n", "Z"),
        ("([a-z]+\\d?)*Z\\d", "a", "Z!"), ("(?:a{1,50}){1,50}Z\\d", "a", "Z!"), ("\\s+$", "\u{9}", "!"),
        ("(.*?),(.*?),(.*?),(.*?),Z\\d", ",", "Z!"), ("((a{1,9}){1,9}){1,9}Z\\d", "a", "Z!"),
        ("(?:.{1,10}){1,1000}Z\\d", "x", "Z!"), ("(?:.|x){1,1000}Z\\d", "x", "Z!"), ("(?:xx?){0,900}?Z\\d", "x", "Z!"),
        ("(?:ab){1,1000}c", "ab", "!"), ("(?:a?){1,2000}Z\\d", "a", "Z!"),
    ]

    static let lengths = [10, 100, 1000, 3000, 8000, 20_000, 65_000]

    static func subject(_ item: (pattern: String, repeated: String, end: String), _ length: Int) -> [UInt8] {
        var subject: [UInt8] = []
        subject.reserveCapacity(length + 16)
        while subject.count < length { subject += item.repeated.utf8 }
        return subject + item.end.utf8
    }

    /// The bytes that one step reads before the next is counted: at most the subject, back and forth.
    ///
    /// Then there are the brackets that it closes.
    static let slack = 2 * 65_000 + 65_535 + 2000

    @Test(arguments: slow.indices) func staysWithinItsSteps(_ index: Int) throws {
        let item = Self.slow[index]
        let expression = try RegularExpression([UInt8](item.pattern.utf8), caseless: false)
        for steps in [2_000_000, 200_000] {
            let scratch = MatchScratch(steps: steps)
            for length in Self.lengths {
                let subject = Self.subject(item, length)
                scratch.renew()
                let outcome = expression.match(subject.span, scratch: scratch)
                #expect(scratch.watchedSteps <= steps + Self.slack, "\(item.pattern) on \(length)")
                if case .limitExceeded = outcome { #expect(scratch.capture(0) == nil) }
                scratch.renew()
                #expect(expression.match(subject.span, scratch: scratch) == outcome)
            }
        }
    }

    @Test func stopsWhereTheStepsAreUsedUp() throws {
        let expression = try RegularExpression([UInt8]("^(a+)+$"), caseless: false)
        let other = try RegularExpression([UInt8]("^(b+)+$"), caseless: false)
        let subject = [UInt8](repeating: UInt8(ascii: "a"), count: 60) + [UInt8(ascii: "b")]
        let scratch = MatchScratch(steps: 10_000)
        #expect(expression.match(subject.span, scratch: scratch) == .limitExceeded(MatchOutcome.stepLimit))
        #expect(scratch.capture(0) == nil)
        // What is left belongs to all matches of one evaluation, and the next one has all again.
        #expect(other.match([UInt8]("bb").span, scratch: scratch) == .limitExceeded(MatchOutcome.stepLimit))
        scratch.renew()
        #expect(other.match([UInt8]("bb").span, scratch: scratch) == .matched)
    }

    /// Matches common expressions with common requests, and with the longest that servers take by default.
    @Test(arguments: [
        ("^/(.*)/(\\d+)/([^/]+)\\.html$", "/a/b"), ("/(\\w+)/.*/\\1/edit$", "/abc"),
        ("(<|%3c).*script.*(>|%3e)", "/x=1&"),
        ("[0-9]*[.]?[0-9]+px$", "/12a"), ("^(.*)/page-(.*)-(.*)\\.php$", "/ab-c"), ("^/(\\w+/?)*\\.env$", "/ab"),
        ("([^?]*/)?wp-(admin|login)", "/ab"), ("^[^?]*\\?(.*&)*debug=", "/ab"),
    ]) func naturalExpressionsReachNoLimit(pattern: String, piece: String) throws {
        let expression = try RegularExpression([UInt8](pattern), caseless: false)
        let scratch = MatchScratch(steps: 2_000_000)
        for length in [20, 100, 300, 1000, 8192] {
            scratch.renew()
            let subject = Self.subject((pattern, piece, ""), length)
            #expect(expression.match(subject.span, scratch: scratch) == .noMatch, "\(length)")
        }
    }

    @Test(arguments: [
        ("(<|%3c).*script", "%3CScript", true), ("(<|%3c).*script", "%3c-scrip", false),
        ("^/a.*(x|y)\\.php$", "/A/x.PHP", true),
        ("^/a.*(x|y)\\.php$", "/a/z.php", false), ("a.*foo|b.*bar", "bar-b", true), ("a.*foo|b.*bar", "fo-ba", false),
        ("(a+)+", "b", true), ("(?x)a b", "c", true), ("foo.*|x+y", "", false),
    ]) func literalsAreLookedForFirst(pattern: String, subject: String, mayMatch: Bool) {
        let literals = RequiredLiterals([UInt8](pattern.utf8), caseless: false)
        #expect(literals.mayMatch([UInt8](subject).span) == mayMatch)
    }

    /// Watched or not, the answer and the captures are the same.
    @Test(arguments: 1...4) func watchingChangesNothing(seed: UInt64) {
        var generator = PatternGenerator(seed: 500 + seed)
        let watched = MatchScratch(steps: 50_000_000, unwatchedSteps: 0)
        let free = MatchScratch(steps: 50_000_000, unwatchedSteps: .max)
        var checked = 0
        for _ in 0..<400 {
            let text = generator.random.chance(80) ? generator.expression() : generator.rule()
            guard let expression = try? RegularExpression([UInt8](text), caseless: false, engine: .pcre2),
                !MatchCost(expression.pattern, caseless: false).isLinear
            else { continue }
            for _ in 0..<30 {
                let subject = generator.text()
                watched.renew()
                free.renew()
                let first = expression.match(subject.span, scratch: free)
                let second = expression.match(subject.span, scratch: watched)
                if case .limitExceeded = first { continue }
                #expect(first == second && Captures(free) == Captures(watched), "\(text) on \(subject.text)")
                checked += 1
            }
        }
        #expect(checked > 500)
    }
}
