import ShuntCore

extension TableAssembly {
    /// Reports what looks wrong in single names and patterns.
    mutating func checkEntries() {
        checkNames()
        checkForeignSyntax()
    }

    /// Several patterns under one name lead to one handler, which expects the same values of each.
    private mutating func checkNames() {
        var known: [String: Int] = [:]
        for index in entries.indices {
            guard let name = entries[index].name else { continue }
            guard let first = known[name] else {
                known[name] = index
                continue
            }
            let missing = values(of: first).subtracting(values(of: index)).sorted().map { "\"\($0)\"" }
            guard !missing.isEmpty else { continue }
            report(
                .warning,
                .aliasValues,
                "\"\(entries[index].fullText)\" under the name \"\(name)\" has no value for \(missing.joined(separator: ", "))",
                entries[index],
                note: ("the first pattern of that name is declared here", entries[first]),
                suggestion: "set a default for it, or use another name for the route"
            )
        }
    }

    /// The names that a match of a route may have values for.
    private func values(of index: Int) -> Set<String> {
        Set(patterns[index].valueNames).union(entries[index].defaults.keys)
    }

    /// Reports components that are parameters in other routers and text here.
    ///
    /// What begins with a dollar sign may be meant so, as in FHIR and OData, and is a warning.
    private mutating func checkForeignSyntax() {
        for index in entries.indices {
            guard let (component, suggestion) = ForeignSyntax.find(in: patterns[index].text, builder.options.syntax)
            else { continue }
            report(
                component.hasPrefix("$") ? .warning : .error,
                .foreignSyntax,
                "\"\(component)\" in \"\(entries[index].fullText)\" is text here, and no parameter",
                entries[index],
                suggestion: suggestion
            )
        }
    }

    mutating func report(_ conflict: TableCompiler.Conflict) {
        let (first, second) = (entries[conflict.first], entries[conflict.second])
        if first.fullText == second.fullText {
            let message = "the route \"\(second.fullText)\" is declared twice"
            report(.error, .duplicateRoute, message, second, note: ("it was declared here first", first))
        } else {
            report(
                .error,
                .ambiguousRoute,
                "\"\(second.fullText)\" and \"\(first.fullText)\" match the same path and neither is more specific",
                second,
                note: ("the other is declared here", first),
                suggestion: "set a priority on one of them, or remove it"
            )
        }
    }

    mutating func report(_ finding: AmbiguityCheck.Finding) {
        let (first, second) = (entries[finding.first], entries[finding.second])
        if let witness = finding.witness {
            report(
                .error,
                .ambiguousRoute,
                "\"\(second.fullText)\" and \"\(first.fullText)\" both match a component \"\(witness)\", and neither is more specific",
                second,
                note: ("the other is declared here", first),
                suggestion: "set a priority on one of them, or constrain it further"
            )
        } else {
            report(
                .warning,
                .unorderedConstraints,
                "it is not known whether a value may fit both \"\(second.fullText)\" and \"\(first.fullText)\"",
                second,
                note: ("the other is declared here", first),
                suggestion: "if it may, set a priority on one of them"
            )
        }
    }

    /// Warns of routes that others with a higher priority leave no path to.
    mutating func reportShadows(_ compiler: TableCompiler, _ namespaces: [(routes: [Int], root: UInt32)]) {
        var check = ShadowCheck(compiler)
        for (routes, root) in namespaces {
            for route in routes {
                guard let other = check.route(shadowing: route, from: root) else { continue }
                report(
                    .warning,
                    .shadowedRoute,
                    "\"\(entries[route].fullText)\" is never the first match: \"\(entries[other].fullText)\" goes first",
                    entries[route],
                    note: ("the route that goes first is declared here", entries[other])
                )
            }
        }
    }

    mutating func report(
        _ severity: Diagnostic.Severity,
        _ code: DiagnosticCode,
        _ message: String,
        _ entry: RouteTableBuilder.Entry,
        note: (message: String, entry: RouteTableBuilder.Entry)? = nil,
        suggestion: String? = nil
    ) {
        let notes = note.map { note in
            [Diagnostic(.note(code), note.message, at: note.entry.origin, length: note.entry.text.utf8.count)]
        }
        let diagnostic = Diagnostic(
            Diagnostic.Kind(severity, code),
            message,
            at: entry.origin,
            length: entry.text.utf8.count,
            suggestion: suggestion,
            notes: notes ?? []
        )
        findings.append((entry.id, diagnostic))
    }
}
