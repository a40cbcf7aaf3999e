import ShuntCore
import ShuntPatterns
import ShuntRules

/// The requirements for a request that reaches one of the counted things: a rule, a setting, an entry of a table, a way
/// through an expression.
final class TargetDrafts {
    private let ruleSet: RuleSet
    private let outline: ProgramOutline
    private let checker: ValueChecker
    private let goals: GoalDrafts
    private let inversion: DefinitionInversion
    let settings: SettingsDrafts
    private var users: [VariableSource: [Int: [Int]]] = [:]
    private var program: Program { outline.program }

    init(_ goals: GoalDrafts) {
        self.goals = goals
        ruleSet = goals.ruleSet
        outline = goals.outline
        checker = goals.checker
        inversion = DefinitionInversion(goals.ruleSet, goals.checker)
        settings = SettingsDrafts(goals)
    }

    /// The ways to a thing, the likeliest first.
    func ways(to target: CoverageTarget) -> [DraftedWay] {
        switch target {
        case .rule(let position): return settings.ways(toSettingAt: position)
        case .condition, .server, .location:
            guard let goal = goal(of: target) else { return [] }
            return goals.drafts(for: goal).prefix(8).map { DraftedWay(goal, $0) }
        case .matcher(let pc, let applies):
            guard !applies else { return [] }
            return goals.drafts(passing: pc).prefix(8).map { DraftedWay(nil, $0) }
        case .boundary(let index, let pc, let order): return ways(toBoundary: index, pc, order)
        case .mapEntry(let index, _, let position):
            let map = program.tables.maps[index]
            guard let tests = inversion.sources(of: map, takingEntryAt: position) else { return [] }
            return ways(using: .map, index, source: map.source, tests)
        case .addressEntry(let index, _, let address):
            let test = ValueTest(.equals(Array(address.description.utf8)))
            return ways(using: .geo, index, source: program.tables.geos[index].source, [test])
        case .share(let index, let number):
            let test = ValueTest(.share(index, [number]))
            return ways(using: .split, index, source: program.tables.splits[index].source, [test])
        case .way(let pattern, let number, let position): return ways(through: pattern, number, position)
        case .hiddenEntry, .route: return []
        }
    }

    /// The goal that is the same as a thing, or nearly; nil where there is none.
    func goal(of target: CoverageTarget) -> RuleGoal? {
        switch target {
        case .rule(let position): outline.instructions[position].map { .instruction($0) }
        case .condition(_, let pc, let outcome): .test(pc, outcome)
        case .matcher(let pc, _): .instruction(pc)
        case .server(let index): .server(index)
        case .location(let index): .location(index)
        default: nil
        }
    }

    // MARK: Expressions

    private func ways(toBoundary index: ConditionIndex, _ pc: Int, _ order: Ordering) -> [DraftedWay] {
        let condition = program.tables.conditions[index]
        guard let bound = program.constantBytes(of: condition.template) else { return [] }
        let values = [bound] + ValueSearch.neighbours(of: bound) + [Array("0".utf8)]
        let wanted = values.filter { VersionComparison.compare($0.span, bound.span) == order }
        let reducer = ValueReducer(ruleSet, outline: outline, checker: checker, place: pc)
        return goals.drafts(around: pc, with: []).prefix(8)
            .flatMap { draft in
                wanted.flatMap { reducer.drafts(draft, index: condition.variable, test: ValueTest(.equals($0))) }
            }
            .map { DraftedWay(nil, $0) }
    }

    private func ways(through pattern: ExpressionIndex, _ number: Int, _ position: SourcePosition) -> [DraftedWay] {
        let expression = program.expressions.expressions[pattern.position]
        guard let probe = AlternativeProbe(expression),
            let own = try? RegularExpression(probe.expression(of: number), caseless: expression.caseless),
            let automaton = checker.automaton(of: own)
        else { return [] }
        let test = ValueTest(.isIn(automaton))
        var found: [DraftedWay] = []
        if let index = outline.instructions[position], GoalDrafts.pattern(of: index, program) == pattern {
            let source: RequestSource = program.tables.instructions[index].operation == .rewrite ? .path : .url
            let goal = RuleGoal.instruction(index)
            found += goals.drafts(for: goal).prefix(8).map { DraftedWay(goal, $0.adding(source, test)) }
        }
        if let location = outline.locationsByPosition[position] {
            let goal = RuleGoal.location(location)
            found += goals.drafts(for: goal).prefix(8).map { DraftedWay(goal, $0.adding(.path, test)) }
        }
        for (server, description) in program.tables.servers.enumerated() where description.position == position {
            found += goals.drafts(server: server).prefix(8).map { DraftedWay(.server(server), $0.adding(.host, test)) }
        }
        for (pc, instruction) in program.tables.instructions.enumerated() where instruction.position == position {
            guard instruction.operation == .test || instruction.operation == .testNot,
                program.tables.conditions[instruction.a].pattern == pattern
            else { continue }
            let reducer = ValueReducer(ruleSet, outline: outline, checker: checker, place: pc)
            let variable = program.tables.conditions[instruction.a].variable
            found += goals.drafts(around: pc, with: []).prefix(8)
                .flatMap { reducer.drafts($0, index: variable, test: test) }
                .map { DraftedWay(nil, $0) }
        }
        for (index, map) in program.tables.maps.enumerated() where map.patternPositions.contains(position) {
            let keys = inversion.sources(of: map, takingEntryAt: position) ?? []
            found += ways(using: .map, index, source: map.source, keys + [test])
        }
        return found
    }

    // MARK: Tables

    /// Ways on which a table is looked into and what it looks at passes tests.
    private func ways(
        using kind: VariableSource,
        _ index: Int,
        source: TemplateIndex,
        _ tests: [ValueTest]
    ) -> [DraftedWay] {
        func passing(_ drafts: some Sequence<RequestDraft>, at place: Int) -> [RequestDraft] {
            let reducer = ValueReducer(ruleSet, outline: outline, checker: checker, place: place)
            var drafts = Array(drafts)
            for test in tests {
                drafts = drafts.flatMap {
                    source.isNone
                        ? [$0.adding(.address, test)] : reducer.template($0, template: source, test: test, depth: 0)
                }
            }
            return Array(drafts.prefix(8))
        }
        var found: [DraftedWay] = []
        let users = users(of: kind, index)
        for user in users.prefix(16) {
            let operation = program.tables.instructions[user].operation
            let goal: RuleGoal =
                operation == .test || operation == .testNot ? .test(user, operation == .test) : .instruction(user)
            found += passing(goals.drafts(around: user, with: []).prefix(8), at: user).map { DraftedWay(nil, $0) }
            found += passing(goals.drafts(for: goal).prefix(8), at: user).map { DraftedWay(goal, $0) }
        }
        // Headers and files are made of variables, too.
        if users.isEmpty {
            found += passing(settings.anywhere.map(\.draft), at: program.tables.instructions.count)
                .map { DraftedWay(nil, $0) }
        }
        return found
    }

    private func users(of kind: VariableSource, _ index: Int) -> [Int] {
        if let known = users[kind]?[index] { return known }
        let found = TableUse.instructions(of: kind, index, in: program)
        users[kind, default: [:]][index] = found
        return found
    }
}
