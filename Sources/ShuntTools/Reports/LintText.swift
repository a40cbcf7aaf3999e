package import ShuntCore

/// The report of `shunt lint` as text.
package struct LintText {
    private let renderer: DiagnosticRenderer

    package init(usesColor: Bool) { renderer = DiagnosticRenderer(usesColor: usesColor) }

    /// The findings of all rule sets, each as `shunt check` shows it, with the remarks.
    package func findings(_ findings: [LintFinding]) -> String {
        findings.map { finding in
            var text = renderer.render(finding.diagnostic)
            for remark in finding.remarks { text += "     = \(ShownBytes.text(remark))\n" }
            return text
        }
        .joined()
    }

    /// The rules of which it is not known whether anything reaches them.
    package static func unproved(_ rules: [(rule: SourceLocation, reason: String)]) -> String {
        rules.map { "\($0.rule): not proved: \($0.reason)\n" }.joined()
    }

    /// One line that sums up.
    package static func summary(_ findings: [LintFinding], rules: Int, judged: Int, allowed: Int) -> String {
        func counted(_ count: Int, _ noun: String) -> String {
            count == 0 ? "no \(noun)s" : count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
        }
        func count(_ severity: Diagnostic.Severity) -> Int { findings.count { $0.diagnostic.severity == severity } }
        var parts = [
            counted(count(.error), "error"), counted(count(.warning), "warning"), counted(count(.note), "note"),
        ]
        .joined(separator: ", ")
        parts += "; \(judged) of \(rules) rules judged"
        if judged < rules { parts += " (\(rules - judged) not proved, --unproved lists them)" }
        if allowed > 0 { parts += "; notes allow \(allowed)" }
        return parts + "\n"
    }

    /// Returns the description of a check with an example.
    package static func explanation(of check: LintCheck) -> String {
        var text = "\(check.id) (\(check.group.rawValue), \(check.severity.rawValue), by \(check.basis.rawValue))\n\n"
        text += "Finds \(check.summary).\n\n\(check.explanation)\n\n"
        text += check.example.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)\n" }.joined()
        if let target = check.onlyFor { text += "\nIt runs with --target \(target.rawValue).\n" }
        if !check.isUsual { text += "\nIt runs on request: --checks \(check.id).\n" }
        return text
    }

    /// The checks by their groups, one a line.
    package static func list(_ checks: [LintCheck]) -> String {
        let width = checks.map(\.id.utf8.count).max() ?? 0
        return LintCheck.Group.allCases
            .map { group in
                let own = checks.filter { $0.group == group }
                if own.isEmpty { return "" }
                return "\(group.rawValue)\n"
                    + own.map { check in
                        let space = String(repeating: " ", count: width - check.id.utf8.count + 2)
                        return "  \(check.id)\(space)\(check.summary)\n"
                    }
                    .joined()
            }
            .joined()
    }
}
