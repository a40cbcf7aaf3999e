import ShuntCore
import ShuntPatterns
import ShuntRules

/// The requirements for a request that reaches a rule if nothing else is in the way.
struct GoalDrafts {
    let ruleSet: RuleSet
    let outline: ProgramOutline
    let checker: ValueChecker
    private let alternatives = 32
    private let servers = ServerDrafts()

    /// The drafts for servers: each is read once, however many rules it has.
    private final class ServerDrafts {
        var known: [Int: [RequestDraft]] = [:]
        var directivesRead = 0
    }

    /// The number of directives of servers read.
    var directivesRead: Int { servers.directivesRead }

    private var program: Program { outline.program }

    init(_ ruleSet: RuleSet, outline: ProgramOutline, checker: ValueChecker) {
        self.ruleSet = ruleSet
        self.outline = outline
        self.checker = checker
    }

    /// The drafts for a goal, the likeliest first.
    func drafts(for goal: RuleGoal) -> [RequestDraft] {
        switch goal {
        case .server(let server): return drafts(server: server)
        case .location(let location): return drafts(location: location)
        case .test(let index, let outcome):
            let instruction = program.tables.instructions[index]
            let test: ProgramOutline.Guard =
                instruction.operation == .match
                ? .matcher(MatcherIndex(instruction.a), outcome) : .condition(ConditionIndex(instruction.a), outcome)
            return drafts(around: index, with: [test])
        case .instruction(let index):
            let reducer = ValueReducer(ruleSet, outline: outline, checker: checker, place: index)
            return limited(drafts(around: index, with: []).flatMap { own(index, draft: $0, reducer: reducer) })
        }
    }

    private func limited(_ drafts: [RequestDraft]) -> [RequestDraft] { Array(drafts.prefix(alternatives)) }

    /// The drafts that come to a rule which does not apply.
    func drafts(passing index: Int) -> [RequestDraft] {
        let reducer = ValueReducer(ruleSet, outline: outline, checker: checker, place: index)
        return limited(
            drafts(around: index, with: []).flatMap { own(index, draft: $0, reducer: reducer, applies: false) }
        )
    }

    /// The drafts that come to an instruction, and pass tests there.
    func drafts(around index: Int, with tests: [ProgramOutline.Guard]) -> [RequestDraft] {
        guard let sequence = outline.sequence(of: index) else { return [] }
        let base: [RequestDraft] =
            switch sequence.owner {
            case .urlPhase: [RequestDraft()]
            case .server(let server): drafts(server: server)
            case .location(let location): drafts(location: location)
            }
        let reducer = ValueReducer(ruleSet, outline: outline, checker: checker, place: index)
        var found: [RequestDraft] = []
        for way in outline.ways(to: index) {
            var drafts = base
            for test in way + tests { drafts = limited(drafts.flatMap { reducer.drafts($0, test) }) }
            for index in drafts.indices { drafts[index].way = way }
            found += drafts
        }
        return limited(found)
    }

    // MARK: Servers and locations

    /// The drafts for requests that a server is for: one for each of its first names.
    func drafts(server: Int) -> [RequestDraft] {
        if let known = servers.known[server] { return known }
        let found = read(server: server)
        servers.known[server] = found
        return found
    }

    private func read(server: Int) -> [RequestDraft] {
        var draft = RequestDraft()
        draft.server = server
        var tests: [ValueTest] = []
        let isDefault = program.tables.listens.contains { $0.defaultServer.position == server }
        let document = ruleSet.document
        let directives = document.directive(at: program.tables.servers[server].position)?.children ?? 0..<0
        servers.directivesRead += directives.count
        for directive in document.nodes[directives] where directive.name == "server_name" {
            for word in directive.arguments.prefix(8) {
                // "_" is how people say that a server is the default.
                if word.bytes.first == UInt8(ascii: "~") || isDefault && word.bytes == Array("_".utf8) { continue }
                if let name = HostNamePattern(word.bytes) {
                    tests.append(ValueTest(name, isWanted: true, limits: checker.limits.expression))
                }
            }
        }
        for group in program.tables.listens {
            for (number, owner) in zip(group.patternNumbers, group.patternServers) where owner.position == server {
                tests.append(ValueTest(.matches(number)))
            }
        }
        var found = tests.prefix(8).map { draft.adding(.host, $0) }
        if isDefault { found.append(draft) }
        return found
    }

