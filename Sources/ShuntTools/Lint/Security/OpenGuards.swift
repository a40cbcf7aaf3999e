import Shunt
import ShuntPatterns

extension LintSubject {
    func exactGuard() -> [LintFound] {
        let found = model.locations.compactMap { location -> LintFound? in
            guard location.modifier == .exact, location.name.count > 1, location.name.last != UInt8(ascii: "/"),
                let guarded = barrier(location), guarded != .isInternal,
                case .confirmed(let request) = verdict(.location(location)),
                let below = request.asking(path: location.name + [UInt8(ascii: "/")]),
                let witness = letIn(below, past: guarded)
            else { return nil }
            // A file has no other address, except where an expression takes what follows its name for a part of it.
            if location.name.split(separator: UInt8(ascii: "/")).last?.contains(UInt8(ascii: ".")) == true {
                let asked = solver.ask(witness.request)
                let isTaken = location.level.expressions.prefix(Self.mostGuards)
                    .contains { other in
                        other.expression.map { checker.matches($0, location.name) } ?? false
                            && solver.reaches(.location(other), asked)
                    }
                guard isTaken, witness.decision.kind == .forward else { return nil }
            }
            let name = location.name.asText
            return LintFound(
                location.position,
                "this \(guarded.claim(name)), and \(name)/ gets through",
                advice: "write a location for \(name)/ as well"
            )
            .confirmed(by: witness)
        }
        return found + prefixGuards() + expressionGuards()
    }

    /// The most guarding locations, and the most expressions for each, of which a part is looked for that one lets in.
    private static let mostGuards = 64

    /// Guarding locations of which an expression takes a part that it lets in.
    private func prefixGuards() -> [LintFound] {
        model.locations.lazy
            .compactMap { location -> (RuleModel.Location, Barrier)? in
                guard location.modifier == .prefix, location.name.count > 1, !location.level.expressions.isEmpty else {
                    return nil
                }
                return self.barrier(location).map { (location, $0) }
            }
            .prefix(Self.mostGuards)
            .compactMap { location, guarded in
                var passing: LintWitness?
                let taken = expression(takingPartOf: location, among: Self.mostGuards) { witness in
                    passing = letIn(witness.request, past: guarded)
                    return passing != nil
                }
                guard let taken, let passing else { return nil }
                return LintFound(
                    location.position,
                    "this \(guarded.claim(ShownBytes.text(location.name))), and \(shown(taken.location.position)) lets a part of it in",
                    advice: "write ^~ before the prefix"
                )
                .confirmed(by: passing)
            }
    }

    /// The folders of version control, which guards are written for.
    private static let hiddenFolders = [".git", ".svn", ".hg", ".bzr"]

    /// Guarding locations whose expression ends with the name of a folder, and lets in what is below it.
    private func expressionGuards() -> [LintFound] {
        model.locations.lazy
            .compactMap { location -> (RuleModel.Location, Barrier)? in
                guard location.expression?.expression.pattern.last == UInt8(ascii: "$") else { return nil }
                return self.barrier(location).flatMap { $0 == .isInternal ? nil : (location, $0) }
            }
            .prefix(Self.mostGuards)
            .compactMap { location, guarded in
                guard case .confirmed(let request) = verdict(.location(location)),
                    let (folder, path) = pathBelow(location, request),
                    let witness = request.asking(path: path).flatMap({ letIn($0, past: guarded) })
                else { return nil }
                return LintFound(
                    location.position,
                    "this \(guarded.claim(folder)), and \(ShownBytes.text(path)) gets through",
                    advice: "write (/|$) at its end"
                )
                .confirmed(by: witness)
            }
    }

