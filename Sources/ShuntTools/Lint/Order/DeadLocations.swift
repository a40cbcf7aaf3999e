import Shunt
import ShuntPatterns

extension LintCheck {
    static let unreachableLocation = LintCheck(
        "unreachable-location",
        group: .order,
        severity: .warning,
        basis: .proof
    ) { subject in
        let places = subject.model.locations.map(\.position)
        return (answered(subject) + taken(subject)).holdingEverywhere(among: places) + unnamed(subject)
            + hidden(subject)
    }

    /// Locations of servers that answer all requests before.
    private static func answered(_ subject: LintSubject) -> [LintFound] {
        var found: [LintFound] = []
        for sequence in subject.model.sequences {
            guard case .server(let server) = sequence.owner,
                let end = sequence.steps
                    .first(where: { $0.operation == .finish && $0.ways().contains(where: \.isEmpty) })
            else { continue }
            let mayEndBefore = end.before.contains { step in
                switch step.action {
                case .rewrite(let rule): rule.status == 0 && rule.flow != .next
                case .stop: true
                default: false
                }
            }
            if mayEndBefore { continue }
            let isError = end.answer?.form == .error
            for location in server.level?.locations ?? [] {
                if location.modifier == .named, isError { continue }
                let cover = end.position
                var finding = LintFound(
                    location.position,
                    "no request reaches this: the server answers all of them before",
                    advice: "put the answer of \(subject.shown(cover)) into a location / { … }"
                )
                finding.covers = [cover]
                finding.remarks = ["proved: nothing before \(subject.shown(cover)) lets a request pass"]
                found.append(finding)
            }
        }
        return found
    }

    /// Prefix locations all of whose paths an expression takes.
    private static func taken(_ subject: LintSubject) -> [LintFound] {
        let limits = subject.options.limits
        var found: [LintFound] = []
        for location in subject.model.locations where location.modifier == .prefix {
            guard !location.name.isEmpty,
                let own = try? Automaton(beginningWith: location.name, limits: limits.expression)
            else { continue }
            let cover = location.level.expressions.first { other in
                // What takes one of the paths may take all of them.
                guard let expression = other.expression, subject.checker.matches(expression, location.name),
                    let automaton = try? subject.checker.automaton(of: expression)
                else { return false }
                return (try? Language.automaton(own).isSubset(of: .automaton(automaton), limits: limits.proof)) == true
            }
            // Expressions in the location itself come first.
            guard let cover, location.inner == nil else { continue }
            let position = cover.position
            // A proxied location redirects the path without its slash, before expressions are tried.
            let short = Array(location.name.dropLast())
            let redirects =
                location.settings.proxy != nil && location.settings.namesHandler && location.name.last == 0x2f
                && !location.level.locations.contains { !$0.modifier.isRegex && $0.name == short }
            let reach =
                redirects ? "only the redirect of \(ShownBytes.text(short)) reaches this" : "no request reaches this"
            var finding = LintFound(
                location.position,
                "\(reach): \(subject.shown(position)) matches all of its paths",
                advice: "write ^~ before the prefix"
            )
            finding.covers = [position]
            finding.remarks = ["proved: its expression matches whatever begins with the prefix"]
            found.append(finding)
        }
        return found
    }

    /// Locations with an expression whose paths all belong to prefixes with `^~`.
    private static func hidden(_ subject: LintSubject) -> [LintFound] {
        let limits = subject.options.limits
        guard subject.model.locations.contains(where: { $0.modifier == .prefixBeforeRegex }) else { return [] }
        return subject.expressions.all.compactMap { place in
            guard case .location(let location)? = place.goal, location.parent == nil,
                subject.model.repetitions(of: location).count == 1
            else { return nil }
            let locations = location.level.locations
            let strong = locations.filter { $0.modifier == .prefixBeforeRegex }
            guard !strong.isEmpty, let own = try? subject.checker.automaton(of: place.pattern) else { return nil }
            if case .confirmed = subject.verdict(.location(location)) { return nil }
            func paths(_ locations: [RuleModel.Location]) -> [Language]? {
                let found = locations.compactMap {
                    try? Automaton(beginningWith: $0.name, limits: limits.expression)
                }
                return found.count == locations.count ? found.map(Language.automaton) : nil
            }
            // A longer prefix without it leaves its paths to expressions.
            let longer = locations.filter { other in
                other.modifier == .prefix && strong.contains { other.name.starts(with: $0.name) }
            }
            guard let covered = paths(strong), let left = paths(longer) else { return nil }
            let some = Language.intersection([.automaton(own), place.domain])
            let open = Language.union([.complement(.union(covered))] + left)
            guard !subject.isEmpty(some), subject.isEmpty(.intersection([some, open])) else { return nil }
            let covers = zip(strong, covered).filter { !subject.isEmpty(.intersection([some, $0.1])) }.map(\.0.position)
            var finding = LintFound(
                location.position,
                "no request reaches this: \(covers.map(subject.shown).joined(separator: ", ")) with ^~ has all of its paths",
                advice: "remove the ^~ there"
            )
            finding.covers = covers
            return finding.remarking("proved: no path that it matches is left by the prefixes with ^~")
        }
    }

