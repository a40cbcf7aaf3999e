import ShuntCore
import ShuntPatterns
import ShuntRules

/// Finds a request that one rule sends to a URL.
///
/// The URL is shared out among the pieces of the rule's target. What comes to a group is put into the rule's expression, what comes to a
/// variable has to be its value; the engine is asked with the request that both make.
struct SourceSearch {
    /// The form that the target is compared with.
    private struct Form {
        var word: [UInt8]
        /// The further requirements for the request.
        var tests: [SourceTest] = []
    }

    private let solver: RuleSolver
    private let index: Int
    private let target: WantedTarget
    private var program: Program { solver.outline.program }
    private var checker: ValueChecker { solver.checker }

    init(_ solver: RuleSolver, index: Int, target: WantedTarget) {
        self.solver = solver
        self.index = index
        self.target = target
    }

    /// The target of the rule; nil for rules that send requests nowhere.
    private var template: TemplateIndex? {
        let instruction = program.tables.instructions[index]
        switch instruction.operation {
        case .rewrite: return program.tables.rewrites[instruction.a].target
        case .rewriteURL: return program.tables.urlRewrites[instruction.a].target
        case .finish:
            let rule = program.tables.returns[instruction.a]
            return rule.form == .redirect ? rule.text : nil
        case .degrade: return TemplateIndex(instruction.b)
        case .renameHost: return program.tables.renames[instruction.a].target
        default: return nil
        }
    }

    /// True if what stands in the rule's target does not keep it from being the URL.
    var mayLeadThere: Bool {
        guard let template, !template.isNone else { return false }
        return forms(template)
            .contains { form in
                let image = TemplateImage(template, capturesOf: nil, in: program)
                let automaton = try? image.language(checker.limits.expression)
                return automaton?.contains(form.word) != false
            }
    }

    /// A request that the rule applies to and that is decided with the URL.
    func sighting() -> Sighting? {
        guard let template, !template.isNone else { return nil }
        let goal = RuleGoal.instruction(index)
        solver.begin()
        let drafts = solver.goals.drafts(for: goal).prefix(4)
        for form in forms(template) {
            for draft in drafts {
                for wanted in wanted(draft, template: template, form: form).prefix(4) {
                    solver.begin()
                    guard case .success(let request) = solver.refine(wanted, goal) else { continue }
                    let sighting = solver.ask(request)
                    if target.isReached(by: sighting.decision) { return sighting }
                }
            }
        }
        // The request that the rule is known by may do.
        guard case .confirmed(let request) = solver.solve(goal) else { return nil }
        let sighting = solver.ask(request)
        return target.isReached(by: sighting.decision) ? sighting : nil
    }

    /// The texts one of which the rule's target has to come to.
    private func forms(_ template: TemplateIndex) -> [Form] {
        let instruction = program.tables.instructions[index]
        let first = program.tables.parts[template]
        let isPath =
            first.kind == .literal && program.tables.constants[Int(first.a)] == UInt8(ascii: "/") && first.b > first.a
        switch instruction.operation {
        case .renameHost: return renamed
        case .rewrite:
            let isRedirect = program.tables.rewrites[instruction.a].status != 0
            let whole = isPath || !isRedirect ? target.path : origin(template).map { $0 + target.path }
            guard let whole else { return [] }
            let isOwn = isPath || !isRedirect
            // The arguments are the request's, or stand in the target.
            let sent = Form(word: whole, tests: host(isOwn) + [arguments(target.query ?? [])])
            guard let query = target.query else { return [sent] }
            let written = Form(word: whole + [UInt8(ascii: "?")] + query, tests: host(isOwn) + [arguments([])])
            return [written, sent]
        case .finish where isPath: return [Form(word: target.pathAndQuery, tests: host(true))]
        default: return (target.url ?? origin(template).map { $0 + target.pathAndQuery }).map { [Form(word: $0)] } ?? []
        }
    }

    /// The scheme and host of the URL, or those of the rule's target where only a path is asked about.
    private func origin(_ template: TemplateIndex) -> [UInt8]? {
        if target.url != nil { return target.origin }
        let part = program.tables.parts[template]
        guard part.kind == .literal else { return nil }
        let text = Array(program.tables.constants[Int(part.a)..<Int(part.b)])
        let own = WantedTarget(String(decoding: text, as: UTF8.self))
        return own.host.isEmpty || own.path.isEmpty ? nil : own.origin
    }