    /// A folder that an expression matches, and a path in it: one of version control, or a page whose whole path is matched.
    private func pathBelow(
        _ location: RuleModel.Location,
        _ request: RequestDescription
    ) -> (folder: String, path: [UInt8])? {
        guard let expression = location.expression else { return nil }
        if let hidden = Self.hiddenFolders.first(where: { checker.matches(expression, Array("/\($0)".utf8)) }) {
            return ("/\(hidden)", Array("/\(hidden)/config".utf8))
        }
        // A name with another sign in it is that of a file.
        guard expression.expression.pattern.first == UInt8(ascii: "^"), let folder = request.target?.asText,
            folder.wholeMatch(of: /\/.*[\w-]/) != nil, folder.split(separator: "/").last?.contains(/[^\w-]/) == false
        else { return nil }
        return (folder, Array("\(folder)/".utf8))
    }

    /// Nil for a location that lets every client in, or no other than those around it do.
    private func barrier(_ location: RuleModel.Location) -> Barrier? {
        let own = location.settings
        let outer = location.parent?.settings ?? location.server.settings
        if own.isInternal { return outer.isInternal ? nil : .isInternal }
        guard case .confirmed(let request) = verdict(.location(location)) else { return nil }
        if [401, 403].contains(decide(request).decision.status) { return .refusal }
        if own.asksForLogin, !outer.asksForLogin { return .login }
        let isRefused =
            own.accessRules != outer.accessRules
            && decide(like: request) { $0.remoteAddress = Self.foreignAddress }.decision.status == 403
        return isRefused ? .addresses : nil
    }

    /// The decision about a request that meets no such guard, and gets something; nil for another one.
    private func letIn(_ request: RequestDescription, past guarded: Barrier) -> LintWitness? {
        var asked = request
        if guarded == .addresses { asked.request.remoteAddress = Self.foreignAddress }
        let sighting = solver.ask(asked)
        guard sighting.decision.letsIn else { return nil }
        let asksForLogin = guarded == .login && loginGoals.contains { solver.reaches($0, sighting) }
        return asksForLogin ? nil : LintWitness(sighting)
    }

    /// The address of a client that no rule has in mind.
    static let foreignAddress = "203.0.113.77"

    /// Locations by an expression that let in what is turned away elsewhere, wherever their text is in the path.
    func locationsFoundAnywhere() -> [LintFound] {
        model.locations.compactMap { location in
            guard let expression = location.expression, checker.tree(of: expression)?.beginsWithFolder == true,
                case .confirmed(let request) = verdict(.location(location)), request.target != nil,
                decide(request).decision.letsIn, let own = checker.language(of: expression),
                let below = checker.language("^/x/[a-z0-9./-]+\\z"), let path = checker.shortest(own, below),
                // What does not have the text is turned away.
                let other = request.asking(path: Array("/x/".utf8)).map(decide), !other.decision.letsIn,
                let witness = request.asking(path: path).map(decide), witness.decision.letsIn,
                solver.reaches(.location(location), solver.ask(witness.request))
            else { return nil }
            return LintFound(
                location.position,
                "the text may be anywhere: \(ShownBytes.text(path)) gets in, too",
                advice: "write ^ before it"
            )
            .confirmed(by: witness)
        }
    }

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
                advice: [".*$", ".*", ".*)$"].contains { text.suffix($0.utf8.count).elementsEqual($0.utf8) }
                    ? "remove .*$, or write (?s) before it" : "write (?s) before it"
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

/// The guard of a location.
private enum Barrier {
    case refusal
    case addresses
    case login
    case isInternal

    /// The claim about the paths that it guards.
    func claim(_ name: String) -> String {
        switch self {
        case .refusal, .addresses: "turns \(name) away"
        case .login: "needs a login for \(name)"
        case .isInternal: "keeps clients from \(name)"
        }
    }
}

extension Decision {
    /// True if the client gets something.
    fileprivate var letsIn: Bool {
        switch kind {
        case .forward: true
        case .respond: (status ?? 200) < 400
        default: false
        }
    }
}

extension PatternNode {
    /// True if it begins with a slash and a name, and not at the start of the path.
    fileprivate var beginsWithFolder: Bool {
        switch self {
        case .literal(let text, _): text.count > 1 && text[0] == UInt8(ascii: "/") && text[1].isASCIILetter
        case .sequence(let nodes): nodes.first?.beginsWithFolder ?? false
        default: false
        }
    }
}