    func drafts(location: Int) -> [RequestDraft] {
        var found = drafts(server: outline.servers[location])
        for index in outline.chain(of: location) {
            guard let test = pathTest(index) else { return [] }
            found = found.map { $0.adding(.path, test) }
        }
        return found
    }

    /// Returns the test of the path for a location; nil for named ones.
    func pathTest(_ location: Int) -> ValueTest? {
        let name = program.tables.locations[location].name
        switch program.tables.locations[location].modifier {
        case .exact: return ValueTest(.equals(name))
        case .prefix, .prefixBeforeRegex:
            return (try? Automaton(beginningWith: name, limits: checker.limits.expression)).map { ValueTest(.isIn($0)) }
        case .regex, .caselessRegex:
            return outline.patterns[location].isNone ? nil : ValueTest(.matches(outline.patterns[location]))
        case .named: return nil
        }
    }

    // MARK: Rules

    /// The expression of a rule on the path or the URL; nil for other rules.
    static func pattern(of index: Int, _ program: Program) -> ExpressionIndex? {
        let instruction = program.tables.instructions[index]
        func pattern(_ matcher: MatcherIndex) -> ExpressionIndex? {
            guard !matcher.isNone else { return nil }
            let pattern = program.tables.matchers[matcher].pattern
            return pattern.isNone ? nil : pattern
        }
        return switch instruction.operation {
        case .rewrite: program.tables.rewrites[instruction.a].pattern
        case .rewriteURL: program.tables.urlRewrites[instruction.a].pattern
        case .match, .degrade: pattern(MatcherIndex(instruction.a))
        case .block: pattern(program.tables.blocks[instruction.a].matcher)
        case .renameHost: pattern(program.tables.renames[instruction.a].matcher)
        default: nil
        }
    }

    /// The drafts in which a rule that is come to applies, or does not.
    func own(_ index: Int, draft: RequestDraft, reducer: ValueReducer, applies: Bool = true)
        -> [RequestDraft]
    {
        let instruction = program.tables.instructions[index]
        switch instruction.operation {
        case .rewrite:
            let pattern = program.tables.rewrites[instruction.a].pattern
            return [draft.adding(.path, ValueTest(.matches(pattern), negated: !applies))]
        case .rewriteURL:
            let pattern = program.tables.urlRewrites[instruction.a].pattern
            return [draft.adding(.url, ValueTest(.matches(pattern), negated: !applies))]
        case .match, .degrade: return reducer.drafts(draft, matcher: MatcherIndex(instruction.a).position, applies)
        case .renameHost:
            return reducer.drafts(draft, matcher: program.tables.renames[instruction.a].matcher.position, applies)
        case .block:
            let block = program.tables.blocks[instruction.a]
            if !block.matcher.isNone { return reducer.drafts(draft, matcher: block.matcher.position, applies) }
            guard let host = program.tables.lists[block.list].someHost else { return [] }
            return reducer.drafts(draft, builtin: .host, ValueTest(.equals(host), negated: !applies)) ?? []
        case .removeArguments:
            let words = ruleSet.document.directive(at: instruction.position)?.arguments ?? []
            guard let name = words.map(\.text).first(where: { !$0.hasPrefix("~") }),
                let tree = try? Automaton(
                    .sequence([
                        .choice([.start, .literal([UInt8(ascii: "&")], caseless: false)]),
                        .literal(Array(name.utf8), caseless: false),
                        .choice([.absoluteEnd, .set(ByteSet(ascii: "=&"))]),
                    ]),
                    limits: checker.limits.expression
                )
            else { return [draft] }
            return reducer.drafts(draft, builtin: .arguments, ValueTest(.isIn(tree), negated: !applies)) ?? [draft]
        default: return applies ? [draft] : []
        }
    }
}
