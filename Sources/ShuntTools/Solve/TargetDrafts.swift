import Shunt
import ShuntPatterns

/// The requirements for a request that reaches one of the counted things: a rule, a setting, an entry of a table, a way
/// through an expression.
final class TargetDrafts {
    private let model: RuleModel
    private let checker: ValueChecker
    private let goals: GoalDrafts
    private let inversion: DefinitionInversion
    let settings: SettingsDrafts
    private var users: [RuleModel.Variable.Source: [RuleModel.Step]] = [:]

    init(_ goals: GoalDrafts) {
        self.goals = goals
        model = goals.model
        checker = goals.checker
        inversion = DefinitionInversion(goals.checker)
        settings = SettingsDrafts(goals)
    }

    /// The ways to a thing, the likeliest first.
    func ways(to target: CoverageTarget) -> [DraftedWay] {
        switch target {
        case .rule(let position): return settings.ways(toSettingAt: position)
        case .condition, .server, .location:
            guard let goal = goal(of: target) else { return [] }
            return goals.drafts(for: goal).prefix(8).map { DraftedWay(goal, $0) }
        case .matcher(let step, let applies):
            guard !applies else { return [] }
            return goals.drafts(at: step, applies: false).prefix(8).map { DraftedWay(nil, $0) }
        case .boundary(let condition, let step, let order): return ways(toBoundary: condition, step, order)
        case .mapEntry(let map, let position):
            guard let tests = inversion.sources(of: map, takingEntryAt: position) else { return [] }
            return ways(using: .map(map), source: map.source, tests)
        case .addressEntry(let table, _, let address):
            let test = ValueTest(.equals(Array(address.description.utf8)))
            return ways(using: .geo(table), source: table.source, [test])
        case .share(let split, _, let number):
            return ways(using: .split(split), source: split.source, [ValueTest(.share(split, [number]))])
        case .way(let expression, let number, let position): return ways(through: expression, number, position)
        case .hiddenEntry, .route: return []
        }
    }

    /// The ways to an entry of a map or to a share whose look-up passes more tests.
    func ways(to target: CoverageTarget, passing tests: [ValueTest]) -> [DraftedWay] {
        switch target {
        case .mapEntry(let map, let position):
            guard let own = inversion.sources(of: map, takingEntryAt: position) else { return [] }
            return ways(using: .map(map), source: map.source, own + tests)
        case .share(let split, _, _): return ways(using: .split(split), source: split.source, tests)
        default: return ways(to: target)
        }
    }

    /// The goal that is the same as a thing, or nearly; nil where there is none.
    func goal(of target: CoverageTarget) -> RuleGoal? {
        switch target {
        case .rule(let position): model.rule(at: position).map { .step($0) }
        case .condition(_, let step, let outcome): .test(step, outcome)
        case .matcher(let step, _): .step(step)
        case .server(let server): .server(server)
        case .location(let location): .location(location)
        default: nil
        }
    }

    // MARK: Expressions

    private func ways(
        toBoundary condition: RuleModel.Condition,
        _ step: RuleModel.Step,
        _ order: Ordering
    ) -> [DraftedWay] {
        guard let variable = condition.variable, let bound = condition.text?.constant else { return [] }
        let values = [bound] + ValueSearch.neighbours(of: bound) + [Array("0".utf8)]
        let wanted = values.filter { VersionComparison.compare($0.span, bound.span) == order }
        let reducer = ValueReducer(model, checker: checker, place: step)
        return goals.drafts(around: step, with: []).prefix(8)
            .flatMap { draft in
                wanted.flatMap { reducer.drafts(draft, variable: variable, test: ValueTest(.equals($0))) }
            }
            .map { DraftedWay(nil, $0) }
    }

    private func ways(
        through expression: RuleModel.Expression,
        _ number: Int,
        _ position: SourcePosition
    ) -> [DraftedWay] {
        let written = expression.expression
        guard let probe = AlternativeProbe(written),
            let own = try? RegularExpression(probe.expression(of: number), caseless: written.caseless),
            let automaton = checker.automaton(of: own)
        else { return [] }
        let test = ValueTest(.isIn(automaton))
        var users: [(goal: RuleGoal, source: RequestSource)] = []
        if let rule = model.rule(at: position), rule.expression == expression {
            users.append((.step(rule), rule.operation == .rewrite ? .path : .url))
        }
        if let location = model.location(at: position) { users.append((.location(location), .path)) }
        users += model.servers.filter { $0.position == position }.map { (.server($0), .host) }
        var found = users.flatMap { goal, source in
            goals.drafts(for: goal).prefix(8).map { DraftedWay(goal, $0.adding(source, test)) }
        }
        for step in model.steps where step.position == position {
            guard let condition = step.condition, condition.expression == expression,
                let variable = condition.variable
            else { continue }
            let reducer = ValueReducer(model, checker: checker, place: step)
            found += goals.drafts(around: step, with: []).prefix(8)
                .flatMap { reducer.drafts($0, variable: variable, test: test) }
                .map { DraftedWay(nil, $0) }
        }
        for map in model.maps where map.expressions.contains(where: { $0.position == position }) {
            let keys = inversion.sources(of: map, takingEntryAt: position) ?? []
            found += ways(using: .map(map), source: map.source, keys + [test])
        }
        return found
    }

    // MARK: Tables

    /// Ways on which a table is looked into and what it reads passes tests.
    private func ways(
        using table: RuleModel.Variable.Source,
        source: RuleModel.Template?,
        _ tests: [ValueTest]
    ) -> [DraftedWay] {
        func passing(_ drafts: some Sequence<RequestDraft>, at place: RuleModel.Step?) -> [RequestDraft] {
            let reducer = ValueReducer(model, checker: checker, place: place)
            var drafts = Array(drafts)
            for test in tests {
                drafts = drafts.flatMap { draft in
                    source.map { reducer.template(draft, template: $0, test: test, depth: 0) }
                        ?? [draft.adding(.address, test)]
                }
            }
            return Array(drafts.prefix(8))
        }
        var found: [DraftedWay] = []
        let users = users(of: table)
        for user in users.prefix(16) {
            let goal: RuleGoal = user.isTest ? .test(user, user.operation == .test) : .step(user)
            found += passing(goals.drafts(around: user, with: []).prefix(8), at: user).map { DraftedWay(nil, $0) }
            found += passing(goals.drafts(for: goal).prefix(8), at: user).map { DraftedWay(goal, $0) }
        }
        // Headers and files are made of variables, too.
        if users.isEmpty {
            found += passing(settings.anywhere.map(\.draft), at: nil).map { DraftedWay(nil, $0) }
        }
        return found
    }

    private func users(of table: RuleModel.Variable.Source) -> [RuleModel.Step] {
        if let known = users[table] { return known }
        let found = TableUse.steps(using: table, in: model)
        users[table] = found
        return found
    }
}
