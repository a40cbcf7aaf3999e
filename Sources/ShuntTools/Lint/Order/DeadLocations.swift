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
            guard location.name.count > 1,
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
        let listens = subject.model.listens
        return subject.model.servers.compactMap { server in
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
    }
}
