import ShuntCore

/// Directives that are imported one by one, and the server in which they come to stand.
extension ApacheImport {
    // MARK: Redirects

    mutating func redirect(_ directive: ApacheDirective, _ scope: ApacheScope) {
        count += 1
        var entry = ApacheScope.Entry(
            kind: .redirect,
            items: scope.takeComments(),
            line: directive.lines.lowerBound,
            text: directive.shown
        )
        do throws(ApacheText.Unsaid) {
            let (rule, path) = try ApacheRedirect.rule(directive)
            entry.rule = rule
            entry.path = path
            entry.items.append(.rule(rule))
        } catch {
            leave(directive, error.reason, counts: false)
            entry.items.append(.left(directive.shown, reason: error.reason, line: directive.lines.lowerBound))
        }
        scope.entries.append(entry)
    }

    // MARK: Answers

    mutating func errorDocument(_ directive: ApacheDirective, _ scope: ApacheScope) {
        count += 1
        let words = directive.words
        let line = directive.lines.lowerBound
        guard words.count > 1, let status = Int(words[0]), (300...599).contains(status) else {
            return leave(directive, "its status is not one here", counts: false)
        }
        let target = words[1]
        if words.count == 2, target.lowercased() == "default" { return }
        if words.count == 2, target.hasPrefix("/") || target.hasPrefix("http://") || target.hasPrefix("https://") {
            guard !target.contains("$") else { return leave(directive, "a text with a $ in it", counts: false) }
            return scope.addSetting(.directive(["error_page", words[0], target], line))
        }
        let text = words.dropFirst().joined(separator: " ")
        guard !text.contains("$"), !text.contains("<!--#") else {
            return leave(directive, "a text with a $ in it", counts: false)
        }
        let name = "@error_\(status)"
        scope.addSetting(.directive(["error_page", words[0], name], line))
        scope.locations += [.gap, .block(["location", name], [.directive(["return", words[0], text], nil)], line)]
    }

    mutating func header(_ directive: ApacheDirective, _ scope: ApacheScope) {
        var words = directive.words[...]
        var always: [String] = []
        if let first = words.first?.lowercased(), first == "always" || first == "onsuccess" {
            if first == "always" { always = ["always"] }
            words.removeFirst()
        }
        count += 1
        let name = words.dropFirst().first ?? ""
        switch words.first?.lowercased() {
        case "set", "add":
            guard words.count == 3, let value = words.last, !value.contains("%"), !value.contains("$") else {
                return leave(directive, "a header with a condition or a computed value", counts: false)
            }
            scope.addSetting(.directive(["add_header", name, value] + always, directive.lines.lowerBound))
        case "unset" where words.count == 2:
            scope.addSetting(.directive(["proxy_hide_header", name], directive.lines.lowerBound))
        default: leave(directive, "a change of a header of the answer", counts: false)
        }
    }

    mutating func proxyPass(_ directive: ApacheDirective, _ scope: ApacheScope) {
        count += 1
        let words = directive.words
        guard words.count >= 2, words[0].hasPrefix("/"), words[1].hasPrefix("http") else {
            return leave(directive, "it names no server of HTTP", counts: false)
        }
        scope.locations +=
            [.gap] + scope.takeComments() + [
                .block(
                    ["location", RuleIdioms.word(words[0])],
                    [.directive(["proxy_pass", words[1]], nil)],
                    directive.lines.lowerBound
                )
            ]
    }

    // MARK: The server

