import ShuntPatterns
import Testing

/// Expressions of which PCRE2 10.42 loses matches: an automaton that found them would contradict the engine.
@Suite struct MisledPCRE2Tests {
    @Test(arguments: [
        ("(?=a)a*a", "a"), ("(?=(?:b|a){0})", "b"), ("(?:|^a){0}b", "xb"), ("ab*(?:c)?+b", "abb"),
        ("ab*(?>|c)b", "abb"), ("ab{1,2}(?:\\n){0,2}+b", "abb"),
    ])
    func isNotContradicted(_ pattern: String, subject: String) throws {
        let expression = try expression(pattern)
        let matches = expression.match([UInt8](subject.utf8).span, scratch: MatchScratch()) == .matched
        let accepts = (try? Automaton(expression))?.accepts(subject.utf8)
        #expect(accepts == nil || accepts == matches)
    }
}
