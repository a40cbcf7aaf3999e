package import ShuntCore
import ShuntPatterns
package import ShuntRules

/// Finds requests that reach what no test reached.
///
/// Each was asked of the rules before it is proposed.
package final class CoverageExamples {
    private let ruleSet: RuleSet
    private let solver: RuleSolver
    private let goals: GoalDrafts
    private let asOf: Timestamp
    private var others: [(request: RequestDescription, counts: CoverageRecorder.Counts)]?
    /// How many rules and places are asked for the requests that are tried for everything.
    private let most = 256

    private var program: Program { ruleSet.program }
    private var outline: ProgramOutline { solver.outline }

    package init(_ ruleSet: RuleSet, limits: AnalysisLimits = AnalysisLimits(), asOf: Timestamp) {
        self.ruleSet = ruleSet
        self.asOf = asOf
        solver = RuleSolver(ruleSet, limits: limits, asOf: asOf)
        goals = solver.goals
    }

    /// A request that reaches a thing; nil if none was found.
    package func request(reaching target: CoverageTarget) -> RequestDescription? {
        for (goal, draft) in drafts(for: target) {
            if case .success(let request) = solver.assembly.request(for: draft) {
                let description = RequestDescription(request)
                if target.isReached(counts(of: description), in: program) { return description }
            }
            solver.begin()
            if let goal, case .success(let request) = solver.refine(draft, goal),
                target.isReached(counts(of: request), in: program)
            {
                return request
            }
        }
        if let goal = goal(of: target), case .confirmed(let request) = solver.solve(goal),
            target.isReached(counts(of: request), in: program)
        {
            return request
        }
        return tried().first { target.isReached($0.counts, in: program) }?.request
    }

    /// What a request reaches.
    private func counts(of description: RequestDescription) -> CoverageRecorder.Counts {
        let recorder = CoverageRecorder()
        var options = EvaluationOptions()
        options.fileSystem = description.fileSystem ?? InMemoryFileSystem()
        var evaluation = Evaluation(program, options: options)
        evaluation.recorder = recorder
        var request = description.request
        if request.time == nil { request.time = asOf }
        evaluation.evaluate(request)
        return recorder.counts
    }

    // MARK: What is asked for

    private func goal(of target: CoverageTarget) -> RuleGoal? {
        switch target {
        case .rule(let position): outline.instructions[position].map { .instruction($0) }
        case .condition(_, let pc, let outcome): .test(pc, outcome)
        case .matcher(let pc, _): .instruction(pc)
        case .server(let index): .server(index)
        case .location(let index): .location(index)
        default: nil
        }
    }

    /// Drafts of requests that are likely to reach a thing, and what their way leads to.
    private func drafts(for target: CoverageTarget) -> [(goal: RuleGoal?, draft: RequestDraft)] {
        switch target {
        case .rule(let position): return accessDrafts(position).map { (nil, $0) }
        case .condition, .server, .location:
            guard let goal = goal(of: target) else { return [] }
            return goals.drafts(for: goal).prefix(8).map { (goal, $0) }
        case .matcher(let pc, let applies):
            guard !applies else { return [] }
            return goals.drafts(passing: pc).prefix(8).map { (nil, $0) }
        case .boundary(let index, let pc, let order): return boundaryDrafts(index, pc, order)
        case .mapEntry(let index, _, let position):
            let map = program.maps[index]
            guard let tests = DefinitionInversion(ruleSet, solver.checker).sources(of: map, takingEntryAt: position)
            else { return [] }
            return drafts(using: .map, index, source: map.source, tests)
        case .addressEntry(let index, _, let address):
            let test = ValueTest(.equals(Array(address.description.utf8)))
            return drafts(using: .geo, index, source: program.geos[index].source, [test])
        case .share(let index, let number):
            let test = ValueTest(.share(index, [number]))
            return drafts(using: .split, index, source: program.splits[index].source, [test])
        case .way(let pattern, let number, let position): return wayDrafts(pattern, number, position)
        case .hiddenEntry, .route: return []
        }
    }

    private func boundaryDrafts(_ index: Int32, _ pc: Int, _ order: Ordering) -> [(RuleGoal?, RequestDraft)] {
        let condition = program.conditions[Int(index)]
        guard let bound = program.constantBytes(of: condition.template) else { return [] }
        let values = [bound] + ValueSearch.neighbours(of: bound) + [Array("0".utf8)]
        let wanted = values.filter { VersionComparison.compare($0.span, bound.span) == order }
        let reducer = ValueReducer(ruleSet, outline, solver.checker, place: pc)
        return goals.drafts(around: pc, with: []).prefix(8)
            .flatMap { draft in
                wanted.flatMap { reducer.drafts(draft, condition.variable, ValueTest(.equals($0))) }
            }
            .map { (nil, $0) }
    }

    /// For an `allow` or a `deny`: drafts for an address that it is the first for.
    private func accessDrafts(_ position: SourcePosition) -> [RequestDraft] {
        guard let list = program.accessRules.firstIndex(where: { $0.contains { $0.position == position } }),
            let number = program.accessRules[list].firstIndex(where: { $0.position == position })
        else { return [] }
        func range(_ scope: AccessRule.Scope) -> AddressSamples.Range? {
            guard case .network(let network) = scope else { return nil }
            return .init(first: network.range.first, last: network.range.last)
        }
        let rules = program.accessRules[list]
        let before = rules[..<number].compactMap { range($0.scope) }
        let samples = AddressSamples(before + [range(rules[number].scope)].compactMap { $0 })
        let address = range(rules[number].scope).map { samples.first(in: $0, outside: before) } ?? samples.outside
        guard let address else { return [] }
        let test = ValueTest(.equals(Array(address.description.utf8)))
        return places { program.settings[Int($0)].accessRules == Int32(truncatingIfNeeded: list) }
            .map { $0.adding(.address, test) }
    }

    /// Drafts for the servers and locations whose settings are of a kind.
    private func places(where isWanted: (Int32) -> Bool) -> [RequestDraft] {
        program.servers.indices.filter { isWanted(program.servers[$0].settings) }.flatMap(goals.drafts(server:))
            + program.locations.indices.filter { isWanted(program.locations[$0].settings) }
            .flatMap(goals.drafts(location:))
    }

    private func wayDrafts(
        _ pattern: Int32,
        _ number: Int,
        _ position: SourcePosition
    ) -> [(RuleGoal?, RequestDraft)] {
        let expression = program.expressions.expressions[Int(pattern)]
        guard let probe = AlternativeProbe(expression),
            let own = try? RegularExpression(probe.expression(of: number), caseless: expression.caseless),
            let automaton = solver.checker.automaton(of: own)
        else { return [] }
        let test = ValueTest(.isIn(automaton))
        var found: [(RuleGoal?, RequestDraft)] = []
        if let index = outline.instructions[position], GoalDrafts.pattern(of: index, program) == pattern {
            let source: RequestSource = program.instructions[index].operation == .rewrite ? .path : .url
            let goal = RuleGoal.instruction(index)
            found += goals.drafts(for: goal).prefix(8).map { (goal, $0.adding(source, test)) }
        }
        if let location = outline.locationsByPosition[position] {
            let goal = RuleGoal.location(location)
            found += goals.drafts(for: goal).prefix(8).map { (goal, $0.adding(.path, test)) }
        }
        for (server, description) in program.servers.enumerated() where description.position == position {
            found += goals.drafts(server: server).prefix(8).map { (.server(server), $0.adding(.host, test)) }
        }
        for (pc, instruction) in program.instructions.enumerated() where instruction.position == position {
            guard instruction.operation == .test || instruction.operation == .testNot,
                program.conditions[Int(instruction.a)].pattern == pattern
            else { continue }
            let reducer = ValueReducer(ruleSet, outline, solver.checker, place: pc)
            let variable = program.conditions[Int(instruction.a)].variable
            found += goals.drafts(around: pc, with: []).prefix(8).flatMap { reducer.drafts($0, variable, test) }
                .map { (nil, $0) }
        }
        for (index, map) in program.maps.enumerated() where map.patternPositions.contains(position) {
            let keys = DefinitionInversion(ruleSet, solver.checker).sources(of: map, takingEntryAt: position) ?? []
            found += drafts(using: .map, index, source: map.source, keys + [test])
        }
        return found
    }

    // MARK: Tables

    /// Drafts in which a table is looked into and what it looks at passes tests.
    private func drafts(
        using kind: VariableSource,
        _ index: Int,
        source: Int32,
        _ tests: [ValueTest]
    ) -> [(goal: RuleGoal?, draft: RequestDraft)] {
        func passing(_ drafts: some Sequence<RequestDraft>, at place: Int) -> [RequestDraft] {
            let reducer = ValueReducer(ruleSet, outline, solver.checker, place: place)
            var drafts = Array(drafts)
            for test in tests {
                drafts = drafts.flatMap {
                    source < 0 ? [$0.adding(.address, test)] : reducer.template($0, source, test, depth: 0)
                }
            }
            return Array(drafts.prefix(8))
        }
        var found: [(goal: RuleGoal?, draft: RequestDraft)] = []
        let users = TableUse.instructions(of: kind, index, in: program)
        for user in users.prefix(16) {
            let operation = program.instructions[user].operation
            let goal: RuleGoal =
                operation == .test || operation == .testNot ? .test(user, operation == .test) : .instruction(user)
            found += passing(goals.drafts(around: user, with: []).prefix(8), at: user).map { (nil, $0) }
            found += passing(goals.drafts(for: goal).prefix(8), at: user).map { (goal, $0) }
        }
        // Headers and files are made of variables, too.
        if users.isEmpty {
            found += passing(places { _ in true }.prefix(32), at: program.instructions.count).map { (nil, $0) }
        }
        return found
    }

    // MARK: Requests that are tried for everything

    private func tried() -> [(request: RequestDescription, counts: CoverageRecorder.Counts)] {
        if let others { return others }
        var requests: [RequestDescription] = []
        for (_, index) in outline.instructions.sorted(by: { $0.value < $1.value }).prefix(most) {
            if case .confirmed(let request) = solver.solve(.instruction(index)) { requests.append(request) }
        }
        for draft in places(where: { _ in true }).prefix(most) {
            if case .success(let request) = solver.assembly.request(for: draft) {
                requests.append(RequestDescription(request))
            }
        }
        for request in requests.prefix(most) { requests += RequestVariations.all(of: request) }
        let found = requests.map { ($0, counts(of: $0)) }
        others = found
        return found
    }
}
