import ShuntPatterns
import ShuntRules

/// Proves that it does not matter with which flag a rewrite ends, or whether with any.
struct FlagProof {
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

    /// Returns true if it is proved that a changed flag changes nothing.
    func holds(_ mutation: Mutation) -> Bool {
        guard mutation.kind == .result, let index = outline.instructions[mutation.position],
            let owner = outline.sequence(of: index)?.owner, let before = flow(of: index)
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
        if flows.contains(.stop), !endsAlike(index, owner) { return false }
        return !flows.contains(.next) || nothingFollows(index, owner)
    }

    /// The place where a rewrite that is no redirect goes on.
    private func flow(of index: Int) -> RewriteRule.Flow? {
        let instruction = program.tables.instructions[index]
        switch instruction.operation {
        case .rewrite:
            let rule = program.tables.rewrites[instruction.a]
            return rule.status == 0 ? rule.flow : nil
        case .rewriteURL:
            let rule = program.tables.urlRewrites[instruction.a]
            return rule.status == 0 ? rule.flow : nil
        default: return nil
        }
    }

    /// Returns true if `break` comes to the same as `last`.
    private func endsAlike(_ index: Int, _ owner: ProgramOutline.Owner) -> Bool {
        switch owner {
        case .location: return false
        case .server:
            // Both go on with the search for a location. Whether the path is as it was sent is asked by these only.
            return !program.tables.settings.contains { $0.isAlias || !$0.proxy.isNone }
        case .urlPhase:
            // What is not for the web goes to no server anyway.
            guard let made = effects.made(by: index, .url), let web = checker.automaton("^(?i:https?):") else {
                return false
            }
            return effects.areApart(made, second: .automaton(web), subject: .url)
        }
    }

    /// Returns true if no rule after a rewrite has anything to do with what it makes.
    private func nothingFollows(_ index: Int, _ owner: ProgramOutline.Owner) -> Bool {
        guard capturesAreOwn else { return false }
        let subject: RuleEffects.Subject
        switch owner {
        case .location: return false
        case .server: subject = .path
        case .urlPhase: subject = .url
        }
        guard let made = effects.made(by: index, subject) else { return false }
        let isNormal =
            subject == .url
            && effects.normalURLs.map { (try? made.isSubset(of: .automaton($0), limits: checker.limits.proof)) == true }
                ?? false
        var next = index + 1
        while next < program.tables.instructions.count {
            let instruction = program.tables.instructions[next]
            switch instruction.operation {
            case .end: return true
            case .test, .testNot, .jump: break
            case .rewrite, .rewriteURL, .degrade, .block, .renameHost, .match:
                let taken = isNormal ? effects.takenOfNormalURLs(by: next) : effects.taken(by: next, subject)
                guard let taken, effects.areApart(made, second: taken, subject: subject) else { return false }
                if instruction.operation == .match {
                    next = instruction.target.position
                    continue
                }
            default: return false
            }
            next += 1
        }
        return false
    }
}
