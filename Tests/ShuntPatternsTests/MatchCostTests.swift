import Testing

@testable import ShuntPatterns

/// The bound on the work of an expression before it is matched.
@Suite struct MatchCostTests {
    @Test(arguments: [
        "^/blog/(.*)$", "^/(\\w+)/(.*)$", "^/(.*)/foo$", "\\.(php|jsp)$", "^(/[^/]+)*/edit$",
        "^(?:[a-z0-9-]+\\.)+example$",
        "wp-admin", "^/a(/|$)", "^/(en|de|fr)/x", "[?&]id=", "^(?:a|b)*c", "^/(\\d{4})/(\\d{2})/",
        "(?i)^/x/(.*)\\.html?$",
        "^(.*)$", "", "^/(a+)b", "^.{3}abc",
    ]) func isLinear(pattern: String) {
        let cost = MatchCost([UInt8](pattern.utf8), caseless: false)
        #expect(cost.isLinear, "\(cost)")
        #expect(cost.steps(8192) < 10_000_000)
    }

    @Test(arguments: [
        ("a+Z", 2), ("[0-9]*[.]?[0-9]+px$", 3), ("^(.*)/(.*)/x$", 2), ("a.*a.*Z\\d", 3), ("(?<!b)a+Z\\d", 2),
        ("/(\\w+)/.*/\\1/edit$", 3), ("(\\w+)/\\1$", 2), ("(a+)\\1+Z\\d", 4), ("a{0,65535}a{0,65535}Z\\d", 3),
        ("a{30000,}b", 2), ("\\w+(?=.*x)y", 3), ("foo.*bar", 2), ("^.*(?=.*x)y", 2), ("a{1000}b", 2),
        ("(?=.*a)(?=.*b)", 2),
    ]) func hasPower(pattern: String, degree: Int) {
        let cost = MatchCost([UInt8](pattern.utf8), caseless: false)
        #expect(cost.degree == degree, "\(cost)")
        #expect(!cost.isLinear)
    }

    @Test(arguments: [
        "^(a+)+$", "(a|aa)+$", "(?:a|ab|b)*c", "(x+x+)+y", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*,){11}P",
        "(?:a?)*b",
        "\\d*(?:.*,.*)*Z\\d", "^(.*/)*admin/", "(?:\\w+\\s?)*x", "(?x) a b", "(*UTF)a", "(?1)(a)",
    ]) func hasNoBound(pattern: String) {
        let cost = MatchCost([UInt8](pattern.utf8), caseless: false)
        #expect(cost.steps(20) == .infinity, "\(cost)")
    }

    /// PCRE2 writes out what is repeated up to a number, and closes those brackets without counting.
    @Test(arguments: [
        ("(?:.{1,10}){1,1000}Z\\d", 999, false), ("(?:(?:ab){1,30}c?){1,30}Z", 58, false),
        ("(ab){0,5}(cd){0,7}e", 7, false),
        ("(?:x|(?>ab){2,9}+)d", 7, false), ("(?=(?:ab){1,100}c)a", 99, false), ("(?:a?){1,2000}Z", 1999, true),
        ("(?:ab){3}c", 0, false), (".{1,1000}a", 0, false), ("(?:ab)*c", 0, false), ("(?:ab)?c", 1, false),
        // What the analysis does not follow.
        ("(?x) (?:\\p{L} x?){1,1000} (a){,9} (b){2,30}", 1039, true),
    ]) func closesBrackets(pattern: String, closings: Int, nothing: Bool) {
        let cost = MatchCost([UInt8](pattern.utf8), caseless: false)
        #expect(cost.closings == closings && cost.mayCloseNothing == nothing, "\(cost)")
    }

    @Test func countsClosedBrackets() throws {
        func steps(_ pattern: String, _ subject: String) throws -> Int {
            let scratch = MatchScratch(steps: 100_000_000, unwatchedSteps: 0)
            let expression = try RegularExpression([UInt8](pattern.utf8), caseless: false)
            #expect(expression.match([UInt8](subject.utf8).span, scratch: scratch) == .noMatch)
            return scratch.watchedSteps
        }
        let pairs = String(repeating: "ab", count: 100) + "Z"
        let without = try steps("(?:ab)+Z\\d", pairs)
        let with = try steps("(?:ab){1,900}Z\\d", pairs)
        // From each of a hundred starts as many as there are pairs after it, and so on.
        #expect(without > 10_000)
        #expect(with > without + 100_000)
    }

    @Test func manyOptionalPartsAreNotLinear() {
        let cost = MatchCost([UInt8]("^(a?){30}a{30}$".utf8), caseless: false)
        #expect(!cost.isLinear)
        #expect(cost.steps(40) > 1_000_000_000)
    }

    @Test(arguments: [
        ("^(a+)+$", "what it repeats can match the same text in many ways"),
        ("(\\w+)/.*/\\1", "it looks for the text of a group again"),
        ("a.*b.*c.*d", "several of its repetitions can match the same text"),
        ("(a?){30}b", "its optional parts can match the same text in many ways"),
    ]) func givesAReason(pattern: String, reason: String) throws {
        #expect(try RegularExpression([UInt8](pattern.utf8), caseless: false).slowness == reason)
    }

    @Test(arguments: [
        "^/(.*)/x$", "foo.*bar", "^(.*)/(.*)$", "(?x) a", "^/(?>a+)+$", "(.*)//+(.*)",
    ]) func findsNothingToSay(pattern: String) throws {
        #expect(try RegularExpression([UInt8](pattern.utf8), caseless: false).slowness == nil)
    }

    /// An analysis that read what is nested twice would take 2 to the depth.
    @Test func readsDeepNestingAtOnce() {
        let pattern = String(repeating: "(?:", count: 60) + "a" + String(repeating: ")*", count: 60)
        #expect(MatchCost([UInt8](pattern.utf8), caseless: false).steps(100) == .infinity)
    }
}
