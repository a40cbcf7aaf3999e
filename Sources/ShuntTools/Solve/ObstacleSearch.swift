import ShuntCore
import ShuntPatterns
import ShuntRules

/// Finds what kept a request from a rule, and how that is kept out.
struct ObstacleSearch {
    let ruleSet: RuleSet
    let outline: ProgramOutline
    let checker: ValueChecker
    private let goals: GoalDrafts
    private var program: Program { outline.program }

    init(_ goals: GoalDrafts) {
        self.goals = goals
        ruleSet = goals.ruleSet
        outline = goals.outline
        checker = goals.checker
    }

    /// Drafts without the first obstacle that a request met, the likeliest first; with another subject if there is none.
    func drafts(avoiding sighting: Sighting, _ draft: RequestDraft, _ goal: RuleGoal) -> [RequestDraft] {
        let wanted = location(of: goal)
        for (step, position) in zip(sighting.steps, sighting.positions) {
            switch step.kind {
            case .location:
                guard let wanted, let other = outline.locationsByPosition[position], other != wanted else { continue }
                if let test = goals.pathTest(other) {
                    return [draft.adding(.path, ValueTest(test.kind, negated: true)), skipping(draft)]
                }
            case .rule, .assignment:
                guard RuleSolver.applied(step), let index = outline.instructions[position],
                    goal != .instruction(index), !draft.accepted.contains(index), isObstacle(index)
                else { continue }
                var found = without(index, draft, subject: step.subject)
                if step.result == .matched {
                    var accepting = draft
                    accepting.accepted.insert(index)
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

    /// The location that a goal is in; nil where none is needed.
    private func location(of goal: RuleGoal) -> Int? {
        switch goal {
        case .location(let index): return index
        case .instruction(let index), .test(let index, _):
            if case .location(let location)? = outline.sequence(of: index)?.owner { return location }
            return nil
        case .server: return nil
        }
    }

    /// Returns true if a rule changes or ends something for those after it.
    private func isObstacle(_ index: Int) -> Bool {
        let instruction = program.tables.instructions[index]
        switch instruction.operation {
        case .match: return false
        case .set, .decode, .encode: return program.tables.variables[instruction.a].source == .builtin
        default: return true
        }
    }

    /// The drafts in which a rule does not apply: it does not match, or a test around it comes out otherwise.
    private func without(_ index: Int, _ draft: RequestDraft, subject: String?) -> [RequestDraft] {
        let reducer = ValueReducer(ruleSet, outline: outline, checker: checker, place: index)
        var found: [RequestDraft] = []
        if draft.server >= 0, outline.sequence(of: index)?.owner == .urlPhase {
            found += withoutURLRule(index, draft, subject: subject)
        } else {
            found += goals.own(index, draft: draft, reducer: reducer, applies: false)
        }
        for way in outline.ways(to: index, limit: 1) {
            for test in way.reversed() { found += reducer.drafts(draft, test.opposite) }
        }
        return found
    }

    /// For a request with a target: the drafts whose path is none that a rule on the whole URL takes.
    private func withoutURLRule(_ index: Int, _ draft: RequestDraft, subject: String?) -> [RequestDraft] {
        guard let subject, let pattern = GoalDrafts.pattern(of: index, program),
            let automaton = try? checker.automaton(of: pattern)
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
        guard let rules = program.tables.accessRules.first(where: { $0.contains { $0.position == position } }) else {
            return nil
        }
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

extension ProgramOutline.Guard {
    /// The same test, coming out otherwise.
    var opposite: ProgramOutline.Guard {
        switch self {
        case .condition(let index, let outcome): .condition(index, !outcome)
        case .matcher(let index, let outcome): .matcher(index, !outcome)
        }
    }
}
