import ShuntPatterns
import ShuntRules

/// Looks for requests that choose what a rule's text comes to.
struct TargetProbe {
    /// A part of a text that requests have a say in.
    struct Choice {
        /// The text before the part; only literal text.
        var before: [UInt8]
        var part: RuleModel.Template.Part
    }

    let subject: LintSubject

    init(_ subject: LintSubject) { self.subject = subject }

    /// The parts of a text that are no constants.
    func choices(of template: RuleModel.Template) -> [Choice] {
        var found: [Choice] = []
        var before: [UInt8] = []
        for piece in template.pieces {
            if case .literal(let text) = piece {
                before += text
            } else {
                found.append(Choice(before: before, part: piece))
            }
        }
        return found
    }

    /// Returns the decision about a request that reaches a goal and in which a part has a text.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - text: What it has to be.
    ///   - goal: The rule or location.
    ///   - isRight: Whether a decision is what was looked for.
    /// - Returns: The first that is right.
    func witness(
        giving part: RuleModel.Template.Part,
        _ text: [UInt8],
        to goal: RuleGoal,
        where isRight: (LintWitness) -> Bool
    ) -> LintWitness? {
        witness(giving: part, .text(text), to: goal, where: isRight)
    }

    /// The requirement for a part.
    enum Wanted {
        case text([UInt8])
        /// One of these; nothing is found for captures.
        case oneOf(Automaton)
    }

    /// The same for any of several texts.
    func witness(
        giving part: RuleModel.Template.Part,
        _ text: Wanted,
        to goal: RuleGoal,
        where isRight: (LintWitness) -> Bool
    ) -> LintWitness? {
        let place = place(of: goal)
        for draft in subject.solver.goals.drafts(for: goal).prefix(3) {
            for other in self.drafts(draft, part: part, wanted: text, at: place, goal: goal).prefix(6) {
                subject.solver.begin()
                guard case .success(let request) = subject.solver.refine(other, goal) else { continue }
                let witness = subject.decide(request)
                if isRight(witness) { return witness }
            }
        }
        return nil
    }

    /// The step from which the values of a goal are looked at; nil where there is no step.
    private func place(of goal: RuleGoal) -> RuleModel.Step? {
        switch goal {
        case .step(let step), .test(let step, _): step
        case .location(let location): location.settings.sequence?.end
        case .server(let server): server.settings.sequence?.end
        }
    }

    private func drafts(
        _ draft: RequestDraft,
        part: RuleModel.Template.Part,
        wanted: Wanted,
        at place: RuleModel.Step?,
        goal: RuleGoal
    ) -> [RequestDraft] {
        let reducer = ValueReducer(subject.model, checker: subject.checker, place: place)
        if let variable = part.variable {
            guard subject.capturedVariables.contains(variable), variable.isAssigned else {
                switch wanted {
                case .text(let text): return reducer.drafts(draft, variable: variable, test: ValueTest(.equals(text)))
                case .oneOf(let automaton):
                    return reducer.drafts(draft, variable: variable, test: ValueTest(.isIn(automaton)))
                }
            }
        }
        guard case .text(let text) = wanted else { return [] }
        var found: [RequestDraft] = []
        for (pattern, test) in expressions(goal, at: place, draft: draft) {
            let group = part.capture ?? pattern.captures.first { $0.variable == part.variable }?.group
            guard let group, let tree = subject.checker.tree(of: pattern)?.withoutReferences,
                let automaton = try? Automaton(
                    tree.substituting([group: text]),
                    limits: subject.options.limits.expression
                )
            else { continue }
            let wanted = ValueTest(.isIn(automaton))
            switch test {
            case .source(let source): found.append(draft.adding(source, wanted))
            case .variable(let variable): found += reducer.drafts(draft, variable: variable, test: wanted)
            }
        }
        return found
    }

    private enum Looked {
        case source(RequestSource)
        case variable(RuleModel.Variable)
    }

    /// The expressions whose captures a goal may see, the last one matched first.
    private func expressions(
        _ goal: RuleGoal,
        at place: RuleModel.Step?,
        draft: RequestDraft
    ) -> [(RuleModel.Expression, Looked)] {
        var found: [(RuleModel.Expression, Looked)] = []
        let isURL = draft.server == nil
        if case .step(let step) = goal, let own = step.expression {
            found.append((own, .source(isURL ? .url : .path)))
        }
        for test in draft.way.reversed() {
            switch test {
            case .condition(let condition, _):
                if let expression = condition.expression, let variable = condition.variable {
                    found.append((expression, .variable(variable)))
                }
            case .matcher(let matcher, _):
                if let expression = matcher.expression { found.append((expression, .source(.url))) }
            }
        }
        let location = goal.location ?? place?.sequence?.location
        for inner in location?.chain.reversed() ?? [] {
            if let expression = inner.expression { found.append((expression, .source(.path))) }
        }
        // A rewrite before a `return` may have set the captures.
        if !isURL, let rewrite = place?.before.first(where: { $0.operation == .rewrite })?.rewrite {
            found.append((rewrite.expression, .source(.path)))
        }
        return found
    }
}

extension LintSubject {
    /// Returns true if a rule made a decision.
    func decides(_ rule: RuleModel.Step, _ witness: LintWitness) -> Bool { witness.decision.position == rule.position }
}
