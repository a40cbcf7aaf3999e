import SeededRandom
import Testing

@testable import ShuntPatterns

/// Patterns that are matched without PCRE2 against PCRE2.
@Suite struct NativeMatchingTests {
    /// Returns true if a pattern has a separate program.
    static func isNative(_ pattern: String, caseless: Bool = false) -> Bool {
        guard let parsed = try? PatternParser.parse([UInt8](pattern), caseless: caseless) else { return false }
        return NativeSteps(parsed) != nil
    }

    @Test(arguments: [
        "^/a$", "^/a(.*)$", "^/a", "^/a/([^/]+)/?$", "^/a/(\\d+)$", "^/a/(\\d{4})/(\\d{2})/post(?:\\.html)?$",
        "^/(en|de|fr)/x/([^/]+)/?$", "/item\\.php$", "\\d{5}\\.html?$", "(?i)^/a/(.*)$", "^/a/?$",
        "^/a/(\\w+)(\\.html)?$",
        "^/([a-z]+?)/b$", "^/a(?>/b)\\z", "^/(?<name>[a-z]{2,3})/$", "^[^?]*\\?x=(\\d+)$", "^(/a|/b)$", "^$",
        "^[[:alpha:]]$",
    ]) func isMatchedNatively(_ pattern: String) {
        #expect(Self.isNative(pattern))
    }

    @Test(arguments: [
        "^(.*)/a$", "a", "(a)|b", "^a*ab", "^a?a", "^(a|ab)c", "^(.*?)a", "^a(?=b)", "^\\n?$x", "(a+)$", "^a\\b", "^",
        "^([^/]+?)$", "(?x)^a", "^(ab)*$", "^(a|)$", "^\\n?$", "a(b*)$", "^a$b", "^(a(b)?)?c",
    ]) func isLeftToPCRE2(_ pattern: String) {
        #expect(!Self.isNative(pattern))
    }

    @Test(arguments: 1...4) func agreesWithPCRE2(seed: UInt64) throws {
        var generator = NativePatternGenerator(seed: 200 + seed)
        let scratch = MatchScratch()
        let reference = MatchScratch()
        var nativeCount = 0
        for _ in 0..<1000 {
            let text = generator.expression()
            let caseless = generator.random.chance(20)
            guard Self.isNative(text, caseless: caseless) else { continue }
            nativeCount += 1
            let native = try RegularExpression([UInt8](text), caseless: caseless)
            let pcre2 = try RegularExpression([UInt8](text), caseless: caseless, engine: .pcre2)
            for _ in 0..<40 {
                let subject = generator.subject()
                let found = native.match(subject.span, scratch: scratch)
                let wanted = pcre2.match(subject.span, scratch: reference)
                guard found == wanted, Captures(scratch) == Captures(reference) else {
                    Issue.record(
                        """
                        \(text.debugDescription)\(caseless ? " caseless" : "") on \(subject.text.debugDescription): \
                        \(wanted) \(Captures(reference).groups) by PCRE2, \(found) \(Captures(scratch).groups) natively
                        """
                    )
                    return
                }
            }
        }
        #expect(nativeCount > 200)
    }

    /// A literal of every length around the eight bytes that are compared at once.
    @Test(arguments: 1...40) func comparesWholeLiterals(length: Int) throws {
        let literal = [UInt8]((0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) })
        for folding in [false, true] {
            let expression = try RegularExpression([UInt8]("^") + literal + [UInt8]("$"), caseless: folding)
            let scratch = MatchScratch()
            #expect(expression.match(literal.span, scratch: scratch) == .matched)
            for index in 0..<length {
                var changed = literal
                changed[index] ^= 0x20
                #expect(expression.match(changed.span, scratch: scratch) == (folding ? .matched : .noMatch))
                changed[index] = UInt8(ascii: "_")
                #expect(expression.match(changed.span, scratch: scratch) == .noMatch)
            }
            #expect(expression.match(literal.dropLast().asArray.span, scratch: scratch) == .noMatch)
            #expect(expression.match((literal + [10]).span, scratch: scratch) == .matched)
            #expect(expression.match((literal + [10, 10]).span, scratch: scratch) == .noMatch)
        }
    }
}

extension ArraySlice<UInt8> {
    var asArray: [UInt8] { [UInt8](self) }
}

/// Draws expressions most of which need no backtracking.
struct NativePatternGenerator {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private var lastSubject: [UInt8] = []

    private static let runs = [
        "[^/]+", "[^/]*", "\\d+", "\\d{2}", "\\d{1,3}", "\\w+", "\\w*", "[a-c]+", ".*", ".+", "[^/a]*", ".", "[ab]",
        "[^\\n]*", "[a\\n]+", "\\s*", "a+", "b*", "a{2}", ".*?", "[^/]+?", "a++", ".{0,3}", "[^a]{1,2}", "\\D+",
    ]

    mutating func expression() -> String {
        var text = random.chance(75) ? "^" : ""
        for _ in 0..<(1 + random.below(5)) { text += piece() }
        return text + random.pick(["", "$", "$", "$", "\\z", "/?$", "(?:\\.html)?$", "(/)?$", "\\n?$"])
    }

    private mutating func piece() -> String {
        switch random.below(8) {
        case 0, 1: return random.pick(["/", "/a", "ab", "a", "b/", "/ab/", "1", "\\.", "/aaaabbbbcccc"])
        case 2: return random.pick(Self.runs)
        case 3: return "(" + random.pick(Self.runs) + ")"
        case 4: return random.pick(["/?", "a?", "(?:ab)?", "(b)?", "(/ab)?", "b??", "(?:b)?+"])
        case 5: return random.pick(["(a|b)", "(?:/a|/b)", "(ab|b|1)", "(a|ab)", "(en|de)", "(?:a|B)"])
        case 6:
            let inner = random.pick(["/", "a", "ab", "(b)", "(/)?"]) + random.pick(Self.runs + ["(\\d*)", "([^/]+)"])
            return "(" + inner + ")"
        default: return "(?>" + random.pick(Self.runs) + ")"
        }
    }

    /// Mostly close to the subject before, so that some of them match.
    mutating func subject() -> [UInt8] {
        let alphabet = [UInt8]("aaabbb//11.cA_\n")
        if random.chance(40) { lastSubject = random.bytes(alphabet, random.below(14)) }
        if random.chance(50) { lastSubject.insert(random.pick(alphabet), at: random.below(lastSubject.count + 1)) }
        if random.chance(20), !lastSubject.isEmpty { lastSubject.removeLast() }
        if random.chance(10) { lastSubject += [UInt8](".html") }
        if random.chance(10) { lastSubject = [UInt8]("/aaaabbbbcccc") + lastSubject }
        if lastSubject.count > 40 { lastSubject.removeFirst(20) }
        return lastSubject
    }
}
