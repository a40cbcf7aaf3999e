import Shunt

extension LintCheck {
    static let impossibleText = LintCheck(
        "impossible-text",
        group: .order,
        severity: .warning,
        basis: .structure
    ) { subject in
        locations(subject) + keys(subject) + names(subject) + files(subject) + tests(subject)
    }

    // MARK: Locations

    private static func locations(_ subject: LintSubject) -> [LintFound] {
        subject.model.locations.compactMap { location in
            guard !location.modifier.isRegex, location.modifier != .named,
                let node = subject.tree.directive(at: location.position), let word = node.arguments.last,
                // Each path begins with an empty prefix.
                location.modifier != .prefix || !word.text.isEmpty
            else { return nil }
            let beginsWithSlash = subject.expressions.pathsBeginWithSlash(inServer: location.server)
            let sign = node.arguments.count > 1 ? node.arguments.first?.text : nil
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
            if let found = expression(word, beginsWithSlash: beginsWithSlash, insteadOf: sign) {
                return found
            }
            var problem = ImpossibleText(ofPath: word.bytes, beginsWithSlash: beginsWithSlash, insteadOf: sign)
            if problem == nil, subject.expressions.pathsAreNormalized(inServer: location.server) {
                problem = ImpossibleText(ofPath: word.bytes, mergingSlashes: subject.expressions.mergesSlashes)
            }
            return problem.map {
                LintFound(word, $0.message("no request reaches this location"), advice: $0.advice)
            }
        }
    }

    /// A path that was meant as an expression; `sign` is what stands before it.
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

    private static func keys(_ subject: LintSubject) -> [LintFound] {
        let beginsWithSlash = subject.model.servers.allSatisfy(subject.expressions.pathsBeginWithSlash)
        let areNormal = subject.model.servers.allSatisfy(subject.expressions.pathsAreNormalized)
        let mergesSlashes = subject.expressions.mergesSlashes
        let areServers = subject.expressions.areServersOnly
        return subject.model.maps.flatMap { map -> [LintFound] in
            let part = KeyedPart(map.source)
            let values = areServers ? map.source.onlyVariable.flatMap(\.builtin).flatMap(KnownValues.init) : nil
            let hasHosts = map.hasHosts
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
                        case .host: ImpossibleText(ofHost: key, hasWildcards: hasHosts)
                        case .pathAndQuery:
                            ImpossibleText(ofWildcard: entry.key.text)
                                ?? ImpossibleText(
                                    ofPath: Array(key.prefix { $0 != UInt8(ascii: "?") }),
                                    beginsWithSlash: beginsWithSlash
                                )
                        case .hostAndPath: ImpossibleText(ofHostAndPath: key)
                        case .hostAndTarget: ImpossibleText(ofHostAndPath: key.prefix { $0 != UInt8(ascii: "?") } + [])
                        case nil: values.flatMap { ImpossibleText(of: $0, key: key, subject.checker) }
                        }
                    return problem.map {
                        LintFound(entry.key, $0.message("no request has this key"), advice: $0.advice)
                    }
                }
        }
    }

    // MARK: Names of servers

    private static func names(_ subject: LintSubject) -> [LintFound] {
        (subject.tree.named["server_name"] ?? [])
            .flatMap { subject.tree.nodes[$0].arguments }
            .filter { !$0.text.isEmpty && !$0.text.hasPrefix("~") && $0.text != "_" && $0.text != "$hostname" }
            .compactMap { word in
                ImpossibleText(ofHost: word.bytes, isName: true)
                    .map {
                        LintFound(word, $0.message("no request has this host"), advice: $0.advice)
                    }
            }
    }

    /// Names of files with a comma after them.
    private static func files(_ subject: LintSubject) -> [LintFound] {
        ["index", "try_files"].flatMap { subject.tree.named[$0] ?? [] }.sorted()
            .flatMap { subject.tree.nodes[$0].arguments }
            .filter { $0.text.hasSuffix(",") && $0.bytes.count > 1 }
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
    private static func tests(_ subject: LintSubject) -> [LintFound] {
        subject.model.steps.compactMap { step in
            if step.position.isPlace, step.condition?.variable?.name == "invalid_referer",
                subject.tree.named["valid_referers"] == nil
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
                let builtin = variable.builtin,
                let problem = ImpossibleText(
                    of: builtin,
                    text,
                    by: condition.isNegated ? "!=" : "=",
                    beginsWithSlash: subject.expressions.pathsBeginWithSlash(inServer: server),
                    subject.checker
                )
            else { return nil }
            return LintFound(
                step.position,
                problem.message("this is \(condition.isNegated ? "always" : "never") true"),
                advice: problem.advice
            )
        }
    }
}
