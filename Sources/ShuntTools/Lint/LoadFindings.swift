import Shunt

/// The messages of loading as findings, under the name of the check that finds the same.
struct LoadFindings {
    private let subject: LintSubject
    private let options: LintOptions

    /// Codes of loading that have a separate check.
    private static let checks = [
        "never-equal": "dead-branch", "never-between": "dead-branch", "never-a-date": "dead-branch",
        "never-reached": "unreachable-rule", "slow-regex": "regex-redos", "missing-capture": "missing-group",
        "mixed-alphabets": "mixed-script-host", "invalid-note": "unknown-note",
    ]

    /// The checks of which another one covers the findings in its line.
    private static let covered = [
        "duplicate-rule": "unreachable-rule", "conflicting-rule": "unreachable-rule", "impossible-text": "dead-branch",
    ]

    init(_ subject: LintSubject, _ options: LintOptions) {
        self.subject = subject
        self.options = options
    }

    /// The findings but for those that checks have made in the same line.
    func findings(besides found: [LintFinding], _ names: inout RuleNames) -> [LintFinding] {
        var known: Set<[String]> = []
        func key(_ code: String, _ location: SourceLocation) -> [String] { [code, location.file, "\(location.line)"] }
        for finding in found {
            known.insert(key(finding.check, finding.diagnostic.location))
            if let covered = Self.covered[finding.check] { known.insert(key(covered, finding.diagnostic.location)) }
        }
        var result: [LintFinding] = []
        for var diagnostic in subject.ruleSet.diagnostics(ofServingAccepting: options.accepted) {
            // A count of directives without effect is not a finding, and what the gateway does not do is nothing to
            // nginx.
            if diagnostic.location.line == 0 { continue }
            if diagnostic.has(.notServed), options.target == .nginx { continue }
            diagnostic.code = Self.checks[diagnostic.code] ?? diagnostic.code
            if options.skipped.contains(diagnostic.code) || isInGroup(diagnostic.code, options.skipped) { continue }
            if let checks = options.checks, !checks.contains(diagnostic.code), !isInGroup(diagnostic.code, checks) {
                continue
            }
            guard known.insert(key(diagnostic.code, diagnostic.location)).inserted else { continue }
            let node = subject.model.position(of: diagnostic.location).flatMap { subject.tree.node(at: $0) }
            result.append(
                LintFinding(
                    diagnostic: diagnostic,
                    basis: .structure,
                    rule: node.map { names.name(of: $0) } ?? "",
                    ruleText: node.map { names.words(of: $0) } ?? "",
                    coveredBy: diagnostic.notes.map(\.location)
                )
            )
        }
        return result
    }

    private func isInGroup(_ id: String, _ groups: Set<String>) -> Bool {
        LintCheck.named(id).map { groups.contains($0.group.rawValue) } ?? false
    }
}
