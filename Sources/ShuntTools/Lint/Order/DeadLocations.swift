import ShuntCore
import ShuntPatterns
import ShuntRules

extension LintCheck {
    static let unreachableLocation = LintCheck(
        "unreachable-location",
        group: .order,
        severity: .warning,
        basis: .proof,
        summary: "a location that no request reaches",
        explanation: """
            Rules of a server run before a location is chosen: a `return` there answers everything. Only `try_files`, `error_page` and the \
            like reach a location `@name`, and an `internal` one by its path.
            """,
        example: """
            server {
                return 301 https://www.example.com$request_uri;
                location /x { return 404; }
            }
            """
    ) { subject in
        answered(subject) + unnamed(subject) + taken(subject)
    }

    /// Locations of servers that answer all requests before.
    private static func answered(_ subject: LintSubject) -> [LintFound] {
        let program = subject.program
        var found: [LintFound] = []
        for sequence in subject.outline.sequences {
            guard case .server(let server) = sequence.owner,
                let end = (sequence.start..<sequence.end)
                    .first(where: { index in
                        program.tables.instructions[index].operation == .finish
                            && subject.outline.ways(to: index).contains { $0.isEmpty }
                    })
            else { continue }
            let mayEndBefore = (sequence.start..<end)
                .contains { index in
                    let instruction = program.tables.instructions[index]
                    if instruction.operation == .rewrite {
                        let rule = program.tables.rewrites[instruction.a]
                        return rule.status == 0 && rule.flow != .next
                    }
                    return instruction.operation == .stop
                }
            if mayEndBefore { continue }
            let isError = program.tables.returns[program.tables.instructions[end].a].form == .error
            for (index, location) in program.tables.locations.enumerated()
            where subject.outline.servers[index] == server {
                if location.modifier == .named, isError { continue }
                guard subject.outline.parents[index] < 0 else { continue }
                let cover = subject.position(of: end)
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
        let program = subject.program
        let limits = subject.options.limits
        var found: [LintFound] = []
        for (index, location) in program.tables.locations.enumerated() where location.modifier == .prefix {
            guard location.name.count > 1,
                let own = try? Automaton(beginningWith: location.name, limits: limits.expression)
            else { continue }
            let expressions = program.tables.locations.indices.filter {
                program.tables.locations[$0].modifier.isRegex
                    && subject.outline.parents[$0] == subject.outline.parents[index]
                    && subject.outline.servers[$0] == subject.outline.servers[index]
            }
            let cover = expressions.first { other in
                let pattern = subject.outline.patterns[other]
                // What takes one of the paths may take all of them.
                guard !pattern.isNone, subject.checker.matches(pattern, location.name),
                    let automaton = try? subject.checker.automaton(of: pattern)
                else { return false }
                return (try? Language.automaton(own).isSubset(of: .automaton(automaton), limits: limits.proof)) == true
            }
            // Expressions in the location itself come first.
            guard let cover, location.level.isNone else { continue }
            let position = program.tables.locations[cover].position
            var finding = LintFound(
                location.position,
                "no request reaches this: \(subject.shown(position)) matches all of its paths",
                advice: "write ^~ before the prefix"
            )
            finding.covers = [position]
            finding.remarks = ["proved: its expression matches whatever begins with the prefix"]
            found.append(finding)
        }
        return found
    }

    /// Named locations that nothing names.
    private static func unnamed(_ subject: LintSubject) -> [LintFound] {
        var names: Set<String> = []
        var mayBeAny = false
        for node in subject.tree.nodes where node.name != "location" {
            for word in node.arguments {
                if word.bytes.first == UInt8(ascii: "@") { names.insert(word.text) }
                // An `error_page` may take the name from a variable.
                if node.name == "error_page", word.bytes.first == UInt8(ascii: "$") { mayBeAny = true }
            }
        }
        guard !mayBeAny else { return [] }
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
        basis: .proof,
        summary: "a server whose names all belong to other servers",
        explanation: """
            Of two servers with one name on one address the first has it. A server without a remaining name, which is not the default of \
            an address, gets no requests.
            """,
        example: """
            server { server_name www.example.com; return 204; }
            server { server_name www.example.com; return 404; }
            """
    ) { subject in
        let program = subject.program
        return program.tables.servers.indices.compactMap { server in
            let own = ServerIndex(server)
            let node = subject.tree.node(at: program.tables.servers[server].position)
            let words =
                node.map { subject.tree.children(of: $0, named: "server_name") }?
                .flatMap { subject.tree.nodes[$0].arguments } ?? []
            for listen in program.tables.listens {
                if listen.defaultServer == own || listen.emptyNameServer == own || listen.hasOneServer
                    || listen.patternServers.contains(own)
                {
                    return nil
                }
                for word in words {
                    guard let name = HostNamePattern(word.bytes), name.kind == .exact,
                        listen.names.value(of: name.literal.span) != own.number
                    else { return nil }
                }
            }
            guard !words.isEmpty, !program.tables.listens.isEmpty else { return nil }
            return LintFound(
                program.tables.servers[server].position,
                "no request reaches this server: other servers have all of its names",
                advice: "add a name that no other server has, or remove it"
            )
            .remarking("proved: each of its names is looked up in every address, and found elsewhere")
        }
    }
}
