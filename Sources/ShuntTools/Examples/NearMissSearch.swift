import ShuntCore
import ShuntPatterns
import ShuntRules

/// Finds requests that just do not reach a rule: one part of its expression, one test, or its location is another.
struct NearMissSearch {
    private let solver: RuleSolver
    private let goals: GoalDrafts

    private var program: Program { solver.outline.program }
    private var checker: ValueChecker { solver.checker }

    init(_ solver: RuleSolver) {
        self.solver = solver
        goals = solver.goals
    }

    /// The misses of a rule, named by what is different, from the draft that led to its hit.
    func misses(of index: Int, near draft: RequestDraft, count: Int) -> [(part: String, sighting: Sighting)] {
        var found: [(part: String, sighting: Sighting)] = []
        var seen = Set<[UInt8]>()
        func take(_ part: String, _ drafts: [RequestDraft]) {
            guard found.count < count, !found.contains(where: { $0.part == part }) else { return }
            for draft in drafts.prefix(4) {
                guard let sighting = miss(draft, index), seen.insert(sighting.request.json).inserted else { continue }
                found.append((part, sighting))
                return
            }
        }
        if let pattern = GoalDrafts.pattern(of: index, program), let tree = checker.tree(of: pattern) {
            let source: RequestSource = program.tables.instructions[index].operation == .rewrite ? .path : .url
            for variation in tree.variations {
                guard let automaton = try? Automaton(variation.tree, limits: checker.limits.expression) else {
                    continue
                }
                var other = without(pattern, source: source, draft: draft)
                other = other.adding(source, ValueTest(.matches(pattern), negated: true))
                if let controls = checker.automaton("[\\x00-\\x1f\\x7f]") {
                    other = other.adding(source, ValueTest(.isIn(controls), negated: true))
                }
                take(variation.part, [other.adding(source, ValueTest(.isIn(automaton)))])
            }
        } else {
            for (name, other) in otherHosts(index, draft) { take(name, [other]) }
        }
        for (number, test) in draft.way.enumerated() {
            take(text(of: test), drafts(index, draft, turning: number))
        }
        if case .location(let location)? = solver.outline.sequence(of: index)?.owner,
            GoalDrafts.pattern(of: index, program) == nil
        {
            take("location \(program.tables.locations[location].text)", elsewhere(location, draft))
        }
        return found
    }

    /// Returns the engine's steps for a request of a draft if the rule does not apply and nothing before it took the
    /// request.
    private func miss(_ draft: RequestDraft, _ index: Int) -> Sighting? {
        var draft = draft
        for _ in 0..<3 {
            guard case .success(let request) = solver.assembly.request(for: draft) else { return nil }
            let sighting = solver.ask(RequestDescription(request))
            draft.skipped += 1
            if sighting.decision.kind == .fail { continue }
            if !solver.reaches(.instruction(index), sighting), !wasTaken(sighting, before: index) { return sighting }
        }
        return nil
    }

    /// Returns true if a rule in front of another one in its sequence took the request.
    private func wasTaken(_ sighting: Sighting, before index: Int) -> Bool {
        guard let sequence = solver.outline.sequence(of: index) else { return false }
        for (step, position) in zip(sighting.steps, sighting.positions) where step.kind == .rule {
            guard let other = solver.outline.instructions[position], other >= sequence.start, other < index else {
                continue
            }
            if step.result == .decided || step.result == .ended { return true }
        }
        return false
    }

    /// The draft without the test of the rule's own expression.
    private func without(_ pattern: ExpressionIndex, source: RequestSource, draft: RequestDraft) -> RequestDraft {
        var draft = draft
        draft.tests.removeAll { test in
            if test.source == source, case .matches(pattern) = test.test.kind { return !test.test.isNegated }
            return false
        }
        return draft
    }

    /// Hosts that are nearly those of a rule.
    private func otherHosts(_ index: Int, _ draft: RequestDraft) -> [(name: String, draft: RequestDraft)] {
        let instruction = program.tables.instructions[index]
        let matcher: MatcherIndex? =
            switch instruction.operation {
            case .match, .degrade: MatcherIndex(instruction.a)
            case .renameHost: program.tables.renames[instruction.a].matcher
            case .block: program.tables.blocks[instruction.a].matcher
            default: nil
            }
        guard let matcher, !matcher.isNone else { return [] }
        let reducer = ValueReducer(solver.ruleSet, outline: solver.outline, checker: checker, place: index)
        var base = draft
        base.tests.removeAll { $0.source == .url }
        var found: [(name: String, draft: RequestDraft)] = []
        for way in solver.outline.ways(to: index, limit: 1) {
            for test in way { base = reducer.drafts(base, test).first ?? base }
        }
        guard let negative = reducer.drafts(base, matcher: matcher.position, false).first else { return [] }
        for number in program.tables.matchers[matcher].names.prefix(1) {
            let name = program.tables.hostNames[number]
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
    private func drafts(_ index: Int, _ draft: RequestDraft, turning number: Int) -> [RequestDraft] {
        let reducer = ValueReducer(solver.ruleSet, outline: solver.outline, checker: checker, place: index)
        var base = RequestDraft()
        base.server = draft.server
        if case .location(let location)? = solver.outline.sequence(of: index)?.owner {
            base = goals.drafts(location: location).first ?? base
        } else if draft.server >= 0 {
            base = goals.drafts(server: draft.server).first ?? base
        }
        var drafts = [base]
        for (other, test) in draft.way.enumerated() {
            drafts = Array(drafts.flatMap { reducer.drafts($0, other == number ? test.opposite : test) }.prefix(8))
        }
        return drafts.flatMap { goals.own(index, draft: $0, reducer: reducer) }
    }

    /// The drafts for paths just outside of a location.
    private func elsewhere(_ location: Int, _ draft: RequestDraft) -> [RequestDraft] {
        guard let test = goals.pathTest(location) else { return [] }
        let name = program.tables.locations[location].name
        guard let base = goals.drafts(server: draft.server).first else { return [] }
        let other = base.adding(.path, ValueTest(test.kind, negated: true))
        switch program.tables.locations[location].modifier {
        case .regex, .caselessRegex:
            guard let tree = checker.tree(of: solver.outline.patterns[location]) else { return [] }
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
    private func text(of test: ProgramOutline.Guard) -> String {
        let instruction = program.tables.instructions.first { instruction in
            switch (test, instruction.operation) {
            case (.condition(let index, _), .test), (.condition(let index, _), .testNot):
                instruction.a == Operand(index)
            case (.matcher(let index, _), .match): instruction.a == Operand(index)
            default: false
            }
        }
        return instruction.map { solver.ruleSet.text(at: $0.position) } ?? "a test"
    }
}
