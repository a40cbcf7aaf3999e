import Shunt
import ShuntPatterns

extension LintCheck {
    static let dotStopsAtNewline = LintCheck(
        "dot-stops-at-newline",
        group: .security,
        severity: .warning,
        basis: .witness
    ) { subject in
        subject.model.locations.compactMap { location in
            guard let pattern = location.expression,
                case .confirmed(let request) = subject.verdict(.location(location)),
                subject.isTurnedAway(request), case .target(_, let host) = request.request.subject
            else { return nil }
            let expression = pattern.expression
            guard expression.pattern.contains(UInt8(ascii: ".")), let own = try? subject.checker.automaton(of: pattern),
                let wider = try? RegularExpression(
                    Array("(?s)".utf8) + expression.pattern,
                    caseless: expression.caseless
                ),
                let all = try? Automaton(wider, limits: subject.options.limits.expression),
                let paths = subject.checker.automaton(of: .path(mergesSlashes: true)),
                let path =
                    (try? Language.intersection([.automaton(paths), .automaton(all), .complement(.automaton(own))])
                        .shortestSubject(limits: subject.options.limits.proof)) ?? nil
            else { return nil }
            let witness = subject.decide(like: request) {
                $0.subject = .target(RequestAssembly.encoded(path), host: host)
            }
            guard witness.decision.kind == .forward || (witness.decision.status ?? 200) < 400 else { return nil }
            return LintFound(
                location.position,
                "an encoded line feed gets past this",
                advice: expression.pattern.hasDotstarAtEnd
                    ? "remove .*$, or write (?s) before it" : "write (?s) before it"
            )
            .confirmed(by: witness)
        }
    }

    static let prefixWithoutSlash = LintCheck(
        "prefix-without-slash",
        group: .security,
        severity: .warning,
        basis: .witness
    ) { subject in
        subject.model.locations.compactMap { location in
            let outer = location.parent?.settings ?? location.server.settings
            guard location.modifier.isPrefix, location.name.count > 1, location.name.last != UInt8(ascii: "/"),
                !location.name.contains(UInt8(ascii: ".")), let own = location.settings.accessRules,
                own != outer.accessRules,
                case .confirmed(let request) = subject.verdict(.location(location)),
                case .target(_, let host) = request.request.subject
            else { return nil }
            var other = request
            other.request.subject = .target(RequestAssembly.encoded(location.name + Array("a".utf8)), host: host)
            let sighting = subject.solver.ask(other)
            guard subject.solver.reaches(.location(location), sighting) else { return nil }
            let witness = LintWitness(request: other, decision: sighting.decision)
            let name = String(decoding: location.name, as: UTF8.self)
            return LintFound(
                location.position,
                "this matches \(name)a as well",
                advice: "write location = \(name) and location \(name)/"
            )
            .confirmed(by: witness)
        }
    }
}

extension LintSubject {
    /// Returns true if a request is refused.
    fileprivate func isTurnedAway(_ request: RequestDescription) -> Bool {
        let decision = decide(request).decision
        if decision.kind == .block { return true }
        // A file that is not there guards nothing.
        let isFile = tree.directive(at: decision.position).map { $0.name == "try_files" } ?? true
        return decision.kind == .respond && (decision.status ?? 200) >= 400 && !(decision.status == 404 && isFile)
    }
}

extension [UInt8] {
    fileprivate var hasDotstarAtEnd: Bool {
        [".*$", ".*", ".*)$"].contains { suffix($0.utf8.count).elementsEqual($0.utf8) }
    }
}
