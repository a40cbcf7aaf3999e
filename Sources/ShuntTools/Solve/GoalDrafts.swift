import Shunt
import ShuntPatterns

/// The requirements for a request that reaches a rule if nothing else is in the way.
struct GoalDrafts {
    let model: RuleModel
    let checker: ValueChecker
    private let alternatives = 32
    private let servers = ServerDrafts()

    /// The drafts for servers: each is read once, however many rules it has.
    private final class ServerDrafts {
        var known: [RuleModel.Server: [RequestDraft]] = [:]
        var directivesRead = 0
    }

    /// The number of directives of servers read.
    var directivesRead: Int { servers.directivesRead }

    init(_ model: RuleModel, checker: ValueChecker) {
        self.model = model
        self.checker = checker
    }

    /// The drafts for a goal, the likeliest first.
    ///
    /// A rule of a file that several servers include has those of each of them.
    func drafts(for goal: RuleGoal) -> [RequestDraft] { repetitions(of: goal).flatMap(draftsInPlace) }

    /// The goals that stand for one, where several servers include its file.
    func repetitions(of goal: RuleGoal) -> some RandomAccessCollection<RuleGoal> {
        let goals: [RuleGoal] =
            switch goal {
            case .step(let step): model.repetitions(of: step).map { .step($0) }
            case .test(let step, let outcome): model.repetitions(of: step).map { .test($0, outcome) }
            case .location(let location): model.repetitions(of: location).map { .location($0) }
            case .server: [goal]
            }
        return goals.prefix(Self.mostRepetitions)
    }

    /// The most includes of a file in which a rule of it is looked for.
    private static let mostRepetitions = 8

    /// The drafts for a goal in its own server.
    func draftsInPlace(for goal: RuleGoal) -> [RequestDraft] {
        switch goal {
        case .server(let server): return drafts(server: server)
        case .location(let location): return drafts(location: location)
        case .test(let step, let outcome):
            switch step.action {
            case .match(let matcher): return drafts(around: step, with: [.matcher(matcher, outcome)])
            case .test(let condition, _): return drafts(around: step, with: [.condition(condition, outcome)])
            default: return []
            }
        case .step(let step): return drafts(at: step, applies: true)
        }
    }

    private func limited(_ drafts: [RequestDraft]) -> [RequestDraft] { Array(drafts.prefix(alternatives)) }

    /// The drafts that reach a rule which applies, or does not.
    func drafts(at step: RuleModel.Step, applies: Bool) -> [RequestDraft] {
        let reducer = ValueReducer(model, checker: checker, place: step)
        return limited(
            drafts(around: step, with: []).flatMap { own(step, draft: $0, reducer: reducer, applies: applies) }
        )
    }

    /// The drafts that reach a step, and pass tests there.
    func drafts(around step: RuleModel.Step, with tests: [RuleModel.Guard]) -> [RequestDraft] {
        guard let sequence = step.sequence else { return [] }
        let base: [RequestDraft] =
            switch sequence.owner {
            case .urlPhase: [RequestDraft()]
            case .server(let server): drafts(server: server)
            case .location(let location): drafts(location: location)
            }
        let reducer = ValueReducer(model, checker: checker, place: step)
        var found: [RequestDraft] = []
        for way in step.ways() {
            var drafts = base
            for test in way + tests { drafts = limited(drafts.flatMap { reducer.drafts($0, test) }) }
            for index in drafts.indices { drafts[index].way = way }
            found += drafts
        }
        return limited(found)
    }

    // MARK: Servers and locations

    /// The drafts for requests that a server is for: one for each of its first names.
    func drafts(server: RuleModel.Server) -> [RequestDraft] {
        if let known = servers.known[server] { return known }
        let found = read(server: server)
        servers.known[server] = found
        return found
    }

    private func read(server: RuleModel.Server) -> [RequestDraft] {
        var draft = RequestDraft()
        draft.server = server
        var tests: [ValueTest] = []
        let isDefault = server.isDefault
        let document = model.document
        let directives = document.directive(at: server.position)?.children ?? 0..<0
        servers.directivesRead += directives.count
        for directive in document.nodes[directives] where directive.name == "server_name" {
            for word in directive.arguments.prefix(8) {
                // "_" is the usual name of a default server.
                if word.bytes.first == UInt8(ascii: "~") || isDefault && word.bytes == Array("_".utf8) { continue }
                if let name = HostNamePattern(word.bytes) {
                    tests.append(ValueTest(name, isWanted: true, limits: checker.limits.expression))
                }
            }
        }
        tests += server.nameExpressions.map { ValueTest(.matches($0)) }
        var found = tests.prefix(8).map { draft.adding(.host, $0) }
        if isDefault { found.append(draft) }
        return found
    }

    func drafts(location: RuleModel.Location) -> [RequestDraft] {
        if location.modifier == .named { return drafts(leadingTo: location) }
        var found = drafts(server: location.server)
        for outer in location.chain {
            guard let test = pathTest(outer) else { return [] }
            found = found.map { $0.adding(.path, test) }
        }
        return found
    }

    /// The drafts for requests that `try_files` or an `error_page` may lead to a named location.
    private func drafts(leadingTo location: RuleModel.Location) -> [RequestDraft] {
        func leads(_ settings: RuleModel.Settings) -> Bool {
            let targets = [settings.tryFiles?.fallback] + (settings.errorPages?.pages.map(\.target) ?? [])
            return targets.contains { $0?.constant?.elementsEqual(location.name) == true }
        }
        let others = location.level.locations.filter { $0.modifier != .named && leads($0.settings) }
        let server = location.server
        return limited(others.flatMap(drafts(location:)) + (leads(server.settings) ? drafts(server: server) : []))
    }

    /// Returns the test of the path for a location; nil for named ones.
    func pathTest(_ location: RuleModel.Location) -> ValueTest? {
        let name = location.name
        switch location.modifier {
        case .exact: return ValueTest(.equals(name))
        case .prefix, .prefixBeforeRegex:
            return (try? Automaton(beginningWith: name, limits: checker.limits.expression)).map { ValueTest(.isIn($0)) }
        case .regex, .caselessRegex:
            return location.expression.map { ValueTest(.matches($0)) }
        case .named: return nil
        }
    }

    // MARK: Rules

    /// The drafts in which a rule that is reached applies, or does not.
    func own(_ step: RuleModel.Step, draft: RequestDraft, reducer: ValueReducer, applies: Bool = true)
        -> [RequestDraft]
    {
        switch step.action {
        case .rewrite(let rule):
            return [draft.adding(.path, ValueTest(.matches(rule.expression), negated: !applies))]
        case .rewriteURL(let rule):
            return [draft.adding(.url, ValueTest(.matches(rule.expression), negated: !applies))]
        case .match(let matcher), .degrade(let matcher, _): return reducer.drafts(draft, matcher: matcher, applies)
        case .rename(let rename): return reducer.drafts(draft, matcher: rename.matcher, applies)
        case .block(let block):
            if let matcher = block.matcher { return reducer.drafts(draft, matcher: matcher, applies) }
            guard let host = block.hosts?.someHost else { return [] }
            return reducer.drafts(draft, builtin: .host, ValueTest(.equals(host), negated: !applies)) ?? []
        case .removeArguments:
            let words = model.document.directive(at: step.position)?.arguments ?? []
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
