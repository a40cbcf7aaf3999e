/// Directives that are imported one by one.
extension ApacheImport {
    mutating func read(_ directive: ApacheDirective, _ scope: ApacheScope) {
        switch directive.key {
        case "rewriteengine", "rewritebase", "documentroot": break
        case "rewriteoptions": leave(directive, "options of rewriting", in: scope)
        case "rewritemap":
            count += 1
            if case .unsaid(let reason)? = scope.context.maps.known[directive.words.first ?? ""] {
                leave(directive, reason, in: scope, counts: false)
            }
        case "rewritecond":
            scope.conditions.append(ApacheConditions.Written(directive))
        case "rewriterule": rewrite(directive, scope)
        case "redirect", "redirectpermanent", "redirecttemp", "redirectmatch": redirect(directive, scope)
        case "errordocument": errorDocument(directive, scope)
        case "directoryindex":
            count += 1
            let names = directive.words.filter { $0.lowercased() != "disabled" }
            if names.isEmpty { leave(directive, "folders without an index", in: scope, counts: false) }
            if !names.isEmpty { scope.addSetting(.directive(["index"] + names, directive.lines.lowerBound)) }
        case "directoryslash" where directive.text.lowercased() == "off":
            leave(directive, "a folder named without its slash is led to the one with it here", in: scope)
        case "options":
            scope.options.read(directive)
            scope.listsFolders = ApacheOptions.listsFolders(directive) ?? scope.listsFolders
            if let reason = ApacheOptions.reason(toLeave: directive) {
                leave(directive, reason, in: scope)
            } else {
                passed[directive.name, default: 0] += 1
            }
        case "servername", "serveralias": scope.names += directive.words
        case "header": header(directive, scope)
        case "proxypass": proxyPass(directive, scope)
        case "include", "includeoptional": leave(directive, "another file: import it, too", in: scope)
        default:
            var access = scope.access
            if access.read(directive) {
                count += 1
                scope.accessComments += scope.takeComments()
                takeProblems(of: &access, in: scope)
                scope.access = access
            } else if ApacheEnvironment.isKept(directive, in: access.environment) {
                return
            } else if ApacheSettings.contains(directive) {
                passed[directive.name, default: 0] += 1
            } else {
                leave(directive, "no rule here is like it", in: scope)
            }
        }
    }

    /// Leaves a directive out, with a comment at its place.
    mutating func leave(_ directive: ApacheDirective, _ reason: String, in scope: ApacheScope, counts: Bool = true) {
        if counts { count += 1 }
        scope.comments.append(left(directive, reason))
    }

    /// The comment for a directive that is left out, and the note.
    mutating func left(_ directive: ApacheDirective, _ reason: String) -> ImportItem {
        notes.leave(directive.shown, line: directive.lines.lowerBound, reason: reason)
    }

    mutating func remark(_ directive: ApacheDirective, _ reason: String) {
        notes.add(.remark, directive.shown, line: directive.lines.lowerBound, reason: reason)
    }

    // MARK: Redirects

    mutating func redirect(_ directive: ApacheDirective, _ scope: ApacheScope) {
        count += 1
        var entry = ApacheScope.Entry(
            kind: .redirect,
            items: scope.takeComments(),
            line: directive.lines.lowerBound,
            text: directive.shown
        )
        do throws(Unsaid) {
            let (rule, path) = try ApacheRedirect.rule(directive)
            entry.rule = rule
            entry.path = path
            entry.items.append(.rule(rule))
        } catch {
            let isRefusal = directive.refuses
            if isRefusal { scope.access.close(directive) }
            entry.items.append(left(directive, isRefusal ? "\(error.reason): all is refused" : error.reason))
        }
        scope.entries.append(entry)
    }

    // MARK: Answers

