import ShuntCore
import ShuntPatterns
import Testing

@Suite struct RegularExpressionTests {
    struct Case: CustomTestStringConvertible {
        var pattern: String
        var caseless = false
        var subject: String
        /// The captures as `start-end`, `-` for a group that took no part; nil when it does not match.
        var captures: [String]?

        var testDescription: String { "\(pattern) on \(subject.debugDescription)" }

        init(_ pattern: String, _ subject: String, _ captures: [String]?, caseless: Bool = false) {
            self.pattern = pattern
            self.subject = subject
            self.captures = captures
            self.caseless = caseless
        }
    }

    static let cases: [Case] = [
        Case("^/a$", "/a", ["0-2"]),
        Case("^/a$", "/a\n", ["0-2"]),
        Case("^/a$", "/a\n\n", nil),
        Case("^/a$", "/ab", nil),
        Case("^/a\\z", "/a\n", nil),
        Case("b", "abc", ["1-2"]),
        Case("^b", "a\nb", nil),
        Case("^/(.*)$", "/a\nb", nil),
        Case("^/(.*)", "/a\nb", ["0-2", "1-2"]),
        Case("/A", "/a", nil),
        Case("/A", "/a", ["0-2"], caseless: true),
        Case("(?i)/A", "/a", ["0-2"]),
        Case("(a)|(b)", "b", ["0-1", "-", "0-1"]),
        Case("(a)|(b)", "a", ["0-1", "0-1"]),
        Case("(a)?b", "b", ["0-1"]),
        Case("", "", ["0-0"]),
        Case("", "abc", ["0-0"]),
        Case("x*", "abc", ["0-0"]),
        Case("^.$", "ä", nil),
        Case("(*UTF)^.$", "ä", ["0-2"]),
        Case("(*NO_JIT)^/(b+)", "/bb", ["0-3", "1-3"]),
        Case("É", "é", nil, caseless: true),
        Case("\\Kb", "ab", ["1-2"]),
    ]

    @Test(arguments: cases) func matches(_ item: Case) throws {
        let expression = try RegularExpression([UInt8](item.pattern), caseless: item.caseless)
        let scratch = MatchScratch()
        // Twice: the first match also makes the program.
        for _ in 0..<2 {
            let outcome = expression.match([UInt8](item.subject).span, scratch: scratch)
            #expect(outcome == (item.captures == nil ? .noMatch : .matched))
            #expect(Captures(scratch).groups == item.captures ?? [])
        }
    }

    @Test(arguments: [
        ("(a", 2, "missing closing parenthesis"),
        ("a)", 1, "unmatched closing parenthesis"),
        ("[a", 2, "missing terminating ] for character class"),
        ("*a", 0, "quantifier does not follow a repeatable item"),
        ("(?<n>a)(?<n>b)", 12, "two named subpatterns have the same name (PCRE2_DUPNAMES not set)"),
        ("(?J)(?<n>a)(?<n>b)", 18, "two groups are named \"n\""),
        ("a{2,1}", 5, "numbers out of order in {} quantifier"),
        ("\\", 1, "\\ at end of pattern"),
        (
            String(repeating: "(", count: 101) + String(repeating: ")", count: 101), 202,
            "regular expression has 101 capturing groups; at most 100 are allowed"
        ),
        (String(repeating: "a", count: 16385), 16384, "regular expression is longer than 16384 bytes"),
    ]) func refuses(_ pattern: String, _ offset: Int, _ message: String) {
        #expect(throws: PatternError(message: message, offset: offset)) {
            try RegularExpression([UInt8](pattern), caseless: false)
        }
    }

    @Test func namesComeInTheOrderOfTheirNumbers() throws {
        let expression = try RegularExpression([UInt8]("(?<z>a)(b)(?'y'c)(?P<x>d)"), caseless: false)
        #expect(expression.captureCount == 4)
        #expect(expression.captureNames.map(\.name.text) == ["z", "y", "x"])
        #expect(expression.captureNames.map(\.number) == [1, 3, 4])
    }

    @Test func aSubjectThatIsNotUTF8IsNotMatchedInUTFMode() throws {
        let expression = try RegularExpression([UInt8]("(*UTF)a"), caseless: false)
        let scratch = MatchScratch()
        guard case .limitExceeded(let code) = expression.match([0x61, 0xFF].span, scratch: scratch) else {
            Issue.record("an invalid subject was matched")
            return
        }
        #expect(code < -2)
    }

    @Test func threadsShareAnExpression() async throws {
        let expression = try RegularExpression([UInt8]("^/(\\w+)/(\\d+)$"), caseless: false)
        let results = await withTaskGroup(of: [String].self) { group in
            for number in 0..<16 {
                group.addTask {
                    let scratch = MatchScratch()
                    _ = expression.match([UInt8]("/item/\(number)").span, scratch: scratch)
                    return Captures(scratch).groups
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.allSatisfy { $0.count == 3 && $0[1] == "1-5" })
    }
}

/// The captures of a scratch in a form that can be compared.
struct Captures: Equatable {
    var groups: [String] = []

    init(_ scratch: MatchScratch) {
        guard let whole = scratch.capture(0) else { return }
        groups = ["\(whole.start)-\(whole.end)"]
        for group in 0..<scratch.captureCount {
            groups.append(scratch.capture(group + 1).map { "\($0.start)-\($0.end)" } ?? "-")
        }
    }
}
