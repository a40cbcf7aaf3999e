import Shunt

extension LintSubject {
    func aliasWithoutSlash() -> [LintFound] {
        let found = model.locations.compactMap { location -> LintFound? in
            guard location.settings.isAlias, location.modifier.isPrefix,
                location.name.last == UInt8(ascii: "/"), let alias = location.settings.root?.constant,
                alias.last != UInt8(ascii: "/"), let asked = request(to: location, followedBy: "name"),
                let path = file(askedBy: asked.request), path.hasPrefix(alias.asText + "name")
            else { return nil }
            return LintFound(
                location.settings.rootPosition ?? location.position,
                "names are appended to the last part of this path",
                advice: "end it in a slash"
            )
            .confirmed(by: decide(asked), "\(asked) requests the file \(path)")
        }
        return found + fixedAliases()
    }

    /// Folders that are the whole path of each file of a location with an expression.
    private func fixedAliases() -> [LintFound] {
        model.locations.compactMap { location in
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

    func joinedUpstreamPath() -> [LintFound] {
        model.locations.compactMap { location in
            guard let proxy = location.settings.proxy, location.settings.namesHandler, !proxy.hasVariables,
                location.modifier.isPrefix, let last = proxy.path.last
            else { return nil }
            let (isOuter, isInner) = (location.name.last == UInt8(ascii: "/"), last == UInt8(ascii: "/"))
            let text = isOuter ? "name" : "/name"
            guard isOuter != isInner, let witness = request(to: location, followedBy: text).map(decide),
                witness.decision.isUpstream, witness.decision.urlBytes?.hasSuffix(proxy.path.asText + text) == true
            else { return nil }
            return LintFound(
                proxy.position,
                isOuter
                    ? "names are appended to the last part of this path"
                    : "two slashes follow each other in the path that the upstream gets",
                advice: isOuter ? "end it in a slash" : "end the location in a slash, or the path in none"
            )
            .rated(.note, if: !isOuter).confirmed(by: witness)
        }
    }

    /// A request that reaches a location by its prefix and a text after it; nil if none is known.
    fileprivate func request(to location: RuleModel.Location, followedBy text: String) -> RequestDescription? {
        guard case .confirmed(let request) = verdict(.location(location)),
            let asked = request.asking(path: location.name + Array(text.utf8))
        else { return nil }
        return decide(asked, reaching: .location(location))?.request
    }
}
