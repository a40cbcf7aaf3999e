import ShuntCore
import ShuntPatterns
import ShuntRules

/// Looks for requests that choose what a rule's text comes to.
struct TargetProbe {
    /// A part of a text that requests have a say in.
    struct Choice {
        /// The text before the part; only literal text.
        var before: [UInt8]
        /// True if a part that requests choose stands before it, too.
        var isFirst: Bool
        var part: TemplatePart
    }

    let subject: LintSubject
    private var program: Program { subject.program }

    init(_ subject: LintSubject) {
        self.subject = subject
    }

    /// The parts of a text that are no constants.
    func choices(of template: TemplateIndex) -> [Choice] {
        guard !template.isNone else { return [] }
        var found: [Choice] = []
        var before: [UInt8] = []
        var index = template.position
        while true {
            let part = program.tables.parts[index]
            switch part.kind {
            case .literal: before += program.tables.constants[Int(part.a)..<Int(part.b)]
            case .variable, .capture: found.append(Choice(before: before, isFirst: found.isEmpty, part: part))
            }
            if part.isLast { return found }
            index += 1
        }
    }

    /// The built-in variable that a part is.
    func builtin(_ part: TemplatePart) -> BuiltinVariable? {
        guard part.kind == .variable else { return nil }
        let variable = program.tables.variables[part.variable]
        return variable.source == .builtin ? BuiltinVariable(rawValue: variable.index) : nil
    }

    /// The name of a part in rule files.
    func name(_ part: TemplatePart) -> String {
        part.kind == .capture ? "$\(part.a)" : "$\(program.tables.variables[part.variable].name)"
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
        giving part: TemplatePart,
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
        giving part: TemplatePart,
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

    /// The instruction from which the values of a goal are looked at.
    private func place(of goal: RuleGoal) -> Int {
        switch goal {
        case .instruction(let index), .test(let index, _): return index
        case .location(let location):
            return end(of: program.tables.settings[program.tables.locations[location].settings])
        case .server(let server): return end(of: program.tables.settings[program.tables.servers[server].settings])
        }
    }

    private func end(of settings: Settings) -> Int {
        guard !settings.sequence.isNone else { return 0 }
        return subject.outline.sequence(of: settings.sequence.position)?.end ?? settings.sequence.position
    }

    private func drafts(
        _ draft: RequestDraft,
        part: TemplatePart,
        wanted: Wanted,
        at place: Int,
        goal: RuleGoal
    ) -> [RequestDraft] {
        let reducer = ValueReducer(subject.ruleSet, outline: subject.outline, checker: subject.checker, place: place)
        if part.kind == .variable {
            let variable = program.tables.variables[part.variable]
            guard subject.capturedVariables.contains(part.variable), variable.source == .assigned else {
                switch wanted {
                case .text(let text): return reducer.drafts(draft, index: part.variable, test: ValueTest(.equals(text)))
                case .oneOf(let automaton):
                    return reducer.drafts(draft, index: part.variable, test: ValueTest(.isIn(automaton)))
                }
            }
        }
        guard case .text(let text) = wanted else { return [] }
        var found: [RequestDraft] = []
        for (pattern, test) in expressions(goal, at: place, draft: draft) {
            let group: Int?
            if part.kind == .capture {
                group = Int(part.a)
            } else {
                group = program.tables.patternVariables[pattern.position].first { $0.variable == part.variable }
                    .map { Int($0.group) }
            }
            guard let group, let tree = subject.checker.tree(of: pattern)?.withoutReferences,
                let automaton = try? Automaton(
                    tree.substituting([group: text]),
                    limits: subject.options.limits.expression
                )
            else { continue }
            let wanted = ValueTest(.isIn(automaton))
            switch test {
            case .source(let source): found.append(draft.adding(source, wanted))
            case .variable(let variable): found += reducer.drafts(draft, index: variable, test: wanted)
            }
        }
        return found
    }

    private enum Looked {
        case source(RequestSource)
        case variable(VariableIndex)
    }

    /// The expressions whose captures a goal may see, the last one matched first.
    private func expressions(_ goal: RuleGoal, at place: Int, draft: RequestDraft) -> [(ExpressionIndex, Looked)] {
        var found: [(ExpressionIndex, Looked)] = []
        let isURL = draft.server < 0
        if case .instruction(let index) = goal, let own = GoalDrafts.pattern(of: index, program) {
            found.append((own, .source(isURL ? .url : .path)))
        }
        for test in draft.way.reversed() {
            switch test {
            case .condition(let number, _):
                let condition = program.tables.conditions[number]
                if condition.kind == .matches { found.append((condition.pattern, .variable(condition.variable))) }
            case .matcher(let number, _):
                let matcher = program.tables.matchers[number]
                if matcher.kind == .url { found.append((matcher.pattern, .source(.url))) }
            }
        }
        let location: Int?
        switch goal {
        case .location(let own): location = own
        default:
            if case .location(let own)? = subject.outline.sequence(of: place)?.owner {
                location = own
            } else {
                location = nil
            }
        }
        if let location {
            for inner in subject.outline.chain(of: location).reversed() where !subject.outline.patterns[inner].isNone {
                found.append((subject.outline.patterns[inner], .source(.path)))
            }
        }
        // A rewrite before a `return` may have set the captures.
        if let sequence = subject.outline.sequence(of: place), !isURL {
            for index in stride(from: place - 1, through: sequence.start, by: -1) {
                guard program.tables.instructions[index].operation == .rewrite else { continue }
                found.append((program.tables.rewrites[program.tables.instructions[index].a].pattern, .source(.path)))
                break
            }
        }
        return found
    }
}

extension LintSubject {
    /// Returns true if a rule made a decision.
    func decides(_ index: Int, _ witness: LintWitness) -> Bool { witness.decision.position == position(of: index) }
}
