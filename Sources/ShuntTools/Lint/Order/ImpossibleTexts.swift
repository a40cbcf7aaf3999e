import Shunt

extension LintSubject {
    func impossibleText() -> [LintFound] {
        locations() + keys() + names() + files() + tests()
    }

    // MARK: Locations

    private func locations() -> [LintFound] {
        model.locations.compactMap { location in
            guard !location.modifier.isRegex, location.modifier != .named,
                var word = tree.directive(at: location.position)?.arguments.last,
                // Each path begins with an empty prefix.
                location.modifier != .prefix || !location.name.isEmpty
            else { return nil }
            // The modifier may be in the same word.
            word.bytes = location.name
            let beginsWithSlash = expressions.pathsBeginWithSlash(inServer: location.server)
            let sign = location.modifier == .prefix ? nil : location.modifier.rawValue
            if let expression = ImpossibleText.expression(ofWildcards: word.text), expression != "$",
                !word.text.contains(".*") || !beginsWithSlash
            {
                let isPrefix = word.text.hasPrefix("/") && word.text.dropLast().allSatisfy { $0 != "*" }
                let meant = isPrefix ? "\(sign == "^~" ? "^~ " : "")\(word.text.dropLast())" : "~ \(expression)"
                return LintFound(
                    word,
                    "a \(sign == "=" ? "path" : "prefix") has no wildcards: this matches a * only",
                    advice: "write location \(meant)"
                )
            }
            if let found = Self.expression(word, beginsWithSlash: beginsWithSlash, insteadOf: sign) {
                return found
            }
            var problem = ImpossibleText(ofPath: word.bytes, beginsWithSlash: beginsWithSlash, insteadOf: sign)
            if problem == nil, expressions.pathsAreNormalized(inServer: location.server) {
                problem = ImpossibleText(ofPath: word.bytes, mergingSlashes: expressions.mergesSlashes)
            }
            return problem?.found(word, "no request reaches this location")
        }
    }

    /// A path that was meant as an expression; `sign` is what is before it.
    private static func expression(_ word: Word, beginsWithSlash: Bool, insteadOf sign: String?) -> LintFound? {
        let text = word.text
        let signs = ["(.*)", ".*", ".+", "[^", "[0-9", "[a-z", "\\.", "\\d", "(?:", "(?i)", "|"]
        let isMeant =
            text.hasPrefix("^") && beginsWithSlash && sign == nil || text.hasSuffix("$")
            || signs.contains { text.contains($0) }
        guard isMeant else { return nil }
        return LintFound(
            word,
            "this is compared as text, and not as an expression",
            advice: "write ~ \(sign.map { "in place of \($0)" } ?? "before it")"
        )
    }

    // MARK: Keys

    private func keys() -> [LintFound] {
        let beginsWithSlash = model.servers.allSatisfy(expressions.pathsBeginWithSlash)
        let areNormal = model.servers.allSatisfy(expressions.pathsAreNormalized)
        let mergesSlashes = expressions.mergesSlashes
        let areServers = expressions.areServersOnly
        return model.maps.flatMap { map -> [LintFound] in
            let part = KeyedPart(map.source)
            let variable = areServers ? map.source.onlyVariable : nil
            let values = variable.flatMap(\.builtin).flatMap(KnownValues.init)
            // Keys before it are texts, as in nginx.
            let hostnames = tree.node(at: map.position)
                .flatMap { tree.nodes[tree.nodes[$0].children].first { $0.name == "hostnames" }?.position }
            return map.entries
                .compactMap { entry in
                    guard entry.expression == nil, !entry.key.bytes.elementsEqual("default".utf8) else { return nil }
                    let key = entry.key.plainKey
                    guard !key.isEmpty else { return nil }
                    let problem: ImpossibleText? =
                        switch part {
                        case .path:
                            ImpossibleText(ofWildcard: entry.key.text)
                                ?? ImpossibleText(ofPath: key, beginsWithSlash: beginsWithSlash)
                                ?? (areNormal ? ImpossibleText(ofPath: key, mergingSlashes: mergesSlashes) : nil)
                        case .target: ImpossibleText(ofWildcard: entry.key.text) ?? ImpossibleText(ofTarget: key)
                        case .host, .sentHost:
                            ImpossibleText(
                                ofHost: key,
                                isSent: part == .sentHost,
                                hasWildcards: map.hasHosts && !entry.isBefore(hostnames)
                            )
                        case .pathAndQuery:
                            ImpossibleText(ofWildcard: entry.key.text)
                                ?? ImpossibleText(
                                    ofPath: Array(key.prefix { $0 != UInt8(ascii: "?") }),
                                    beginsWithSlash: beginsWithSlash
                                )
                        case .hostAndPath: ImpossibleText(ofHostAndPath: key)
                        case .hostAndTarget: ImpossibleText(ofHostAndPath: key.prefix { $0 != UInt8(ascii: "?") } + [])
                        case nil where variable?.isOfQuery ?? false: ImpossibleText(ofQuery: key)
                        case nil: values.flatMap { ImpossibleText(of: $0, key: key, checker) }
                        }
                    return problem?.found(entry.key, "no request has this key")
                }
        }
    }

    // MARK: Names of servers

    private func names() -> [LintFound] {
        directives("server_name").flatMap(\.arguments)
            .filter { !$0.text.isEmpty && !$0.text.hasPrefix("~") && $0.text != "_" && $0.text != "$hostname" }
            .compactMap { ImpossibleText(ofHost: $0.bytes, isName: true)?.found($0, "no request has this host") }
    }

    /// Names of files with a comma after them.
    private func files() -> [LintFound] {
        directives("index", "try_files").flatMap(\.arguments).filter { $0.text.hasSuffix(",") && $0.bytes.count > 1 }
            .map {
                LintFound(
                    $0,
                    "names are separated by blanks, and no file has this one",
                    advice: "write \($0.text.dropLast())"
                )
            }
    }

    // MARK: Tests

    /// Tests of a server that compare a variable with a text which it never is.
    private func tests() -> [LintFound] {
        model.steps.compactMap { step in
            if step.position.isPlace, step.condition?.variable?.name == "invalid_referer",
                tree.named["valid_referers"] == nil
            {
                return LintFound(
                    step.position,
                    "this is never true: no valid_referers names the sites",
                    advice: "write valid_referers"
                )
            }
            guard step.position.isPlace, let condition = step.condition, let server = step.sequence?.server,
                condition.kind == .equal, let variable = condition.variable, variable.assignments.isEmpty,
                let text = condition.text?.constant, !text.isEmpty,
                let problem = variable.isOfQuery
                    ? ImpossibleText(ofQuery: text)
                    : variable.builtin.flatMap({ builtin in
                        ImpossibleText(
                            of: builtin,
                            text,
                            by: condition.isNegated ? "!=" : "=",
                            beginsWithSlash: expressions.pathsBeginWithSlash(inServer: server),
                            checker
                        )
                    })
            else { return nil }
            return LintFound(
                step.position,
                problem.message("this is \(condition.isNegated ? "always" : "never") true"),
                advice: problem.advice
            )
        }
    }
}

extension RuleModel.Map.Entry {
    /// Returns true if the entry is before a place in the same file.
    fileprivate func isBefore(_ place: SourcePosition?) -> Bool {
        place.map { key.position.file == $0.file && key.position < $0 } ?? false
    }
}

extension RuleModel.Variable {
    /// True for the query as it is sent, and for an argument of it.
    fileprivate var isOfQuery: Bool {
        if case .argument = source { true } else { builtin == .arguments }
    }
}