    /// The hosts that are renamed to that of the URL, in a URL that is the same otherwise.
    private var renamed: [Form] {
        guard target.url != nil, !target.host.isEmpty else { return [] }
        let scheme = target.origin.prefix { $0 != UInt8(ascii: ":") }
        let host = PatternNode.repeated(.set(ByteSet(ascii: "/?#").inverted), minimum: 1, maximum: nil, .greedy)
        let tree = PatternNode.sequence([
            .start, .literal(Array(scheme) + Array("://".utf8), caseless: false), host,
            .literal(target.pathAndQuery, caseless: false), .absoluteEnd,
        ])
        guard let urls = try? Automaton(tree, limits: checker.limits.expression) else { return [] }
        return [Form(word: target.host, tests: [SourceTest(source: .url, test: ValueTest(.isIn(urls)))])]
    }

    private func arguments(_ text: [UInt8]) -> SourceTest {
        SourceTest(source: .arguments, test: ValueTest(.equals(text)))
    }

    /// That the request is for the host of the URL, where the target names none.
    private func host(_ isOwn: Bool) -> [SourceTest] {
        guard isOwn, !target.host.isEmpty else { return [] }
        let isSecure = target.origin.starts(with: "https:".utf8)
        return [
            SourceTest(source: .host, test: ValueTest(.equals(target.host))),
            SourceTest(source: .isSecure, test: ValueTest(.truthy, negated: !isSecure)),
        ]
    }

    /// The drafts with which the rule's target comes to a text.
    private func wanted(_ draft: RequestDraft, template: TemplateIndex, form: Form) -> [RequestDraft] {
        let own = captures(draft)
        let image = TemplateImage(template, capturesOf: own?.tree, in: program)
        guard let texts = image.texts(of: form.word, checker.limits.expression) else { return [] }
        var draft = draft
        draft.tests += form.tests
        var groups: [Int: [UInt8]] = [:]
        var drafts = [draft]
        let reducer = ValueReducer(solver.ruleSet, outline: solver.outline, checker: checker, place: index)
        for (piece, text) in zip(image.pieces, texts) {
            if let group = piece.group {
                if let known = groups[group], known != text { return [] }
                groups[group] = text
            }
            guard let variable = piece.variable else { continue }
            if let named = own?.names.first(where: { $0.variable == variable }) {
                groups[Int(named.group)] = text
            } else {
                drafts = drafts.flatMap { reducer.drafts($0, index: variable, test: ValueTest(.equals(text))) }
            }
        }
        guard let own, !groups.isEmpty else { return drafts }
        guard let subjects = try? Automaton(own.tree.substituting(groups), limits: checker.limits.expression) else {
            return []
        }
        let test = ValueTest(.isIn(subjects))
        switch own.subject {
        case .source(let source): return drafts.map { $0.adding(source, test) }
        case .variable(let variable): return drafts.flatMap { reducer.drafts($0, index: variable, test: test) }
        }
    }

    private enum Subject {
        case source(RequestSource)
        case variable(VariableIndex)
    }

    /// The expression whose groups the target names.
    private func captures(_ draft: RequestDraft) -> (tree: PatternNode, subject: Subject, names: [NamedCapture])? {
        let isURL = draft.server < 0
        var found: (pattern: ExpressionIndex, subject: Subject)?
        if let own = GoalDrafts.pattern(of: index, program) {
            found = (own, .source(isURL ? .url : .path))
        } else {
            for case .condition(let number, let holds) in draft.way {
                let condition = program.tables.conditions[number]
                guard condition.kind == .matches, holds != condition.isNegated else { continue }
                found = (condition.pattern, .variable(condition.variable))
            }
            if found == nil, case .location(let location)? = solver.outline.sequence(of: index)?.owner {
                let pattern = solver.outline.chain(of: location).last { !solver.outline.patterns[$0].isNone }
                found = pattern.map { (solver.outline.patterns[$0], .source(.path)) }
            }
        }
        guard let (pattern, subject) = found, let tree = checker.tree(of: pattern)?.withoutReferences else {
            return nil
        }
        return (tree, subject, program.tables.patternVariables[pattern.position])
    }
}
