/// Puts the parts of a scope in the order in which Apache's modules would reach them.
struct ApacheLayout {
    /// Something that has another order here.
    var conflicts: [(entry: ApacheScope.Entry, reason: String)] = []
    private let folder: String?
    private let entries: [ApacheScope.Entry]
    /// The locations after the rules, such as a location with a name.
    private(set) var locations: [ImportItem] = []

    /// Prepares it with the rules, and the folder whose rewriting they are.
    init(folder: String?, entries: [ApacheScope.Entry]) {
        self.folder = folder
        self.entries = entries
    }

    /// True if rules of a server change the path before sections are asked, which a rule with PT lets be asked of the new one.
    var changesPaths: Bool {
        folder == nil
            && entries.contains { entry in
                switch entry.rule?.action {
                case .rewrite?, .proxy(_, path: .some)?: !Self.passesThrough(entry)
                default: false
                }
            }
    }

    /// Returns true if a rule has the flag `PT`, after which Apache looks the path up like one of a client.
    private static func passesThrough(_ entry: ApacheScope.Entry) -> Bool {
        guard let flags = entry.text.firstMatch(of: #/\[([^\[\]]*)\]\s*$/#) else { return false }
        return ApacheFlags.split(String(flags.1)).contains { ["PT", "PASSTHROUGH"].contains($0.uppercased()) }
    }

    /// The rules of a scope, as in a location or a server.
    mutating func rules() -> [ImportItem] {
        // mod_rewrite answers before mod_alias is asked, which answers before a changed path is looked up again.
        let rewrites = entries.filter { $0.kind == .rewrite }
        let redirects = entries.filter { $0.kind == .redirect }
        let isFolder = folder != nil
        // What only sets variables changes no path that a redirect is tried on.
        let split =
            rewrites.firstIndex { isFolder && !($0.rule?.answers ?? true) && $0.rule?.action != .set } ?? rewrites.count
        var later = Array(rewrites[split...])
        for entry in later {
            guard let rule = entry.rule else { continue }
            var hasQuery = false
            if case .rewrite(let target, _) = rule.action { hasQuery = target.contains("?") }
            guard rule.answers || hasQuery else { continue }
            let reason =
                hasQuery
                ? "Apache adds the query of line \(entry.line)"
                : "it is tried before line \(entry.line) here, and after it in Apache"
            addConflicts(redirects.filter { Self.overlap(entry, $0) }, reason)
        }
        // In a server what changes no path ends mod_rewrite alone.
        for entry in rewrites where !isFolder && entry.rule?.action == .stop {
            let isAnywhere = entry.rule?.pattern?.expression.hasPrefix("^") == false
            let reason = "line \(entry.line) ends the rules before it here, and not in Apache"
            addConflicts(redirects.filter { isAnywhere || Self.overlap(entry, $0) }, reason)
        }
        for (index, entry) in rewrites.enumerated() where isFolder {
            guard let next = rewrites[(index + 1)...].first(where: { Self.sees($0, targetOf: entry) }) else { continue }
            conflicts.append(
                (entry, "without [L] line \(next.line) sees a path that Apache makes of it and of the old one")
            )
        }
        for (index, entry) in rewrites.enumerated() where entry.redirectsOn {
            guard let next = rewrites[(index + 1)...].first(where: { seesLocation($0, of: entry) }) else { continue }
            conflicts.append((entry, "without [L] line \(next.line) sees its Location in Apache"))
        }
        let items = (rewrites[..<split] + redirects).flatMap(\.items)
        guard isFolder else { return items }
        let front = frontController(&later) ?? []
        return items + later.flatMap(items(of:)) + front
    }

    /// Adds redirects that have another order here, unless they have a conflict already.
    private mutating func addConflicts(_ redirects: [ApacheScope.Entry], _ reason: String) {
        for redirect in redirects where !conflicts.contains(where: { $0.entry.line == redirect.line }) {
            conflicts.append((redirect, reason))
        }
    }

    /// Returns true if a rule is tried on the path that a rule before it made without an end.
    private static func sees(_ entry: ApacheScope.Entry, targetOf other: ApacheScope.Entry) -> Bool {
        guard case .rewrite(let target, .next)? = other.rule?.action, let rule = entry.rule else { return false }
        let path = String(target.prefix { $0 != "?" }).replacing(#/\$\{?\w+\}?/#, with: "x")
        guard let pattern = rule.pattern else { return !rule.isForMissingFiles }
        return [path, path + "/x", "/x" + path].contains { pattern.holds(for: $0) }
    }

    /// Returns true if a rule may be tried on the Location of a redirect before it.
    private func seesLocation(_ entry: ApacheScope.Entry, of other: ApacheScope.Entry) -> Bool {
        guard case .redirect(_, let target)? = other.rule?.action, let pattern = entry.rule?.pattern else {
            return entry.rule != nil
        }
        let path = String(target.prefix { $0 != "?" }).replacing(#/\$\{?\w+\}?/#, with: "x")
        let location = (folder ?? "") + (path.hasPrefix("/") ? "http://x" : "") + path
        return pattern.holds(for: location)
    }

    private static func overlap(_ entry: ApacheScope.Entry, _ redirect: ApacheScope.Entry) -> Bool {
        guard let pattern = entry.rule?.pattern, !pattern.isNegated else { return true }
        guard let path = redirect.path else { return true }
        return ["", "/", "/x"].contains { pattern.holds(for: path + $0) }
    }

    /// The items of a rule; a target that is a separate path gets an end before it, as it changes nothing there.
    ///
    /// A target that begins with a slash is another one for Apache, and goes round in a circle in both.
    private func items(of entry: ApacheScope.Entry) -> [ImportItem] {
        if let rule = entry.rule, let rules = ApacheUnchanged.rules(for: rule) {
            return entry.items.dropLast() + rules.map { .rule($0) }
        }
        guard var rule = entry.rule, entry.isRelative, let target = entry.target,
            case .rewrite(let text, let continuation) = rule.action, continuation != .break,
            rule.pattern?.holds(for: target) != false, !rule.isForMissingFiles
        else { return entry.items }
        if continuation == .next {
            rule.tests.append([ImportedTest("$uri", .equals(target), isNegated: true)])
            return entry.items.dropLast() + [.rule(rule)]
        }
        var stop = rule
        stop.action = text.contains("?") ? .rewrite(text, .break) : .stop
        stop.tests.append([ImportedTest("$uri", .equals(target))])
        return entry.items.dropLast() + [.rule(stop), .rule(rule)]
    }

    // MARK: Front controllers

    /// The items of a last rule that leads what is not a file to one, as `try_files`.
    private mutating func frontController(_ entries: inout [ApacheScope.Entry]) -> [ImportItem]? {
        let left = entries.reversed().prefix { $0.rule == nil }.reversed()
        guard let last = entries.dropLast(left.count).last, let rule = last.rule,
            case .rewrite(let text, let continuation) = rule.action,
            continuation != .break, rule.sets.isEmpty, rule.tests.count == 1, rule.tests[0].count == 1
        else { return nil }
        let test = rule.tests[0][0]
        let path = text.prefix { $0 != "?" }
        guard test.isNegated, test.subject == "$request_filename", test.kind == .file || test.kind == .fileOrDirectory,
            !path.contains("$"), path.hasSuffix(".php") || path.hasSuffix(".html"),
            let folder,
            rule.pattern == nil
                || ["^\(folder)(.*)$", "^\(folder)(.*)", "^\(folder).", "^\(folder)(.+)$", "^\(folder).+$"]
                    .contains(rule.pattern?.expression ?? "")
        else { return nil }
        // A location in which an "if" applies has no try_files.
        let others = self.entries.compactMap(\.rule).filter { $0.lines != rule.lines && $0.action != .stop }
        guard others.allSatisfy({ RuleIdioms($0).lines.allSatisfy { !$0.hasPrefix("if") } }),
            self.entries.count(where: { $0.rule?.action == .stop }) <= 1
        else { return nil }
        let guards = self.entries.compactMap(\.rule).filter { $0.action == .stop }
        guard guards.allSatisfy({ isException($0, for: String(path)) }) else { return nil }
        entries.removeLast(left.count + 1)
        // The file itself exists and needs no exception.
        var comments: [ImportItem] = []
        if let exception = entries.last, exception.rule.map({ isException($0, for: String(path)) }) == true {
            comments = exception.items.filter { if case .comment = $0 { true } else { false } }
            entries.removeLast()
        }
        return comments + tryFiles(last, rule: rule, text: text, filesOnly: test.kind == .file) + left.flatMap(\.items)
    }

    /// Returns true if a rule only leaves a path unchanged.
    private func isException(_ rule: ImportedRule, for path: String) -> Bool {
        rule.action == .stop && rule.tests.isEmpty
            && rule.pattern?.expression == "^\(ImportedExpression.literal(path))$"
    }

    private mutating func tryFiles(
        _ entry: ApacheScope.Entry,
        rule: ImportedRule,
        text: String,
        filesOnly: Bool
    ) -> [ImportItem] {
        var words = ["try_files", "$uri"] + (filesOnly ? [] : ["$uri/"])
        if let mark = text.firstIndex(of: "?") {
            let query = text[text.index(after: mark)...]
            guard !query.isEmpty else {
                words.append(String(text[..<mark]))
                return entry.items.dropLast() + [.directive(words, rule.lines.upperBound)]
            }
            let name = folder == "/" ? "@front" : "@front_\(Self.word(folder ?? "/"))"
            words.append(name)
            var front = rule
            front.tests = []
            front.action = .rewrite(text, .last)
            locations += [.gap, .block(["location", name], [.rule(front)])]
        } else {
            words.append(text + "$is_args$args")
        }
        return entry.items.dropLast() + [.directive(words, rule.lines.upperBound)]
    }

    /// A folder as a part of a name.
    private static func word(_ folder: String) -> String {
        folder.split(separator: "/")
            .map {
                $0.utf8
                    .map {
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || (48...57).contains($0)
                            ? String(UnicodeScalar($0)) : "_\($0)"
                    }
                    .joined()
            }
            .joined(separator: "_")
    }
}
