import Shunt

extension LintSubject {
    func aliasTraversal() -> [LintFound] {
        capturedAliases() + chosenFolders()
            + model.locations.compactMap { location in
                guard location.settings.isAlias, location.modifier.isPrefix, location.name.last != UInt8(ascii: "/"),
                    let alias = location.settings.root?.constant,
                    case .confirmed(let request) = verdict(.location(location))
                else { return nil }
                let isLeft = alias.last == UInt8(ascii: "/")
                let path = location.name + Array((isLeft ? "../secret" : "a").utf8)
                guard let witness = RequestDescription(request.request).asking(path: path).map(decide),
                    let file = file(askedBy: witness.request.request),
                    file.contains(isLeft ? "/../" : alias.asText + "a")
                else { return nil }
                return aliasFinding(location, isLeft: isLeft, "write location \(location.name.asText)/")
                    .confirmed(by: witness, "\(witness.request) requests the file \(file)")
            }
    }

    /// The finding about a location whose alias a request leaves, or that looks up what is next to the folder.
    private func aliasFinding(_ location: RuleModel.Location, isLeft: Bool, _ advice: String) -> LintFound {
        LintFound(
            location.settings.rootPosition ?? location.position,
            isLeft
                ? "a request can leave the folder of this alias"
                : "names that begin like the location are looked up next to the folder",
            advice: advice
        )
        .rated(.warning, if: !isLeft)
    }

    /// Files in a folder that a header, a cookie or an argument names.
    private func chosenFolders() -> [LintFound] {
        var known: Set<SourcePosition> = []
        return model.locations.compactMap { location in
            let settings = location.settings
            // A Host has no slash.
            guard let position = settings.rootPosition, !known.contains(position),
                let part = settings.root?.choices.map(\.part)
                    .first(where: { ($0.variable?.isChosenByClient ?? false) && $0.name != "$http_host" }),
                let found = witness(
                    giving: part,
                    ["../secret", "/../secret"],
                    to: .location(location),
                    where: {
                        file(askedBy: $0.request.request)?.contains("/../secret") == true
                    }
                )
            else { return nil }
            known.insert(position)
            return LintFound(
                position,
                "a request can leave the folder of this \(settings.isAlias ? "alias" : "root"): it chooses \(part.name)",
                advice: "take the folder from a map"
            )
            .confirmed(by: found)
        }
    }

    /// Locations by an expression whose capture leads out of the folder.
    private func capturedAliases() -> [LintFound] {
        model.locations.compactMap { location in
            guard location.settings.isAlias, let root = location.settings.root, location.modifier.isRegex,
                let choice = root.choices.first, !choice.before.isEmpty
            else { return nil }
            func witness(_ capture: String, asking wanted: String) -> LintWitness? {
                self.witness(giving: choice.part, [capture], to: .location(location)) { witness in
                    file(askedBy: witness.request.request)?.contains(wanted) == true
                }
            }
            let isLeft = choice.before.hasSuffix("/")
            let folder = choice.before.asText
            // A group that may have a slash is for what is in the folder.
            guard isLeft || witness("a/b", asking: folder + "a/b") != nil,
                let found = witness(isLeft ? "../secret" : "a", asking: isLeft ? "/../" : folder + "a"),
                let file = file(askedBy: found.request.request)
            else { return nil }
            let advice = "write a slash before the group, in the expression and in the alias"
            return aliasFinding(location, isLeft: isLeft, advice)
                .confirmed(by: found, "\(found.request) requests the file \(file)")
        }
    }

    func filesystemRootExposure() -> [LintFound] {
        directives("root", "alias")
            .compactMap { node in
                guard let word = node.arguments.first, word.bytes.first == UInt8(ascii: "/") else { return nil }
                var depth = 0
                for part in word.text.split(separator: "/") where part != "." {
                    depth = part == ".." ? max(0, depth - 1) : depth + 1
                }
                return depth == 0
                    ? LintFound(word, "this is the root of the file system", advice: "name the folder that is meant")
                    : nil
            }
    }

    func secretInRules() -> [LintFound] {
        let secrets = directives("secure_link_secret").compactMap(\.arguments.first)
            .map { word in
                LintFound(
                    word,
                    "the secret of the links is in a rule file",
                    advice: "use secure_link with a key that few can read"
                )
            }
        let passwords = tree.nodes.flatMap(\.arguments).filter { Self.hasPassword($0.text) }
            .map { LintFound($0, "this URL contains a password", advice: "send it in a header from another place") }
        return secrets + passwords + knownTokens()
    }

    /// The tokens that requests are compared with, in a test or as keys of a map, and those that are sent on.
    private func knownTokens() -> [LintFound] {
        func isToken(_ variable: RuleModel.Variable?) -> Bool {
            variable?.name
                .wholeMatch(
                    of: /(?:http|arg|cookie)_(?:.*_)?(?:api_?key|access_?key|token|secret|password|authorization)/
                ) != nil
        }
        let shortest = 8
        let tests = model.steps
            .filter { step in
                guard step.position.isPlace, let condition = step.condition, condition.kind == .equal else {
                    return false
                }
                return isToken(condition.variable) && (condition.text?.constant?.count ?? 0) >= shortest
            }
            .map(\.position)
        let keys = model.maps.filter { isToken($0.source.onlyVariable) }
            .compactMap { map in
                map.entries.first { $0.expression == nil && $0.key.bytes.count >= shortest }?.key.position
            }
        let sent = directives("proxy_set_header")
            .filter { $0.arguments.count > 1 && $0.arguments[0].text.lowercased() == "authorization" }
            .filter { $0.arguments[1].text.wholeMatch(of: /(?:Basic|Bearer) [^$]+/) != nil }.map(\.position)
        return (tests + keys + sent)
            .map {
                LintFound(
                    $0,
                    "a token of clients is in a rule file",
                    advice: "include it from a file that few can read"
                )
            }
    }

    /// Returns true if a URL has a user with a password.
    private static func hasPassword(_ text: String) -> Bool {
        guard let mark = text.firstRange(of: "://") else { return false }
        let authority = text[mark.upperBound...].prefix { !"/?# ".contains($0) }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else {
            return false
        }
        let password = authority[authority.index(after: colon)..<at]
        return !password.isEmpty && password.allSatisfy { $0.isLetter || $0.isNumber || "-_.!~".contains($0) }
            && authority[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    }

    /// The first file that a request asks for.
    func file(askedBy request: RuleRequest) -> String? {
        let recorder = RecordingFiles()
        _ = Engine(ruleSet, files: recorder).decide(request)
        return recorder.missing.first
    }
}