    mutating func errorDocument(_ directive: ApacheDirective, _ scope: ApacheScope) {
        let words = directive.words
        let line = directive.lines.lowerBound
        // Apache sends no document for these.
        if let status = words.first.flatMap({ Int($0) }), (100..<300).contains(status) {
            passed[directive.name, default: 0] += 1
            return
        }
        count += 1
        guard words.count > 1, let status = Int(words[0]), (300...599).contains(status) else {
            return leave(directive, "its status is not one here", in: scope, counts: false)
        }
        let target = words[1]
        // The last one counts.
        scope.settings.removeAll { $0.words?.starts(with: ["error_page", "\(status)"]) == true }
        if words.count == 2, target.lowercased() == "default" { return }
        if words.count == 2, target.hasPrefix("/") || target.hasPrefix("http://") || target.hasPrefix("https://") {
            guard !target.contains("$") else {
                return leave(directive, "a text with a $ in it", in: scope, counts: false)
            }
            return scope.addSetting(.directive(["error_page", words[0], target], line))
        }
        let text = words.dropFirst().joined(separator: " ")
        guard !text.contains("$"), !text.contains("<!--#") else {
            return leave(directive, "a text with a $ in it", in: scope, counts: false)
        }
        let name = "@error_\(status)"
        errorPages[name, default: 0] += 1
        let page = errorPages[name] == 1 ? name : "\(name)_\(errorPages[name] ?? 0)"
        scope.addSetting(.directive(["error_page", words[0], page], line))
        scope.locations += [.gap, .block(["location", page], [.directive(["return", words[0], text])], line)]
    }

    mutating func header(_ directive: ApacheDirective, _ scope: ApacheScope) {
        var words = directive.words[...]
        var always: [String] = []
        if let first = words.first?.lowercased(), first == "always" || first == "onsuccess" {
            if first == "always" { always = ["always"] }
            words.removeFirst()
        }
        count += 1
        var name = words.dropFirst().first ?? ""
        // Apache drops it.
        if name.hasSuffix(":") { name.removeLast() }
        switch words.first?.lowercased() {
        case "set", "add", "append", "merge":
            guard let value = headerValue(words.dropFirst(2), scope) else {
                return leave(directive, "a header with a condition or a computed value", in: scope, counts: false)
            }
            scope.addSetting(.directive(["add_header", name, value] + always, directive.lines.lowerBound))
        case "unset" where words.count == 2:
            scope.addSetting(.directive(["proxy_hide_header", name], directive.lines.lowerBound))
        default: leave(directive, "a change of a header of the answer", in: scope, counts: false)
        }
    }

    /// The value that a header gets; nil for one that is computed, or has a condition without a counterpart.
    private func headerValue(_ words: ArraySlice<String>, _ scope: ApacheScope) -> String? {
        let tables = scope.context.maps.tables
        guard let text = words.first, !text.contains("%"), words.count < 3 else { return nil }
        let value = text.contains("$") ? text.replacing("$", with: tables.dollar()) : text
        guard let condition = words.dropFirst().first else { return value }
        guard condition.hasPrefix("env=") else { return nil }
        let isNegated = condition.hasPrefix("env=!")
        let name = condition.dropFirst(isNegated ? 5 : 4)
        guard let variable = scope.access.variable(name) else {
            // What sets no variable leaves it without a value.
            return isNegated && scope.access.environment[name.uppercased()] == nil ? value : nil
        }
        let (missing, found) = isNegated ? (value, "") : ("", value)
        let rows = [["default", found], ["", missing]].map { (words: $0, line: Int?.none) }
        return tables.variable(named: "header", source: variable, file: nil, rows: rows)
    }

    mutating func proxyPass(_ directive: ApacheDirective, _ scope: ApacheScope) {
        count += 1
        let words = directive.words
        guard words.count >= 2, words[0].hasPrefix("/"), words[1].hasPrefix("http") else {
            return leave(directive, "it names no server of HTTP", in: scope, counts: false)
        }
        scope.hasProxy = true
        scope.locations +=
            [.gap] + scope.takeComments() + [
                .block(["location", words[0]], [.directive(["proxy_pass", words[1]])], directive.lines.lowerBound)
            ]
    }
}
