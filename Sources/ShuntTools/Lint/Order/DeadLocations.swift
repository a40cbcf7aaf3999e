import Shunt
import ShuntPatterns

extension LintSubject {
    func unreachableLocation() -> [LintFound] {
        let places = model.locations.map(\.position)
        return (answered() + redirected() + taken()).holdingEverywhere(among: places) + unnamed() + hidden()
    }

    /// Locations of servers that answer all requests before.
    private func answered() -> [LintFound] {
        model.sequences.flatMap { sequence -> [LintFound] in
            guard case .server(let server) = sequence.owner,
                let end = sequence.steps
                    .first(where: { $0.operation == .finish && $0.ways().contains(where: \.isEmpty) })
            else { return [] }
            let mayEndBefore = end.before.contains { step in
                switch step.action {
                case .rewrite(let rule): rule.status == 0 && rule.flow != .next
                case .stop: true
                default: false
                }
            }
            if mayEndBefore { return [] }
            let isError = end.answer?.form == .error
            let place = shown(end.position)
            return (server.level?.locations ?? []).filter { $0.modifier != .named || !isError }
                .map { location in
                    LintFound(
                        location.position,
                        "no request reaches this: the server answers all of them before",
                        advice: "put the answer of \(place) into a location / { … }"
                    )
                    .covered(by: [end.position], "nothing before \(place) lets a request pass")
                }
        }
    }

    /// Locations all of whose paths a rule of their server answers by an expression before.
    private func redirected() -> [LintFound] {
        let rewritten = Set(
            model.sequences.filter { $0.steps.contains { $0.rewrite?.status == 0 || $0.assigned?.builtin != nil } }
                .compactMap(\.server)
        )
        let locations = Dictionary(grouping: model.locations) { $0.server }
        return model.sequences.flatMap { sequence -> [LintFound] in
            guard case .server(let server) = sequence.owner, !rewritten.contains(server),
                !sequence.steps.contains(where: { step in
                    if case .stop = step.action { return true }
                    return step.operation == .finish && step.ways().contains(where: \.isEmpty)
                })
            else { return [] }
            let rules = Array(sequence.steps)
                .compactMap { step in pathTest(of: step).map { (rule: step, expression: $0) } }
            guard !rules.isEmpty else { return [] }
            let all = MatchingExpressions(rules)
            return (locations[server] ?? [])
                .compactMap { location in
                    guard let own = paths(of: location), let path = try? Language.automaton(own).shortestSubject()
                    else { return nil }
                    let cover = all.taking(path, in: sequence.start..<sequence.end)
                        .first { rule in
                            pathTest(of: rule).flatMap(checker.language(of:))
                                .map { checker.isEmpty(.automaton(own), .complement($0)) } ?? false
                        }
                    guard let position = cover?.position else { return nil }
                    return LintFound(
                        location.position,
                        "no request reaches this: \(shown(position)) answers all of its paths before",
                        advice: "remove one of the two"
                    )
                    .covered(by: [position], "its expression matches all paths of the location")
                }
        }
    }

    /// The expression on the path with which a rule of a server answers, whatever else a request has; nil for others.
    private func pathTest(of step: RuleModel.Step) -> RuleModel.Expression? {
        let ways = step.ways(limit: 2)
        guard ways.count == 1, let tests = ways.first else { return nil }
        if let rewrite = step.rewrite { return tests.isEmpty ? rewrite.expression : nil }
        guard step.operation == .finish, tests.count == 1, case .condition(let condition, true)? = tests.first,
            condition.kind == .matches, !condition.isNegated, condition.variable?.builtin == .uri
        else { return nil }
        return condition.expression
    }

    /// The paths of a location, as far as others leave them; nil for a named one.
    private func paths(of location: RuleModel.Location) -> Automaton? {
        let limits = options.limits.expression
        if let expression = location.expression { return try? checker.automaton(of: expression) }
        switch location.modifier {
        case .named: return nil
        case .exact: return try? Automaton(exactly: location.name, limits: limits)
        default: return location.name.isEmpty ? nil : try? Automaton(beginningWith: location.name, limits: limits)
        }
    }

