import Shunt

extension LintSubject {
    func regexBeforePrefix() -> [LintFound] {
        model.locations.compactMap { location in
            guard location.modifier == .prefix, location.name.count > 1 else { return nil }
            return self.expression(takingPartOf: location) { _ in true }
                .map { expression, witness in
                    LintFound(
                        location.position,
                        "\(shown(expression.position)) matches a part of this location",
                        advice: "write ^~ before the prefix if it is to have all"
                    )
                    .confirmed(by: witness)
                }
        }
    }

    func tryFilesWithAlias() -> [LintFound] {
        model.locations.compactMap { location in
            guard location.settings.isAlias, let rule = location.settings.tryFiles,
                case .confirmed(let request) = verdict(.location(location)), let target = request.target
            else { return nil }
            var asked = request
            asked.files = []
            let witness = decide(asked)
            if location.modifier.isRegex {
                let path = String(decoding: target.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
                guard let file = file(askedBy: request.request), file.hasSuffix(path), file.count > path.count else {
                    return nil
                }
                return LintFound(
                    rule.position,
                    "the path of the request is appended to the alias",
                    advice: "use root, or a name that the expression captured"
                )
                .confirmed(by: witness, "\(asked) requests the file \(file)")
            }
            guard let path = witness.decision.uri, path.first != UInt8(ascii: "/") else { return nil }
            return LintFound(
                rule.position,
                "the fallback loses the prefix of the location",
                advice: "use root, or a named location"
            )
            .confirmed(by: witness, "\(asked) continues with the path \(ShownBytes.text(path))")
        }
    }

    func limitExceptBypass() -> [LintFound] {
        model.locations.flatMap { location -> [LintFound] in
            guard let limit = location.settings.methodLimit,
                case .confirmed(let own) = verdict(.location(location)),
                let method = ["DELETE", "PUT", "POST", "GET"].map({ Array($0.utf8) })
                    .first(where: { !limit.methods.contains($0) })
            else { return [] }
            func asked(_ request: RequestDescription) -> LintWitness {
                decide(like: request) {
                    $0.methodBytes = method
                    $0.remoteAddress = "203.0.113.77"
                }
            }
            guard asked(own).decision.status == 403 else { return [] }
            return (location.inner?.locations ?? [])
                .compactMap { inner in
                    let goal = RuleGoal.location(inner)
                    guard case .confirmed(let request) = verdict(goal) else { return nil }
                    let witness = asked(request)
                    guard witness.decision.status != 403, witness.decision.kind != .fail,
                        solver.reaches(goal, solver.ask(witness.request))
                    else { return nil }
                    return LintFound(
                        inner.position,
                        "the limit_except of \(shown(location.position)) does not apply here",
                        advice: "repeat it here"
                    )
                    .confirmed(by: witness)
                }
        }
    }

    /// A location by an expression that takes a request in the place of a prefix location, with the request; nil if none is found.
    func expression(
        takingPartOf location: RuleModel.Location,
        among most: Int = .max,
        where isMeant: (LintWitness) -> Bool
    ) -> (location: RuleModel.Location, witness: LintWitness)? {
        guard let path = solver.goals.pathTest(location) else { return nil }
        let tests = [SourceTest(source: .path, test: path)]
        for expression in location.level.expressions.prefix(most) {
            let witness = request(to: .location(expression), where: tests) { witness in
                let sighting = solver.ask(witness.request)
                return isMeant(witness) && solver.reaches(.location(expression), sighting)
                    && !solver.reaches(.location(location), sighting)
            }
            if let witness { return (expression, witness) }
        }
        return nil
    }

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
