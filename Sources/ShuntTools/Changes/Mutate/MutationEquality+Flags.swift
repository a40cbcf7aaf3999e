import ShuntPatterns
import ShuntRules

extension MutationEquality {
    /// Returns true if it is proved that it does not matter with which flag a rewrite ends, or whether with any.
    func flagDoesNotMatter(_ mutation: Mutation) -> Bool {
        guard let rule = model.rule(at: mutation.position),
            let owner = rule.sequence?.owner, let before = flow(of: rule), model.repetitions(of: rule).count == 1
        else { return false }
        let after: RewriteRule.Flow
        switch String(decoding: mutation.replacement, as: UTF8.self) {
        case "last": after = .last
        case "break": after = .stop
        case "": after = .next
        default: return false
        }
        guard before != after else { return false }
        let flows = [before, after]
        if flows.contains(.stop), !endsAlike(rule, owner) { return false }
        return !flows.contains(.next) || nothingFollows(rule, owner)
    }

    /// The place where a rewrite that is not a redirect continues.
    private func flow(of rule: RuleModel.Step) -> RewriteRule.Flow? {
        if let rewrite = rule.rewrite { return rewrite.status == 0 ? rewrite.flow : nil }
        return rule.urlRewrite.flatMap { $0.status == 0 ? $0.flow : nil }
    }

    /// Returns true if `break` has the same result as `last`.
    private func endsAlike(_ rule: RuleModel.Step, _ owner: RuleModel.Sequence.Owner) -> Bool {
        switch owner {
        case .location: return false
        case .server:
            // Both continue with the search for a location. Whether the path is as it was sent is asked by these only.
            return !model.settings.contains { $0.isAlias || $0.proxy != nil }
        case .urlPhase:
            // What is not for the web goes to no server anyway.
            guard let made = effects.made(by: rule, .url), let web = checker.language("^(?i:https?):") else {
                return false
            }
            return effects.areApart(made, second: web, subject: .url)
        }
    }

    /// Returns true if no rule after a rewrite has anything to do with what it makes.
    private func nothingFollows(_ rule: RuleModel.Step, _ owner: RuleModel.Sequence.Owner) -> Bool {
        guard capturesAreOwn else { return false }
        let subject: RuleEffects.Subject
        switch owner {
        case .location: return false
        case .server: subject = .path
        case .urlPhase: subject = .url
        }
        guard let made = effects.made(by: rule, subject) else { return false }
        let normal = subject == .url ? effects.normalURLs : nil
        let isNormal = normal.map { checker.isEmpty(made, .complement(.automaton($0))) } ?? false
        var next = rule.next
        while let step = next {
            switch step.operation {
            case .end: return true
            case .test, .testNot, .jump: break
            case .rewrite, .rewriteURL, .degrade, .block, .renameHost, .match:
                let taken = isNormal ? effects.takenOfNormalURLs(by: step) : effects.taken(by: step, subject)
                guard let taken, effects.areApart(made, second: taken, subject: subject) else { return false }
                if let end = step.endOfBlock {
                    next = end
                    continue
                }
            default: return false
            }
            next = step.next
        }
        return false
    }
}