    mutating func server(_ scope: ApacheScope) -> [ImportItem] {
        var items: [ImportItem] = []
        let all = [scope] + scope.folders
        let usesHTTPS = all.contains(where: \.usesHTTPS)
        let ports = scope.listens.isEmpty ? (usesHTTPS ? ["80", "443"] : ["80"]) : scope.listens
        if ports.contains("443") { items.append(.comment("# HTTPS needs ssl_certificate and ssl_certificate_key.")) }
        for port in ports { items.append(.directive(["listen", port] + (port == "443" ? ["ssl"] : []), nil)) }
        if !scope.names.isEmpty { items.append(.directive(["server_name"] + scope.names, nil)) }
        if scope.root != nil || all.contains(where: \.usesFiles) {
            items.append(.directive(["root", scope.root ?? root], nil))
        }
        items.append(.gap)
        if all.contains(where: \.usesFirstPath) {
            items += [.comment("# The path before any rewriting."), .directive(["set", "$first_uri", "$uri"], nil)]
        }
        var locations: [ImportItem] = []
        for folder in all {
            name = folder.file
            var layout = ApacheLayout(folder)
            let rules = access(of: folder, layout.rules())
            for (entry, reason) in layout.conflicts {
                notes.append(
                    ImportedRules.Note(
                        file: folder.file,
                        line: entry.line,
                        text: entry.text,
                        reason: reason,
                        kind: .inexact
                    )
                )
            }
            let path = folder.folder ?? "/"
            let isOuter = folder.folder == nil || path == "/"
            if isOuter { items += folder.settings }
            if folder.folder == nil {
                items += [.gap] + rules
            } else if rules.contains(where: \.decides) || !isOuter && !folder.settings.isEmpty {
                let head = ["location"] + [RuleIdioms.word(path)]
                locations += [
                    .gap, .file(folder.file),
                    .block(head, (isOuter ? [] : folder.settings) + rules + folder.takeComments(), nil),
                ]
            } else {
                items += [.gap] + rules + folder.takeComments()
            }
            locations += [.file(folder.file)] + layout.locations + folder.locations
        }
        items += [.gap] + scope.takeComments() + locations
        if !passed.isEmpty {
            let names = passed.sorted { $0.key < $1.key }.map { $0.value > 1 ? "\($0.key) (\($0.value))" : $0.key }
            items.append(.gap)
            var line = "# Left out, as they decide nothing about a request:"
            for (index, name) in names.enumerated() {
                let text = " \(name)\(index + 1 < names.count ? "," : ".")"
                if line.count + text.count > 100 {
                    items.append(.comment(line))
                    line = "#"
                }
                line += text
            }
            items.append(.comment(line))
            passed = [:]
        }
        return [.block(["server"], items, nil)]
    }

    /// The rules of a folder after the check of addresses, which Apache makes first.
    private mutating func access(of scope: ApacheScope, _ rules: [ImportItem]) -> [ImportItem] {
        for (directive, reason) in scope.access.problems { leave(directive, reason, counts: false) }
        let access = scope.access.items
        guard !access.isEmpty else { return scope.accessComments + rules }
        let answers = rules.contains { if case .rule(let rule) = $0 { rule.answers } else { false } }
        guard answers else { return scope.accessComments + access + [.gap] + rules }
        let name = "$refused\(scope.folder.map { $0.split(separator: "/").map { "_\($0)" }.joined() } ?? "")"
        let words = access.compactMap { item -> (words: [String], line: Int?)? in
            if case .directive(let words, let line) = item { (words, line) } else { nil }
        }
        let last = words.last?.words
        let isClosed = last == ["deny", "all"]
        let networks = isClosed || last == ["allow", "all"] ? words.dropLast() : words[...]
        let wanted = isClosed ? "allow" : "deny"
        guard networks.allSatisfy({ $0.words[0] == wanted }) else {
            notes.append(
                ImportedRules.Note(
                    file: scope.file,
                    line: words.first?.line ?? 1,
                    text: "Allow, Deny",
                    reason: "rules that redirect come before the check of addresses here",
                    kind: .inexact
                )
            )
            return scope.accessComments + access + [.gap] + rules
        }
        var entries: [ImportItem] = [.directive(["default", isClosed ? "1" : "0"], nil)]
        entries += networks.map { .directive([$0.words[1], isClosed ? "0" : "1"], $0.line) }
        tables += [.gap] + scope.accessComments + [.block(["geo", name], entries, nil)]
        var refusal = ImportedRule(
            (words.first?.line ?? 1)...(words.last?.line ?? words.first?.line ?? 1),
            .respond(403, nil)
        )
        refusal.tests = [[ImportedRule.Test(subject: name, kind: .isTrue)]]
        return [.rule(refusal), .gap] + rules
    }
}
