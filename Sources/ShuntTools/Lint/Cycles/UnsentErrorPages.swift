import Shunt

/// Error pages that the same cause keeps from being sent.
extension LintCheck {
    /// The most lists of addresses of which a refused client is looked for.
    private static let mostLists = 256

    /// Each `error_page` whose page is refused to the clients whose refusal leads to it.
    static func deniedErrorPages(_ subject: LintSubject) -> [LintFound] {
        let pages = (subject.tree.named["error_page"] ?? []).map { subject.tree.nodes[$0] }
        guard pages.contains(where: { $0.arguments.contains { $0.text == "403" } }) else { return [] }
        let targets = TargetSolver(subject.solver)
        var known: Set<SourcePosition> = []
        return subject.model.accessRules.prefix(mostLists)
            .compactMap { list in
                for rule in list.rules.filter({ !$0.allows }).prefix(2) {
                    guard let request = targets.request(reaching: .rule(rule.position)) else { continue }
                    let sighting = subject.solver.ask(request)
                    guard let page = subject.errorPage(in: sighting, between: rule.position, of: .note),
                        known.insert(page).inserted
                    else { continue }
                    return unsent(
                        page,
                        "\(subject.shown(rule.position)) refuses the request for it, too",
                        advice: "write allow all; into a location for the page"
                    )
                    .confirmed(by: LintWitness(request: sighting.request, decision: sighting.decision))
                }
                return nil
            }
    }

    /// The most locations with an `error_page` for which its page is looked up.
    private static let mostLocations = 16

    /// Each `error_page` for 502 whose page is of the upstream that did not answer.
    static func deadErrorPages(_ subject: LintSubject) -> [LintFound] {
        var known: Set<SourcePosition> = []
        var tried: [SourcePosition: Int] = [:]
        return subject.model.locations.compactMap { location in
            guard location.settings.proxy != nil,
                let page = location.settings.errorPages?.pages.first(where: { $0.code == 502 }),
                let path = page.target.constant, path.first == UInt8(ascii: "/"), !known.contains(page.position),
                // The location of the page itself.
                location.modifier != .exact || !location.name.elementsEqual(path),
                tried[page.position, default: 0] < mostLocations,
                case .confirmed(let request) = subject.verdict(.location(location)),
                case .target(_, let host) = request.request.subject
            else { return nil }
            tried[page.position, default: 0] += 1
            let asked = subject.decide(request)
            let witness = subject.decide(like: request) { $0.subject = .target(path, host: host) }
            let files = RecordingFiles()
            var options = Engine.Options()
            options.fileSystem = files
            _ = Engine(subject.ruleSet, options: options).decide(subject.solver.served(witness.request.request))
            // A file may be the page.
            guard files.missing.isEmpty, asked.decision.kind == .forward, witness.decision.kind == .forward,
                let upstream = asked.decision.url.flatMap(HostOfURL.init),
                let other = witness.decision.url.flatMap(HostOfURL.init),
                (upstream.scheme, upstream.host) == (other.scheme, other.host), upstream.port == other.port
            else { return nil }
            known.insert(page.position)
            return unsent(
                page.position,
                "it comes from the upstream that does not answer",
                advice: "write a location for the page that sends a file or a text"
            )
            .confirmed(by: witness)
        }
    }

    private static func unsent(_ page: SourcePosition, _ reason: String, advice: String) -> LintFound {
        var found = LintFound(page, "the page is never sent: \(reason)", advice: advice)
        found.severity = .warning
        return found
    }
}
