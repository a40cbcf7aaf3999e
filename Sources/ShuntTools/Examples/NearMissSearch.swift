import ShuntPatterns
import ShuntRules

/// Finds requests that just do not reach a rule: one part of its expression, one test, or its location is another.
struct NearMissSearch {
    private let solver: RuleSolver
    private let goals: GoalDrafts

    private var checker: ValueChecker { solver.checker }

    init(_ solver: RuleSolver) {
        self.solver = solver
        goals = solver.goals
    }

    /// The misses of a rule, named by what is different, from the draft that led to its hit.
    func misses(of rule: RuleModel.Step, near draft: RequestDraft, count: Int) -> [(part: String, sighting: Sighting)] {
        var found: [(part: String, sighting: Sighting)] = []
        var seen = Set<[UInt8]>()
        func take(_ part: String, _ drafts: [RequestDraft]) {
            guard found.count < count, !found.contains(where: { $0.part == part }) else { return }
            for draft in drafts.prefix(4) {
                guard let sighting = miss(draft, rule), seen.insert(sighting.request.json).inserted else { continue }
                found.append((part, sighting))
                return
            }
        }
        if let expression = rule.expression, let tree = checker.tree(of: expression) {
            let source: RequestSource = rule.operation == .rewrite ? .path : .url
            for variation in tree.variations {
                guard let automaton = try? Automaton(variation.tree, limits: checker.limits.expression) else {
                    continue
                }
                var other = without(expression, source: source, draft: draft)
                other = other.adding(source, ValueTest(.matches(expression), negated: true))
                for test in RequestAssembly.withoutControls(checker) { other = other.adding(source, test) }
                take(variation.part, [other.adding(source, ValueTest(.isIn(automaton)))])
            }
        } else {
            for (name, other) in otherHosts(rule, draft) { take(name, [other]) }
        }
        for (number, test) in draft.way.enumerated() {
            take(text(of: test), drafts(rule, draft, turning: number))
        }
        if rule.expression == nil, let location = rule.sequence?.location {
            take("location \(location.text)", elsewhere(location, draft))
        }
        return found
    }

    /// Returns the engine's steps for a request of a draft if the rule does not apply and nothing before it took the
    /// request.
    private func miss(_ draft: RequestDraft, _ rule: RuleModel.Step) -> Sighting? {
        var draft = draft
        for _ in 0..<3 {
            guard case .success(let request) = solver.assembly.request(for: draft) else { return nil }
            let sighting = solver.ask(RequestDescription(request))
            draft.skipped += 1
            if sighting.decision.kind == .fail { continue }
            if !solver.reaches(.step(rule), sighting), !wasTaken(sighting, before: rule) { return sighting }
        }
        return nil
    }

    /// Returns true if a rule in front of another one in its sequence took the request.
    private func wasTaken(_ sighting: Sighting, before rule: RuleModel.Step) -> Bool {
        guard let sequence = rule.sequence else { return false }
        for (step, position) in zip(sighting.steps, sighting.positions) where step.kind == .rule {
            guard let other = solver.model.rule(at: position), other >= sequence.start, other < rule else { continue }
            if step.result == .decided || step.result == .ended { return true }
        }
        return false
    }

    /// The draft without the test of the rule's own expression.
    private func without(_ expression: RuleModel.Expression, source: RequestSource, draft: RequestDraft) -> RequestDraft
    {
        var draft = draft
        draft.tests.removeAll { test in
            if test.source == source, case .matches(expression) = test.test.kind { return !test.test.isNegated }
            return false
        }
        return draft
    }

    /// Hosts that are nearly those of a rule.
    private func otherHosts(_ rule: RuleModel.Step, _ draft: RequestDraft) -> [(name: String, draft: RequestDraft)] {
        guard let matcher = rule.matcher else { return [] }
        let reducer = ValueReducer(solver.model, checker: checker, place: rule)
        var base = draft
        base.tests.removeAll { $0.source == .url }
        var found: [(name: String, draft: RequestDraft)] = []
        for way in rule.ways(limit: 1) {
            for test in way { base = reducer.drafts(base, test).first ?? base }
        }
        guard let negative = reducer.drafts(base, matcher: matcher, false).first else { return [] }
        for name in matcher.hostNames.prefix(1) {
            var host = name.literal
            switch name.kind {
            case .exact, .domain: host.insert(UInt8(ascii: "a"), at: 0)
            case .subdomains: break
            case .prefix: host = name.literal + Array("a.a".utf8)
            }
            if let draft = reducer.drafts(negative, builtin: .host, ValueTest(.equals(host)))?.first {
                found.append(("the host", draft))
            }
        }
        return found
    }

    /// The drafts in which one test on the way comes out otherwise, and everything else as it should.
    private func drafts(_ rule: RuleModel.Step, _ draft: RequestDraft, turning number: Int) -> [RequestDraft] {
        let reducer = ValueReducer(solver.model, checker: checker, place: rule)
        var base = RequestDraft()
        base.server = draft.server
        if let location = rule.sequence?.location {
            base = goals.drafts(location: location).first ?? base
        } else if let server = draft.server {
            base = goals.drafts(server: server).first ?? base
        }
        var drafts = [base]
        for (other, test) in draft.way.enumerated() {
            drafts = Array(drafts.flatMap { reducer.drafts($0, other == number ? test.opposite : test) }.prefix(8))
        }
        return drafts.flatMap { goals.own(rule, draft: $0, reducer: reducer) }
    }

    /// The drafts for paths just outside of a location.
    private func elsewhere(_ location: RuleModel.Location, _ draft: RequestDraft) -> [RequestDraft] {
        let name = location.name
        guard let test = goals.pathTest(location), let server = draft.server,
            let base = goals.drafts(server: server).first
        else { return [] }
        let other = base.adding(.path, ValueTest(test.kind, negated: true))
        switch location.modifier {
        case .regex, .caselessRegex:
            guard let tree = location.expression.flatMap(checker.tree) else { return [] }
            return tree.variations.compactMap { variation in
                (try? Automaton(variation.tree, limits: checker.limits.expression))
                    .map { other.adding(.path, ValueTest(.isIn($0))) }
            }
        case .exact:
            return (try? Automaton(beginningWith: name, limits: checker.limits.expression))
                .map { [other.adding(.path, ValueTest(.isIn($0)))] } ?? []
        default:
            guard name.count > 1 else { return [] }
            return (try? Automaton(beginningWith: Array(name.dropLast()), limits: checker.limits.expression))
                .map { [other.adding(.path, ValueTest(.isIn($0)))] } ?? []
        }
    }

    /// A test as it is written.
    private func text(of test: RuleModel.Guard) -> String {
        let step = solver.model.steps.first { step in
            switch test {
            case .condition(let condition, _): step.condition == condition
            case .matcher(let matcher, _): step.operation == .match && step.matcher == matcher
            }
        }
        return step.map { solver.ruleSet.text(at: $0.position) } ?? "a test"
    }
}
