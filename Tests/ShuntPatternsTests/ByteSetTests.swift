import ShuntCore
import Testing

@testable import ShuntPatterns

/// The sets that the literal analysis and the native matcher work with, byte by byte against PCRE2.
@Suite struct ByteSetTests {
    @Test(arguments: [
        ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\h", "\\H", "\\v", "\\V", "\\N", "\\C", "(?s).", "[a-f]",
        "[^a-f]",
        "[\\d_-]", "[^\\s/]", "[]x]", "[^]x]", "[\\x00-\\x1f]", "[\\]\\-\\\\]", "[+--]", "[a\\-z]", "[\\b]", "[.$^|]",
        "[\\W_]",
        "[@-\\[]", "[\\xE0-\\xFF]", "[^\\xE9]", "[A-z]", "\\.", "\\-", "\\_", "\\@", "\\e", "\\a", "\\f", "\\x7E",
        "\\t", "[\\t\\n]", "[[:alnum:]]", "[[:alpha:]]", "[[:ascii:]]", "[[:blank:]]", "[[:cntrl:]]",
        "[[:digit:]]", "[[:graph:]]", "[[:lower:]]", "[[:print:]]", "[[:punct:]]", "[[:space:]]", "[[:upper:]]",
        "[[:word:]]", "[[:xdigit:]]", "[[:^upper:]x]", "[^[:^lower:]]", "[[:^punct:]]", "[^[:upper:]_]",
    ]) func hasTheBytesThatPCRE2Matches(_ pattern: String) throws {
        let scratch = MatchScratch()
        for caseless in [false, true] {
            let expression = try RegularExpression([UInt8](pattern), caseless: caseless, engine: .pcre2)
            let set: ByteSet
            switch try PatternParser.parse([UInt8](pattern), caseless: caseless) {
            case .set(let parsed): set = parsed
            case .literal(let bytes, let folding): set = folding ? ByteSet(bytes).closedUnderCase : ByteSet(bytes)
            default:
                Issue.record("\(pattern) is not one byte")
                return
            }
            let wanted = (UInt8.min...UInt8.max)
                .filter {
                    expression.match([$0].span, scratch: scratch) == .matched
                }
            #expect(set.members == wanted)
            #expect(set.count == wanted.count)
        }
    }
}
