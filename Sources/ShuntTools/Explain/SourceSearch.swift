import Shunt
import ShuntPatterns

/// Finds a request that one rule sends to a URL.
///
/// The URL is shared out among the pieces of the rule's target. A text for a group is put into the rule's expression, a
/// text for a variable has to be its value; the engine is asked with the request that both make.
struct SourceSearch {
    /// The form that the target is compared with.
    private struct Form {
        var word: [UInt8]
        /// The further requirements for the request.
        var tests: [SourceTest] = []
    }

    private let solver: RuleSolver
    private let rule: RuleModel.Step
    private let target: WantedTarget
    private var checker: ValueChecker { solver.checker }

    init(_ solver: RuleSolver, rule: RuleModel.Step, target: WantedTarget) {
        self.solver = solver
        self.rule = rule
        self.target = target
    }

    /// The target of the rule; nil for rules that send requests nowhere.
    private var template: RuleModel.Template? {
        switch rule.action {
        case .rewrite(let rule): rule.target
        case .rewriteURL(let rule): rule.target
        case .answer(let answer): answer.form == .redirect ? answer.text : nil
        case .degrade(_, let target): target
        case .rename(let rename): rename.target
        default: nil
        }
    }

    /// True if what is in the rule's target does not keep it from being the URL.
    var mayLeadThere: Bool {
        guard let template else { return false }
        return forms(template)
            .contains { form in
                let image = TemplateImage(template, capturesOf: nil)
                let automaton = try? image.language(checker.limits.expression)
                return automaton?.contains(form.word) != false
            }
    }

    /// A request that the rule applies to and that is decided with the URL.
    func sighting() -> Sighting? {
        guard let template else { return nil }
        let goal = RuleGoal.step(rule)
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

    /// The texts one of which the rule's target has to be.
    private func forms(_ template: RuleModel.Template) -> [Form] {
        let isPath = template.beginsWithSlash
        switch rule.action {
        case .rename: return renamed
        case .rewrite(let rule):
            let isRedirect = rule.status != 0
            let whole = isPath || !isRedirect ? target.path : origin(template).map { $0 + target.path }
            guard let whole else { return [] }
            let isOwn = isPath || !isRedirect
            // The arguments are the request's, or are in the target.
            let sent = Form(word: whole, tests: host(isOwn) + [arguments(target.query ?? [])])
            guard let query = target.query else { return [sent] }
            let written = Form(word: whole + [UInt8(ascii: "?")] + query, tests: host(isOwn) + [arguments([])])
            return [written, sent]
        case .answer where isPath: return [Form(word: target.pathAndQuery, tests: host(true))]
        default: return (target.url ?? origin(template).map { $0 + target.pathAndQuery }).map { [Form(word: $0)] } ?? []
        }
    }

    /// The scheme and host of the URL, or those of the rule's target where only a path is asked about.
    private func origin(_ template: RuleModel.Template) -> [UInt8]? {
        if target.url != nil { return target.origin }
        guard case .literal(let text) = template.first else { return nil }
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

    /// The drafts with which the rule's target is a text.
    private func wanted(_ draft: RequestDraft, template: RuleModel.Template, form: Form) -> [RequestDraft] {
        let own = captures(draft)
        let image = TemplateImage(template, capturesOf: own?.tree)
        guard let texts = image.texts(of: form.word, checker.limits.expression) else { return [] }
        var draft = draft
        draft.tests += form.tests
        var groups: [Int: [UInt8]] = [:]
        var drafts = [draft]
        let reducer = ValueReducer(solver.model, checker: checker, place: rule)
        for (piece, text) in zip(image.pieces, texts) {
            if let group = piece.group {
                if let known = groups[group], known != text { return [] }
                groups[group] = text
            }
            guard let variable = piece.variable else { continue }
            if let named = own?.names.first(where: { $0.variable == variable }) {
                groups[named.group] = text
            } else {
                drafts = drafts.flatMap { reducer.drafts($0, variable: variable, test: ValueTest(.equals(text))) }
            }
        }
        guard let own, !groups.isEmpty else { return drafts }
        guard let subjects = try? Automaton(own.tree.substituting(groups), limits: checker.limits.expression) else {
            return []
        }
        let test = ValueTest(.isIn(subjects))
        switch own.subject {
        case .source(let source): return drafts.map { $0.adding(source, test) }
        case .variable(let variable): return drafts.flatMap { reducer.drafts($0, variable: variable, test: test) }
        }
    }

    private enum Subject {
        case source(RequestSource)
        case variable(RuleModel.Variable)
    }

    /// The expression whose groups the target names.
    private func captures(
        _ draft: RequestDraft
    ) -> (tree: PatternNode, subject: Subject, names: [(group: Int, variable: RuleModel.Variable)])? {
        var found: (expression: RuleModel.Expression, subject: Subject)?
        if let own = rule.expression {
            found = (own, .source(draft.server == nil ? .url : .path))
        } else {
            for case .condition(let condition, let holds) in draft.way where holds != condition.isNegated {
                guard let expression = condition.expression, let variable = condition.variable else { continue }
                found = (expression, .variable(variable))
            }
            if found == nil, let location = rule.sequence?.location {
                found = location.chain.lazy.reversed().compactMap(\.expression).first.map { ($0, .source(.path)) }
            }
        }
        guard let (expression, subject) = found, let tree = checker.tree(of: expression)?.withoutReferences else {
            return nil
        }
        return (tree, subject, expression.captures)
    }
}
