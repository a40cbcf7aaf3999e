import Shunt
import ShuntPatterns

/// Finds what kept a request from a rule, and how that is kept out.
struct ObstacleSearch {
    let model: RuleModel
    let checker: ValueChecker
    private let goals: GoalDrafts

    init(_ goals: GoalDrafts) {
        self.goals = goals
        model = goals.model
        checker = goals.checker
    }

    /// Drafts without the first obstacle that a request met, the likeliest first; with another subject if there is none.
    func drafts(avoiding sighting: Sighting, _ draft: RequestDraft, _ goal: RuleGoal) -> [RequestDraft] {
        let wanted = goal.location
        for (step, position) in zip(sighting.steps, sighting.positions) {
            switch step.kind {
            case .location:
                guard let wanted, let other = model.location(at: position), other != wanted else { continue }
                if let test = goals.pathTest(other) {
                    return [draft.adding(.path, ValueTest(test.kind, negated: true)), skipping(draft)]
                }
            case .rule, .assignment:
                guard RuleSolver.applied(step), let rule = model.rule(at: position),
                    goal != .step(rule), !draft.accepted.contains(rule), isObstacle(rule)
                else { continue }
                var found = without(rule, draft, subject: step.subject)
                if step.result == .matched {
                    var accepting = draft
                    accepting.accepted.insert(rule)
                    found.append(accepting)
                }
                return found + [skipping(draft)]
            case .note where step.text == Self.denied:
                if let next = allowed(draft, position) { return [next] }
            default: continue
            }
        }
        return [skipping(draft)]
    }

    private func skipping(_ draft: RequestDraft) -> RequestDraft {
        var draft = draft
        draft.skipped += 1
        return draft
    }

    /// Returns true if a rule changes or ends something for those after it.
    private func isObstacle(_ rule: RuleModel.Step) -> Bool {
        if let variable = rule.assigned { return variable.builtin != nil }
        return rule.operation != .match
    }

    /// The drafts in which a rule does not apply: it does not match, or a test around it comes out otherwise.
    private func without(_ rule: RuleModel.Step, _ draft: RequestDraft, subject: String?) -> [RequestDraft] {
        let reducer = ValueReducer(model, checker: checker, place: rule)
        var found: [RequestDraft] = []
        if draft.server != nil, rule.sequence?.owner == .urlPhase {
            found += withoutURLRule(rule, draft, subject: subject)
        } else {
            found += goals.own(rule, draft: draft, reducer: reducer, applies: false)
        }
        for way in rule.ways(limit: 1) {
            for test in way.reversed() { found += reducer.drafts(draft, test.opposite) }
        }
        return found
    }

    /// For a request with a target: the drafts whose path no rule on the whole URL takes.
    private func withoutURLRule(_ rule: RuleModel.Step, _ draft: RequestDraft, subject: String?) -> [RequestDraft] {
        guard let subject, let expression = rule.expression,
            let automaton = try? checker.automaton(of: expression)
        else { return [] }
        let parts = subject.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
        let origin = parts.prefix(3).joined(separator: [UInt8(ascii: "/")])
        return [draft.adding(.path, ValueTest(.isIn(automaton.after(origin)), negated: true))]
    }

    private static let denied = "access denied"

    /// The draft with an address that is let in; nil if the request was not turned away for its address.
    func admitting(_ sighting: Sighting, _ draft: RequestDraft) -> RequestDraft? {
        for (step, position) in zip(sighting.steps, sighting.positions) where step.kind == .note {
            if step.text == Self.denied { return allowed(draft, position) }
        }
        return nil
    }

    /// The draft with an address that the rules let through, of which one denied the request.
    private func allowed(_ draft: RequestDraft, _ position: SourcePosition) -> RequestDraft? {
        guard let rules = model.accessRules.lazy.map(\.rules).first(where: { $0.contains { $0.position == position } })
        else { return nil }
        var addresses: [[UInt8]] = []
        for rule in rules where rule.allows {
            guard case .network(let network) = rule.scope else { continue }
            let address = network.firstClient
            let first = rules.first { other in
                switch other.scope {
                case .all: true
                case .network(let network): network.contains(address)
                case .unix: false
                }
            }
            if first?.allows == true { addresses.append(Array(address.description.utf8)) }
        }
        return addresses.isEmpty ? nil : draft.adding(.address, ValueTest(.isAny(of: addresses)))
    }
}

extension RuleModel.Guard {
    /// The same test, coming out otherwise.
    var opposite: RuleModel.Guard {
        switch self {
        case .condition(let condition, let outcome): .condition(condition, !outcome)
        case .matcher(let matcher, let outcome): .matcher(matcher, !outcome)
        }
    }
}
