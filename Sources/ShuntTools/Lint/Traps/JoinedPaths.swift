import Shunt

extension LintCheck {
    static let aliasWithoutSlash = LintCheck(
        "alias-without-slash",
        group: .nginx,
        severity: .warning,
        basis: .witness
    ) { subject in
        subject.model.locations.compactMap { location in
            guard location.settings.isAlias, location.modifier.isPrefix,
                location.name.last == UInt8(ascii: "/"), let alias = location.settings.root?.constant,
                alias.last != UInt8(ascii: "/"), let asked = subject.request(to: location, followedBy: "name"),
                let path = subject.file(askedBy: asked.request), path.hasPrefix(alias.asText + "name")
            else { return nil }
            return LintFound(
                location.settings.rootPosition ?? location.position,
                "names are appended to the last part of this path",
                advice: "end it in a slash"
            )
            .shown(by: [subject.decide(asked)]).remarking("confirmed: \(asked) requests the file \(path)")
        } + fixedAliases(subject)
    }

    /// Folders that are the whole path of each file of a location with an expression.
    private static func fixedAliases(_ subject: LintSubject) -> [LintFound] {
        subject.model.locations.compactMap { location in
            guard location.settings.isAlias, location.modifier.isRegex, let alias = location.settings.root?.constant,
                alias.last == UInt8(ascii: "/"), let place = location.settings.rootPosition
            else { return nil }
            return LintFound(
                place,
                "each path of this location is the folder itself: nothing of the path follows an alias here",
                advice: "capture the rest, and write alias \(alias.asText)$1"
            )
        }
    }

    static let joinedUpstreamPath = LintCheck(
        "joined-upstream-path",
        group: .nginx,
        severity: .warning,
        basis: .witness
    ) { subject in
        subject.model.locations.compactMap { location in
            guard let proxy = location.settings.proxy, location.settings.namesHandler, !proxy.hasVariables,
                location.modifier.isPrefix, let last = proxy.path.last
            else { return nil }
            let (isOuter, isInner) = (location.name.last == UInt8(ascii: "/"), last == UInt8(ascii: "/"))
            let text = isOuter ? "name" : "/name"
            guard isOuter != isInner, let asked = subject.request(to: location, followedBy: text) else { return nil }
            let witness = subject.decide(asked)
            guard witness.decision.isUpstream, witness.decision.url?.hasSuffix(proxy.path.asText + text) == true else {
                return nil
            }
            var found = LintFound(
                proxy.position,
                isOuter
                    ? "names are appended to the last part of this path"
                    : "two slashes follow each other in the path that the upstream gets",
                advice: isOuter ? "end it in a slash" : "end the location in a slash, or the path in none"
            )
            if !isOuter { found.severity = .note }
            return found.confirmed(by: witness)
        }
    }
}

extension LintSubject {
    /// A request that reaches a location by its prefix and a text after it; nil if none is known.
    fileprivate func request(to location: RuleModel.Location, followedBy text: String) -> RequestDescription? {
        guard case .confirmed(var request) = verdict(.location(location)),
            case .target(_, let host) = request.request.subject
        else { return nil }
        request.request.subject = .target(RequestAssembly.encoded(location.name + Array(text.utf8)), host: host)
        return solver.reaches(.location(location), solver.ask(request)) ? request : nil
    }
}
