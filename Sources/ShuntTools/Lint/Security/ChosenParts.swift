import ShuntPatterns
import ShuntRules

/// A part of a text that requests influence.
struct ChosenPart {
    /// The text before the part; only literal text.
    var before: [UInt8]
    var part: RuleModel.Template.Part
}

extension RuleModel.Template {
    /// The parts of the text that are not constants.
    var choices: [ChosenPart] {
        var found: [ChosenPart] = []
        var before: [UInt8] = []
        for piece in pieces {
            if case .literal(let text) = piece {
                before += text
            } else {
                found.append(ChosenPart(before: before, part: piece))
            }
        }
        return found
    }

    /// The first part that requests influence; a `$scheme` before it counts as a constant.
    var firstChoice: ChosenPart? {
        let choices = choices
        guard choices.count > 1, choices[0].before.isEmpty, choices[0].part.name == "$scheme" else {
            return choices.first
        }
        return ChosenPart(before: Array("http".utf8) + choices[1].before, part: choices[1].part)
    }
}

/// Requests that choose the text that a rule makes.
extension LintSubject {
    /// Returns the first right decision about a request that reaches a goal and in which a part has one of some texts.
    func witness(
        giving part: RuleModel.Template.Part,
        _ texts: [String],
        to goal: RuleGoal,
        where isRight: (LintWitness) -> Bool
    ) -> LintWitness? {
        for text in texts {
            let found = witness(giving: part, .text(Array(text.utf8)), to: goal, where: isRight)
            if let found { return found }
        }
        return nil
    }

    /// The requirement for a part.
    enum WantedText {
        case text([UInt8])
        /// One of these; nothing is found for captures.
        case oneOf(Automaton)
    }

    /// The same for a text, or any of several.
    func witness(
        giving part: RuleModel.Template.Part,
        _ wanted: WantedText,
        to goal: RuleGoal,
        where isRight: (LintWitness) -> Bool
    ) -> LintWitness? {
        let place = place(of: goal)
        for draft in solver.goals.drafts(for: goal).prefix(3) {
            for other in drafts(draft, part: part, wanted: wanted, at: place, goal: goal).prefix(6) {
                solver.begin()
                guard case .success(let request) = solver.refine(other, goal) else { continue }
                let witness = decide(request)
                if isRight(witness) { return witness }
            }
        }
        return nil
    }

    /// The step from which the values of a goal are read; nil where there is no step.
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
        wanted: WantedText,
        at place: RuleModel.Step?,
        goal: RuleGoal
    ) -> [RequestDraft] {
        let reducer = ValueReducer(model, checker: checker, place: place)
        if let variable = part.variable {
            guard capturedVariables.contains(variable), variable.isAssigned else {
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
            guard let group, let tree = checker.tree(of: pattern)?.withoutReferences,
                let automaton = try? Automaton(tree.substituting([group: text]), limits: options.limits.expression)
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
