import Shunt

/// The rules of which it is proved that nothing reaches them.
struct DeadRules {
    enum Kind {
        case unreachable
        case duplicate
        case conflict
    }

    private(set) var found: [(kind: Kind, finding: LintFound)] = []
    private let subject: LintSubject

    init(_ subject: LintSubject) {
        self.subject = subject
        var deadLocations: Set<RuleModel.Location> = []
        for location in subject.model.locations where location.modifier.isRegex && subject.isCovered(location) {
            deadLocations.insert(location)
            if location.chain.dropLast().contains(where: deadLocations.contains) { continue }
            if case .dead(let covers) = subject.verdict(.location(location)) {
                add(location.position, covers, isRule: false)
            }
        }
        for step in subject.rules {
            let around = step.sequence?.location?.chain ?? []
            if around.contains(where: deadLocations.contains) { continue }
            guard case .dead(let covers) = subject.verdict(.step(step)), !covers.isEmpty else { continue }
            add(step.position, covers, isRule: true)
        }
    }

    func findings(_ kind: Kind) -> [LintFound] { found.filter { $0.kind == kind }.map(\.finding) }

    private mutating func add(_ position: SourcePosition, _ covers: [SourceLocation], isRule: Bool) {
        let places = covers.compactMap { subject.model.position(of: $0) }
        let names = covers.map(\.description).joined(separator: ", ")
        let kind = places.count == 1 ? relation(position, places[0]) : .unreachable
        let (message, advice) =
            switch kind {
            case .duplicate: ("this rule is already at \(names)", "remove it")
            case .conflict:
                (
                    "\(names) is for the same requests, does something else, and comes first",
                    "decide which of the two is meant"
                )
            case .unreachable:
                (
                    "\(isRule ? "never decides" : "is never chosen"): "
                        + "\(covers.count == 1 ? "an earlier rule matches" : "earlier rules match") all that it matches",
                    covers.count == 1 ? "move it above \(names), or remove it" : "remove it"
                )
            }
        let finding = LintFound(position, message, advice: advice)
            .covered(by: places, "all that could reach this is decided by \(names)")
            // Variables that the block sets may be read elsewhere; what only decides can go.
            .fixed(by: isRule ? subject.removal(of: position) : [])
        found.append((kind, finding))
    }

    /// Returns the relation of two rules of which the first takes every request of the second.
    private func relation(_ position: SourcePosition, _ cover: SourcePosition) -> Kind {
        let words = subject.tree.directive(at: position)?.words.map(\.text) ?? []
        let others = subject.tree.directive(at: cover)?.words.map(\.text) ?? []
        guard words.first == others.first, words.count > 1 else { return .unreachable }
        if words == others,
            subject.tree.node(at: position).map({ subject.tree.nodes[$0].directive.block == nil }) == true
        {
            return .duplicate
        }
        let count: Int
        switch words[0] {
        case "rewrite", "rewrite_url", "rename_host": count = 2
        case "block", "degrade": count = 3
        default: return .unreachable
        }
        return words.count >= count && others.count >= count && words.prefix(count) == others.prefix(count)
            ? .conflict : .unreachable
    }
}

extension LintSubject {
    /// Returns true if it is proved that a location is never chosen.
    func isCovered(_ location: RuleModel.Location) -> Bool {
        if case .dead = verdict(.location(location)) { true } else { false }
    }

    /// The directives of a location that a `return` before them keeps from answering.
    func handlersAfterReturn() -> [LintFound] {
        directives("location")
            .flatMap { location -> [LintFound] in
                let inner = tree.nodes[location.children]
                // These may lead past a return.
                let leavesEarly = ["if", "rewrite", "break"]
                guard let answer = inner.first(where: { $0.name == "return" }),
                    !inner.contains(where: { leavesEarly.contains($0.name) })
                else { return [] }
                let handlers = ["proxy_pass", "fastcgi_pass", "uwsgi_pass", "scgi_pass", "grpc_pass", "try_files"]
                return inner.filter { handlers.contains($0.name) }
                    .map { handler in
                        LintFound(
                            handler.position,
                            "never decides: \(shown(answer.position)) answers before it",
                            advice: "remove one of the two"
                        )
                        .based(on: .structure)
                    }
            }
    }
}