    /// Named locations that nothing names.
    private static func unnamed(_ subject: LintSubject) -> [LintFound] {
        var names: Set<String> = []
        for node in subject.tree.nodes where node.name != "location" {
            // An upstream may answer with X-Accel-Redirect.
            if node.name.hasSuffix("_pass") { return [] }
            for word in node.arguments where word.bytes.first == UInt8(ascii: "@") { names.insert(word.text) }
            // A variable may have the name, or a part of it.
            let isTarget = node.name == "error_page" || node.name == "try_files"
            if isTarget, node.arguments.last?.text.contains(/^@?[^\/]*\$/) == true { return [] }
        }
        return subject.tree.named["location", default: []]
            .compactMap { index in
                let node = subject.tree.nodes[index]
                guard let name = node.arguments.first?.text, name.hasPrefix("@"), !names.contains(name) else {
                    return nil
                }
                var finding = LintFound(
                    node.position,
                    "nothing names \(name): no request reaches this",
                    advice: "remove it"
                )
                finding.edits = subject.removal(of: node.position)
                return finding
            }
    }

    static let unreachableServer = LintCheck(
        "unreachable-server",
        group: .order,
        severity: .warning,
        basis: .proof
    ) { subject in
        let listens = subject.model.listens
        let servers = subject.model.servers.compactMap { server -> LintFound? in
            let node = subject.tree.node(at: server.position)
            let words =
                node.map { subject.tree.children(of: $0, named: "server_name") }?
                .flatMap { subject.tree.nodes[$0].arguments } ?? []
            for listen in listens {
                if listen.defaultServer == server || listen.serverWithoutName == server || listen.hasOneServer
                    || listen.expressions.contains(where: { $0.server == server })
                {
                    return nil
                }
                for word in words {
                    guard let name = HostNamePattern(word.bytes), name.kind == .exact,
                        listen.server(named: name.literal) != server
                    else { return nil }
                }
            }
            guard !words.isEmpty, !listens.isEmpty else { return nil }
            return LintFound(
                server.position,
                "no request reaches this server: other servers have all of its names",
                advice: "add a name that no other server has, or remove it"
            )
            .remarking("proved: each of its names is looked up in every address, and found elsewhere")
        }
        return servers + names(subject)
    }

    /// The most names that are put together for a proof.
    private static let mostNames = 200

    /// The expressions among the names of servers to which no other name leaves a host.
    private static func names(_ subject: LintSubject) -> [LintFound] {
        var covers: [SourcePosition: (word: Word, by: [SourcePosition], isAlive: Bool)] = [:]
        for listen in subject.model.listens where !listen.expressions.isEmpty {
            var before = plainNames(of: listen, subject)
            for (expression, server) in listen.expressions.prefix(mostNames) {
                guard let word = subject.name(expression, of: server),
                    let own = try? subject.checker.automaton(of: expression),
                    let hosts = subject.checker.automaton(LookedAtExpressions.hosts)
                else { continue }
                let some = Language.intersection([.automaton(own), .automaton(hosts)])
                let isTaken = subject.isEmpty(some.subtracting(.union(before.map(\.language))))
                // Another check reports an expression that matches no host at all.
                let isAlive = !isTaken || subject.isEmpty(some)
                let one = before.first { !isAlive && subject.isEmpty(some.subtracting($0.language)) }
                var entry = covers[word.position] ?? (word, [], false)
                entry.isAlive = entry.isAlive || isAlive
                if let one, !entry.by.contains(one.position) { entry.by.append(one.position) }
                covers[word.position] = entry
                before.append((.automaton(own), word.position))
            }
        }
        return covers.values.filter { !$0.isAlive }.sorted { $0.word.position < $1.word.position }
            .map { word, places, _ in
                let others = places.isEmpty ? "others" : places.map(subject.shown).joined(separator: ", ")
                return LintFound(
                    word,
                    "this name gets no requests: all of its hosts belong to \(others)",
                    advice: "put it first, or remove it; names without an expression always come first"
                )
                .remarking("proved: it matches no host that the names before it leave")
            }
    }

    /// The hosts of the names without an expression on an address.
    private static func plainNames(
        of listen: RuleModel.Listen,
        _ subject: LintSubject
    ) -> [(language: Language, position: SourcePosition)] {
        let words = (subject.tree.named["server_name"] ?? []).flatMap { subject.tree.nodes[$0].arguments }
        return words.lazy
            .compactMap { word -> (language: Language, position: SourcePosition)? in
                guard word.bytes.first != UInt8(ascii: "~"), let name = HostNamePattern(word.bytes),
                    name.literal.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }),
                    listen.server(named: name.someHost) != nil
                else { return nil }
                let literal = String(decoding: name.literal, as: UTF8.self).replacing(".", with: "\\.")
                let pattern =
                    switch name.kind {
                    case .exact: "^\(literal)\\z"
                    case .domain: "^([^/]*\\.)?\(literal)\\z"
                    case .subdomains: "^[^/]*\\.\(literal)\\z"
                    case .prefix: "^\(literal)\\."
                    }
                return subject.checker.automaton(pattern).map { (.automaton($0), word.position) }
            }
            .prefix(mostNames).map { $0 }
    }
}

extension LintSubject {
    /// The word of an expression among the names of a server.
    func name(_ expression: RuleModel.Expression, of server: RuleModel.Server) -> Word? {
        let names = tree.node(at: server.position).map { tree.children(of: $0, named: "server_name") } ?? []
        let text = [UInt8(ascii: "~")] + expression.expression.pattern
        return names.flatMap { tree.nodes[$0].arguments }.first { $0.bytes == text }
    }

    /// Returns true if it is proved that a set has no text.
    fileprivate func isEmpty(_ language: Language) -> Bool {
        (try? language.isEmpty(limits: options.limits.proof)) == true
    }
}
