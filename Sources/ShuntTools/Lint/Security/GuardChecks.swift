import Shunt
import ShuntPatterns

extension LintSubject {
    func dotStopsAtNewline() -> [LintFound] {
        model.locations.compactMap { location in
            guard let pattern = location.expression, case .confirmed(let request) = verdict(.location(location)),
                isTurnedAway(request)
            else { return nil }
            // A dot that is not repeated is meant as a dot.
            let text = Array(
                pattern.expression.pattern.asText.replacing(/\\.|\.(?![*+?{])/) { $0.output == "." ? "\\." : $0.output }
                    .utf8
            )
            guard text.contains(UInt8(ascii: ".")), let own = checker.language(of: pattern),
                let all = checker.language(Array("(?s)".utf8) + text, like: pattern), let paths = checker.normalPaths,
                let path = checker.shortest(paths, all, .complement(own)),
                // What another location takes with any character there is not let in by the line feed.
                let plain = request.asking(path: path.map { $0 == 0x0a ? UInt8(ascii: "a") : $0 }), isTurnedAway(plain),
                let witness = request.asking(path: path).map(decide),
                witness.decision.kind == .forward || (witness.decision.status ?? 200) < 400
            else { return nil }
            return LintFound(
                location.position,
                "an encoded line feed gets past this",
                advice: text.hasDotstarAtEnd ? "remove .*$, or write (?s) before it" : "write (?s) before it"
            )
            .confirmed(by: witness)
        }
    }

    func prefixWithoutSlash() -> [LintFound] {
        model.locations.compactMap { location in
            let outer = location.parent?.settings ?? location.server.settings
            guard location.modifier.isPrefix, location.name.count > 1, location.name.last != UInt8(ascii: "/"),
                !location.name.contains(UInt8(ascii: ".")),
                // It guards, or lets in without the login that is asked for around it.
                location.settings.accessRules.map({ $0 != outer.accessRules }) ?? false
                    || outer.asksForLogin && !location.settings.asksForLogin,
                case .confirmed(let request) = verdict(.location(location)),
                let other = request.asking(path: location.name + [UInt8(ascii: "a")]),
                let witness = decide(other, reaching: .location(location))
            else { return nil }
            let name = location.name.asText
            return LintFound(
                location.position,
                "this matches \(name)a as well",
                advice: "write location = \(name) and location \(name)/"
            )
            .confirmed(by: witness)
        }
    }

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
