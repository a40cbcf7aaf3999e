import Shunt
import ShuntPatterns

extension MutationEquality {
    /// Returns true if it is proved that the order of a rule and the next one does not matter: nothing is taken by both, and nothing
    /// that one makes by the other.
    func orderDoesNotMatter(_ mutation: Mutation) -> Bool {
        guard let next = mutation.next else { return false }
        if let first = model.rule(at: mutation.position), let second = model.rule(at: next) {
            return [.path, .url, .host].contains { areApart(first, second: second, subject: $0) }
        }
        if let first = model.location(at: mutation.position)?.expression,
            let second = model.location(at: next)?.expression, let one = checker.language(of: first),
            let other = checker.language(of: second)
        {
            return effects.areApart(one, second: other, subject: .path)
        }
        return accessRulesCommute(mutation.position, next)
    }

    private func areApart(_ first: RuleModel.Step, second: RuleModel.Step, subject: RuleEffects.Subject) -> Bool {
        guard let one = effects.taken(by: first, subject), let other = effects.taken(by: second, subject),
            effects.areApart(one, second: other, subject: subject)
        else { return false }
        for (step, next) in [(first, other), (second, one)] where !step.endsSequence {
            guard capturesAreOwn, let made = effects.made(by: step, subject),
                effects.areApart(made, second: next, subject: subject)
            else { return false }
        }
        return true
    }

    /// Returns true if both rules are of one list and decide the same, or have no address in common, so that the first
    /// that is for an address decides the same as before.
    private func accessRulesCommute(_ first: SourcePosition, _ second: SourcePosition) -> Bool {
        model.accessRules.lazy.map(\.rules)
            .contains { rules in
                guard let one = rules.first(where: { $0.position == first }),
                    let other = rules.first(where: { $0.position == second })
                else { return false }
                if one.allows == other.allows { return true }
                guard let first = one.range, let second = other.range else { return false }
                return !first.meets(second)
            }
    }
}
