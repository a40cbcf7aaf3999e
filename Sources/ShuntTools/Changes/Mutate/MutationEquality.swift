import Shunt
import ShuntPatterns
import ShuntRules

/// Proves that changes of a rule set change nothing.
struct MutationEquality {
    let model: RuleModel
    let checker: ValueChecker
    let effects: RuleEffects
    /// True if each rule reads the captures of its expression only.
    let capturesAreOwn: Bool
    private let goals: GoalDrafts
    /// The paths that clients send, and those that rewrites make.
    private let paths: Language

    init(_ ruleSet: RuleSet, limits: AnalysisLimits) {
        model = ruleSet.model
        checker = ValueChecker(model, limits: limits)
        effects = RuleEffects(checker)
        capturesAreOwn = CaptureUse.isOfOwnExpressions(model)
        goals = GoalDrafts(model, checker: checker)
        paths = Self.paths(checker, effects)
    }

    /// Returns true if a move or another flag is proved to change nothing.
    func holds(_ mutation: Mutation) -> Bool {
        switch mutation.kind {
        case .moved: orderDoesNotMatter(mutation)
        case .result: flagDoesNotMatter(mutation)
        default: false
        }
    }

    /// The proof for a changed expression, on the paths that reach it.
    func proof(of mutation: Mutation, _ change: ExpressionChange) -> EqualityProof? {
        proof(at: mutation.position, change)
    }

    /// The proof for an expression of a rule at a place; nil where an expression has no automaton.
    func proof(at position: SourcePosition, _ change: ExpressionChange, withControls: Bool = false) -> EqualityProof? {
        EqualityProof(
            change,
            checker,
            among: paths,
            within: change.subject == .path ? paths(at: position) : nil,
            withControls: withControls
        )
    }

    /// The most rewrites that are followed; if there are more, any path can result.
    private static let mostRewrites = 32

    private static func paths(_ checker: ValueChecker, _ effects: RuleEffects) -> Language {
        let model = checker.model
        let merges = model.settings.allSatisfy(\.mergesSlashes)
        let rewrites = model.steps.filter { $0.rewrite?.status == 0 }
        guard rewrites.count <= mostRewrites, let sent = checker.automaton(of: .path(mergesSlashes: merges)) else {
            return .automaton(.everything)
        }
        var all: [Language] = [.automaton(sent)]
        for rewrite in rewrites {
            guard let made = effects.made(by: rewrite, .path) else { return .automaton(.everything) }
            all.append(made)
        }
        for template in model.triedFiles.flatMap({ $0.candidates.map(\.name) + [$0.fallback].compactMap { $0 } }) {
            guard let made = path(of: template, checker) else { return .automaton(.everything) }
            all.append(made)
        }
        let places = SettingsPlaces(model)
        for list in model.errorPages {
            for page in list.pages {
                if let made = path(of: page.target, checker) {
                    all.append(made)
                    continue
                }
                for place in places.places(of: list) {
                    guard let location = location(of: place),
                        let made = path(ofPage: page.target, in: location, checker)
                    else { return .automaton(.everything) }
                    all.append(made)
                }
            }
        }
        guard let union = try? Language.union(all).automaton(limits: checker.limits.proof) else {
            return .automaton(.everything)
        }
        return .automaton(union)
    }

    private static func location(of place: SettingsPlaces.Place) -> RuleModel.Location? {
        switch place {
        case .server: nil
        case .location(let location), .methods(_, let location): location
        case .branch(let step): step.sequence?.location
        }
    }

    /// Returns true if a rule has an expression.
    private static func matches(_ step: RuleModel.Step) -> Bool {
        step.rewrite != nil || step.urlRewrite != nil || step.condition?.kind == .matches
    }

    /// The paths that the target of an `error_page` becomes in a location whose own expression is the last that has
    /// matched; nil where nothing is known of them.
    private static func path(
        ofPage template: RuleModel.Template,
        in location: RuleModel.Location,
        _ checker: ValueChecker
    ) -> Language? {
        guard let expression = location.expression, checker.model.maps.allSatisfy(\.expressions.isEmpty) else {
            return nil
        }
        if let sequence = location.settings.sequence {
            guard sequence.location == location, sequence.steps.allSatisfy({ !matches($0) }) else { return nil }
        }
        let image = TemplateImage(template, capturesOf: checker.tree(of: expression))
        guard let made = try? image.language(checker.limits.expression), let query = checker.language("\\?"),
            checker.isEmpty(made, query)
        else { return nil }
        return made
    }

    /// The paths that a string becomes; nil where nothing is known of them.
    private static func path(of template: RuleModel.Template, _ checker: ValueChecker) -> Language? {
        if let variable = template.onlyVariable {
            // The path stays what it is.
            return variable.builtin == .uri ? .automaton(.nothing) : nil
        }
        return template.constant.flatMap { try? Automaton(exactly: $0, limits: checker.limits.expression) }
            .map { .automaton($0) }
    }

    /// The paths that reach a rule of a location, if nothing in it changes them before; nil for all.
    private func paths(at position: SourcePosition) -> Language? {
        guard let rule = model.rule(at: position), let location = rule.sequence?.location,
            model.repetitions(of: rule).count == 1,
            rule.before.allSatisfy({ $0.rewrite.map { $0.status != 0 || $0.flow != .next } ?? true })
        else { return nil }
        var all: [Language] = []
        for around in location.chain {
            guard let test = goals.pathTest(around), let language = try? checker.language(of: test) else { return nil }
            all.append(language)
        }
        return .intersection(all)
    }

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
            // Both continue with the search for a location. Only these test whether the path is unchanged.
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