    /// Prefix locations all of whose paths an expression takes.
    private func taken() -> [LintFound] {
        model.locations.compactMap { location in
            // Expressions in the location itself come first.
            guard location.modifier == .prefix, location.inner == nil, !location.name.isEmpty,
                let own = try? Automaton(beginningWith: location.name, limits: options.limits.expression)
            else { return nil }
            let cover = location.level.expressions.first { other in
                // What takes one of the paths may take all of them.
                guard let expression = other.expression, checker.matches(expression, location.name),
                    let taken = checker.language(of: expression)
                else { return false }
                return checker.isEmpty(.automaton(own), .complement(taken))
            }
            guard let position = cover?.position else { return nil }
            // A proxied location redirects the path without its slash, before expressions are tried.
            let short = Array(location.name.dropLast())
            let redirects =
                location.settings.proxy != nil && location.settings.namesHandler && location.name.last == 0x2f
                && !location.level.locations.contains { !$0.modifier.isRegex && $0.name == short }
            let reach =
                redirects ? "only the redirect of \(ShownBytes.text(short)) reaches this" : "no request reaches this"
            return LintFound(
                location.position,
                "\(reach): \(shown(position)) matches all of its paths",
                advice: "write ^~ before the prefix"
            )
            .covered(by: [position], "its expression matches whatever begins with the prefix")
        }
    }

    /// Locations with an expression whose paths all belong to prefixes with `^~`.
    private func hidden() -> [LintFound] {
        guard model.locations.contains(where: { $0.modifier == .prefixBeforeRegex }) else { return [] }
        return expressions.all.compactMap { place in
            guard case .location(let location)? = place.goal, location.parent == nil,
                model.repetitions(of: location).count == 1
            else { return nil }
            let locations = location.level.locations
            let strong = locations.filter { $0.modifier == .prefixBeforeRegex }
            guard !strong.isEmpty, let own = checker.language(of: place.pattern) else { return nil }
            if case .confirmed = verdict(.location(location)) { return nil }
            func paths(_ locations: [RuleModel.Location]) -> [Language]? {
                let found = locations.compactMap {
                    try? Automaton(beginningWith: $0.name, limits: options.limits.expression)
                }
                return found.count == locations.count ? found.map(Language.automaton) : nil
            }
            // A longer prefix without it leaves its paths to expressions.
            let longer = locations.filter { other in
                other.modifier == .prefix && strong.contains { other.name.starts(with: $0.name) }
            }
            guard let covered = paths(strong), let left = paths(longer) else { return nil }
            let some = Language.intersection([own, place.domain])
            let open = Language.union([.complement(.union(covered))] + left)
            guard !checker.isEmpty(some), checker.isEmpty(some, open) else { return nil }
            let covers = zip(strong, covered).filter { !checker.isEmpty(some, $0.1) }.map(\.0.position)
            return LintFound(
                location.position,
                "no request reaches this: \(covers.map(shown).joined(separator: ", ")) with ^~ has all of its paths",
                advice: "remove the ^~ there"
            )
            .covered(by: covers, "no path that it matches is left by the prefixes with ^~")
        }
    }

    /// Named locations that nothing names.
    private func unnamed() -> [LintFound] {
        var names: Set<String> = []
        for node in tree.nodes where node.name != "location" {
            // An upstream may answer with X-Accel-Redirect.
            if node.name.hasSuffix("_pass") { return [] }
            for word in node.arguments where word.bytes.first == UInt8(ascii: "@") { names.insert(word.text) }
            // A variable may have the name, or a part of it.
            let isTarget = node.name == "error_page" || node.name == "try_files"
            if isTarget, node.arguments.last?.text.contains(/^@?[^\/]*\$/) == true { return [] }
        }
        return directives("location")
            .compactMap { node in
                guard let name = node.arguments.first?.text, name.hasPrefix("@"), !names.contains(name) else {
                    return nil
                }
                return LintFound(node.position, "nothing names \(name): no request reaches this", advice: "remove it")
                    .fixed(by: removal(of: node.position))
            }
    }

