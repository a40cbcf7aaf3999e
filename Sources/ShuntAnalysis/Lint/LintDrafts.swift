import ShuntRules

/// What requests have to say to come to rules: as `GoalDrafts` says, but each server is read once, however many rules it has.
final class LintDrafts {
    private let goals: GoalDrafts
    private let outline: ProgramOutline
    private let reducer: (Int) -> ValueReducer
    private var servers: [Int: [RequestDraft]] = [:]
    private let alternatives = 32
    private let tree: DirectiveTree
    /// How many directives of servers were read.
    private(set) var directivesRead = 0

    init(_ ruleSet: RuleSet, _ outline: ProgramOutline, _ checker: ValueChecker, _ tree: DirectiveTree) {
        self.tree = tree
        self.outline = outline
        goals = GoalDrafts(ruleSet, outline, checker)
        reducer = { ValueReducer(ruleSet, outline, checker, place: $0) }
    }

    /// The drafts for a goal, the likeliest first.
    func drafts(for goal: RuleGoal) -> [RequestDraft] {
        switch goal {
        case .server(let server): return drafts(server: server)
        case .location(let location): return drafts(location: location)
        case .test(let index, let outcome):
            let instruction = outline.program.instructions[index]
            let test: ProgramOutline.Guard =
                instruction.operation == .match
                ? .matcher(instruction.a, outcome) : .condition(instruction.a, outcome)
            return drafts(around: index, with: [test], reducer(index))
        case .instruction(let index):
            let reducer = reducer(index)
            return limited(drafts(around: index, with: [], reducer).flatMap { goals.own(index, $0, reducer) })
        }
    }

    private func limited(_ drafts: [RequestDraft]) -> [RequestDraft] { Array(drafts.prefix(alternatives)) }

    private func drafts(server: Int) -> [RequestDraft] {
        if let known = servers[server] { return known }
        let node = tree.node(at: outline.program.servers[server].position)
        directivesRead += node.map { tree.descendants(of: $0).count } ?? 0
        let found = goals.drafts(server: server)
        servers[server] = found
        return found
    }

    private func drafts(location: Int) -> [RequestDraft] {
        var found = drafts(server: outline.servers[location])
        for index in outline.chain(of: location) {
            guard let test = goals.pathTest(index) else { return [] }
            found = found.map { $0.adding(.path, test) }
        }
        return found
    }

    /// The drafts that come to an instruction, and pass tests there.
    private func drafts(
        around index: Int,
        with tests: [ProgramOutline.Guard],
        _ reducer: ValueReducer
    ) -> [RequestDraft] {
        let base: [RequestDraft]
        switch outline.sequence(of: index)?.owner {
        case .urlPhase: base = [RequestDraft()]
        case .server(let server): base = drafts(server: server)
        case .location(let location): base = drafts(location: location)
        case nil: return []
        }
        var found: [RequestDraft] = []
        for way in outline.ways(to: index) {
            var drafts = base
            for test in way + tests { drafts = limited(drafts.flatMap { reducer.drafts($0, test) }) }
            for number in drafts.indices { drafts[number].way = way }
            found += drafts
        }
        return limited(found)
    }
}
