import ShuntPatterns
import ShuntRules

/// Questions about sets of texts: what passes a limit is not proved, and not found.
extension ValueChecker {
    /// The texts that an expression of the program matches; nil where it has no automaton.
    func language(of pattern: RuleModel.Expression) -> Language? {
        (try? automaton(of: pattern)).map(Language.automaton)
    }

    /// The texts that an expression of our own matches; nil if it passes a limit.
    func language(_ pattern: String) -> Language? { automaton(pattern).map(Language.automaton) }

    /// The texts that an expression with a changed text would match; nil where it has no automaton.
    func language(_ text: [UInt8], like pattern: RuleModel.Expression) -> Language? {
        guard let expression = try? RegularExpression(text, caseless: pattern.expression.caseless) else { return nil }
        return automaton(of: expression).map(Language.automaton)
    }

    /// The paths of requests once they are normalized; nil if they pass a limit.
    var normalPaths: Language? { automaton(of: .path(mergesSlashes: true)).map(Language.automaton) }

    /// The shortest text that is in all of some sets; nil if there is none, or a limit is passed before it is found.
    func shortest(_ languages: Language...) -> [UInt8]? {
        try? Language.intersection(languages).shortestSubject(limits: limits.proof)
    }

    /// Returns true if it is proved that no text is in all of some sets.
    func isEmpty(_ languages: Language...) -> Bool {
        (try? Language.intersection(languages).isEmpty(limits: limits.proof)) == true
    }

    /// Returns true if it is proved that two sets have the same texts of a third one.
    func areEqual(_ one: Language, _ other: Language, within domain: Language) -> Bool {
        isEmpty(domain, one.symmetricDifference(other))
    }
}
