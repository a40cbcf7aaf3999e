import ShuntCore
import ShuntPatterns
import ShuntRules

/// Proves that two neighbouring rules may change places: nothing is taken by both, and nothing that one makes by the other.
struct MoveProof {
    private let outline: ProgramOutline
    private let effects: RuleEffects
    private let checker: ValueChecker
    private let capturesAreOwn: Bool
    private var program: Program { outline.program }

    init(_ outline: ProgramOutline, _ checker: ValueChecker) {
        self.outline = outline
        self.checker = checker
        effects = RuleEffects(outline, checker)
        capturesAreOwn = CaptureUse.isOfOwnExpressions(outline)
    }

    /// Returns true if it is proved that the order of a rule and the next one does not matter.
    func holds(_ mutation: Mutation) -> Bool {
        guard let next = mutation.next else { return false }
        if let first = outline.instructions[mutation.position], let second = outline.instructions[next] {
            return [.path, .url, .host].contains { areApart(first, second: second, subject: $0) }
        }
        if let first = outline.locationsByPosition[mutation.position],
            let second = outline.locationsByPosition[next], !outline.patterns[first].isNone,
            !outline.patterns[second].isNone,
            let one = try? checker.automaton(of: outline.patterns[first]),
            let other = try? checker.automaton(of: outline.patterns[second])
        {
            return effects.areApart(.automaton(one), second: .automaton(other), subject: .path)
        }
        return accessRulesCommute(mutation.position, next)
    }

    private func areApart(_ first: Int, second: Int, subject: RuleEffects.Subject) -> Bool {
        guard let one = effects.taken(by: first, subject), let other = effects.taken(by: second, subject),
            effects.areApart(one, second: other, subject: subject)
        else { return false }
        for (index, next) in [(first, other), (second, one)] where !outline.endsSequence(index) {
            guard capturesAreOwn, let made = effects.made(by: index, subject),
                effects.areApart(made, second: next, subject: subject)
            else { return false }
        }
        return true
    }

    /// Returns true if both rules are of one list and say the same, or have no address in common, so that the first
    /// that is for an address says the same as before.
    private func accessRulesCommute(_ first: SourcePosition, _ second: SourcePosition) -> Bool {
        program.tables.accessRules.contains { rules in
            guard let one = rules.first(where: { $0.position == first }),
                let other = rules.first(where: { $0.position == second })
            else { return false }
            if one.allows == other.allows { return true }
            guard let first = one.range, let second = other.range else { return false }
            return !first.meets(second)
        }
    }
}
