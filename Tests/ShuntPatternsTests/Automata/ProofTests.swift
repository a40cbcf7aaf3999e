import ShuntPatterns
import Testing

/// Answers about random sets: PCRE2 confirms every subject that is found, and refutes nothing that is proved.
@Suite struct ProofTests {
    private struct Drawn {
        let expression: RegularExpression
        let language: Language
    }

    /// An expression that has an automaton.
    private func draw(_ generator: inout ExpressionGenerator) -> Drawn {
        while true {
            let text = Array(generator.expression().utf8)
            if let expression = try? RegularExpression(text, caseless: false, engine: .pcre2),
                let automaton = try? Automaton(expression)
            {
                return Drawn(expression: expression, language: .automaton(automaton))
            }
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func noAnswerIsRefuted(seed: UInt64) throws {
        var generator = ExpressionGenerator(seed: seed &+ 100)
        let scratch = MatchScratch()
        func matches(_ drawn: Drawn, _ subject: [UInt8]) -> Bool {
            drawn.expression.match(subject.span, scratch: scratch) == .matched
        }
        var proved = 0
        var found = 0
        for _ in 0..<400 {
            let (rule, first, second) = (draw(&generator), draw(&generator), draw(&generator))
            let uncovered = rule.language.subtracting(.union([first.language, second.language]))
            if let subject = try uncovered.shortestSubject() {
                found += 1
                #expect(matches(rule, subject) && !matches(first, subject) && !matches(second, subject))
                #expect(uncovered.contains(subject))
            } else {
                proved += 1
                for _ in 0..<100 {
                    let subject = generator.subject()
                    if matches(rule, subject) { #expect(matches(first, subject) || matches(second, subject)) }
                }
            }
            let whole = try uncovered.automaton()
            #expect(try whole.shortestSubject() == uncovered.shortestSubject())
            #expect(try Language.automaton(whole).isEqual(to: uncovered))
        }
        #expect(proved > 80 && found > 80)
    }
}