    func unreachableServer() -> [LintFound] {
        let servers = model.servers.compactMap { server -> LintFound? in
            let words = names(of: server)
            let isReached = model.listens.contains { listen in
                listen.defaultServer == server || listen.serverWithoutName == server || listen.hasOneServer
                    || listen.expressions.contains { $0.server == server }
                    || words.contains { word in
                        guard let name = HostNamePattern(word.bytes), name.kind == .exact else { return true }
                        return listen.server(named: name.literal) == server
                    }
            }
            guard !isReached, !words.isEmpty, !model.listens.isEmpty else { return nil }
            return LintFound(
                server.position,
                "no request reaches this server: other servers have all of its names",
                advice: "add a name that no other server has, or remove it"
            )
            .remarking("proved: each of its names is looked up in every address, and found elsewhere")
        }
        return servers + namesWithoutHosts()
    }

    /// The most names that are put together for a proof.
    private static let mostNames = 200

    /// The expressions among the names of servers to which no other name leaves a host.
    private func namesWithoutHosts() -> [LintFound] {
        var covers: [SourcePosition: (word: Word, by: [SourcePosition], isAlive: Bool)] = [:]
        for listen in model.listens where !listen.expressions.isEmpty {
            var before = plainNames(of: listen)
            for (expression, server) in listen.expressions.prefix(Self.mostNames) {
                guard let word = name(expression, of: server), let own = checker.language(of: expression),
                    let hosts = checker.language(LookedAtExpressions.hosts)
                else { continue }
                let some = Language.intersection([own, hosts])
                let isTaken = checker.isEmpty(some.subtracting(.union(before.map(\.language))))
                // Another check reports an expression that matches no host at all.
                let isAlive = !isTaken || checker.isEmpty(some)
                let one = before.first { !isAlive && checker.isEmpty(some.subtracting($0.language)) }
                var entry = covers[word.position] ?? (word, [], false)
                entry.isAlive = entry.isAlive || isAlive
                if let one, !entry.by.contains(one.position) { entry.by.append(one.position) }
                covers[word.position] = entry
                before.append((own, word.position))
            }
        }
        return covers.values.filter { !$0.isAlive }.sorted { $0.word.position < $1.word.position }
            .map { word, places, _ in
                let others = places.isEmpty ? "others" : places.map(shown).joined(separator: ", ")
                return LintFound(
                    word,
                    "this name gets no requests: all of its hosts belong to \(others)",
                    advice: "put it first, or remove it; names without an expression always come first"
                )
                .remarking("proved: it matches no host that the names before it leave")
            }
    }

    /// The hosts of the names without an expression on an address.
    private func plainNames(of listen: RuleModel.Listen) -> [(language: Language, position: SourcePosition)] {
        directives("server_name").flatMap(\.arguments).lazy
            .compactMap { word -> (language: Language, position: SourcePosition)? in
                guard word.bytes.first != UInt8(ascii: "~"), let name = HostNamePattern(word.bytes),
                    name.literal.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }),
                    listen.server(named: name.someHost) != nil
                else { return nil }
                let literal = name.literal.asText.replacing(".", with: "\\.")
                let pattern =
                    switch name.kind {
                    case .exact: "^\(literal)\\z"
                    case .domain: "^([^/]*\\.)?\(literal)\\z"
                    case .subdomains: "^[^/]*\\.\(literal)\\z"
                    case .prefix: "^\(literal)\\."
                    }
                return self.checker.language(pattern).map { ($0, word.position) }
            }
            .prefix(Self.mostNames).map { $0 }
    }

    /// The words that name the hosts of a server.
    func names(of server: RuleModel.Server) -> [Word] {
        let names = tree.node(at: server.position).map { tree.children(of: $0, named: "server_name") } ?? []
        return names.flatMap { tree.nodes[$0].arguments }
    }

    /// The word of an expression among the names of a server.
    func name(_ expression: RuleModel.Expression, of server: RuleModel.Server) -> Word? {
        let text = [UInt8(ascii: "~")] + expression.expression.pattern
        return names(of: server).first { $0.bytes == text }
    }
}
