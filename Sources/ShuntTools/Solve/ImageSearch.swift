import ShuntPatterns
import ShuntRules

/// Finds requests that reach a rule changed: by one rule before it, whose result is what the rule is for.
struct ImageSearch {
    private let solver: RuleSolver
    private let rules = 64

    private var checker: ValueChecker { solver.checker }

    init(_ solver: RuleSolver) { self.solver = solver }

    /// A request that reaches the goal after one change.
    func request(for goal: RuleGoal) -> RequestDescription? {
        let drafts = solver.goals
        for draft in drafts.drafts(for: goal).prefix(4) {
            let source: RequestSource = draft.server == nil ? .url : .path
            let tests = draft.tests(of: source)
            guard !tests.isEmpty, let wanted = try? ValueSearch(checker: checker).language(tests, in: nil) else {
                continue
            }
            for change in changes(before: goal, draft).prefix(rules) {
                guard let origin = origin(of: change, giving: wanted) else { continue }
                let reducer = ValueReducer(solver.model, checker: checker, place: change)
                var firsts = Array(drafts.drafts(for: .step(change)).prefix(4))
                for (variable, value) in origin.variables {
                    firsts = firsts.flatMap { reducer.drafts($0, variable: variable, test: ValueTest(.equals(value))) }
                }
                for var first in firsts.prefix(8) {
                    guard first.server == draft.server else { continue }
                    first.tests.append(SourceTest(source: source, test: ValueTest(.isIn(origin.subjects))))
                    for test in draft.tests where test.source != source {
                        // Two rules of one server have the same host.
                        if test.source != .host || !first.tests.contains(where: { $0.source == .host }) {
                            first.tests.append(test)
                        }
                    }
                    first.accepted.insert(change)
                    if case .success(let found) = solver.refine(first, goal) { return found }
                }
            }
        }
        return nil
    }

    /// The rules that may change the subject before it reaches a goal.
    private func changes(before goal: RuleGoal, _ draft: RequestDraft) -> [RuleModel.Step] {
        var found: [RuleModel.Step] = []
        for sequence in solver.model.sequences where sequence.server == draft.server {
            for step in sequence.steps where goal != .step(step) {
                if draft.server == nil, case .step(let last) = goal, step > last { continue }
                if step.rewrite?.status == 0 || step.urlRewrite?.status == 0 { found.append(step) }
            }
        }
        return found
    }

    /// The source of a wanted subject.
    private struct Origin {
        var subjects: Automaton
        /// The values that variables of its target have to have.
        var variables: [(RuleModel.Variable, [UInt8])]
    }

    /// Returns the origin of one of `wanted` under a changing rule, as far as one word of these shows; nil for none.
    private func origin(of change: RuleModel.Step, giving wanted: Language) -> Origin? {
        guard let target = change.urlRewrite?.target ?? change.rewrite?.target, let expression = change.expression,
            let tree = checker.tree(of: expression)?.withoutReferences
        else { return nil }
        let template = TemplateImage(target, capturesOf: tree)
        let pieces = template.pieces
        do throws(AutomatonRefusal) {
            let image = try Automaton(
                .sequence([.start] + pieces.map(\.node) + [.absoluteEnd]),
                limits: checker.limits.expression
            )
            let both = Language.intersection([wanted, .automaton(image)])
            guard let word = try both.shortestSubject(limits: checker.limits.proof),
                let texts = template.texts(of: word, checker.limits.expression)
            else { return nil }
            var captures: [Int: [UInt8]] = [:]
            var variables: [(RuleModel.Variable, [UInt8])] = []
            for (piece, text) in zip(pieces, texts) {
                if let group = piece.group { captures[group] = text }
                if let variable = piece.variable { variables.append((variable, text)) }
            }
            let subjects = try Automaton(tree.substituting(captures), limits: checker.limits.expression)
            return Origin(subjects: subjects, variables: variables)
        } catch {
            return nil
        }
    }
}

extension PatternNode {
    /// The same with texts in the place of groups.
    func substituting(_ texts: [Int: [UInt8]]) -> PatternNode {
        if case .capture(_, let number) = self, let text = texts[number] { return .literal(text, caseless: false) }
        switch self {
        case .atomic, .lookaround: return self
        default: return changingParts { $0.substituting(texts) }
        }
    }
}
