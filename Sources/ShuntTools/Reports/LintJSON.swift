package import Shunt

/// The report of `shunt lint` as JSON.
package enum LintJSON {
    /// One object on a line.
    package static func bytes(
        _ runs: [(path: String, run: LintRun, ruleSet: RuleSet)],
        _ findings: [LintFinding]
    ) -> [UInt8] {
        func count(_ severity: Diagnostic.Severity) -> Int { findings.count { $0.diagnostic.severity == severity } }
        let unproved = runs.flatMap(\.run.unproved).map { $0.rule.members.adding(["reason": $0.reason]) }
        let report: JSONObject = [
            "schema": "shunt-lint/1",
            "errors": count(.error),
            "warnings": count(.warning),
            "notes": count(.note),
            "rules": runs.reduce(0) { $0 + $1.run.ruleCount },
            "judged": runs.reduce(0) { $0 + $1.run.judgedCount },
            "allowed": runs.reduce(0) { $0 + $1.run.allowedCount },
            "findings": findings.map { finding in
                let file = finding.diagnostic.location.file
                return object(finding, runs.first { $0.ruleSet.model.files.contains(file) }?.ruleSet)
            },
            "unproved": unproved,
        ]
        return report.line
    }

    private static func object(_ finding: LintFinding, _ ruleSet: RuleSet?) -> JSONObject {
        let diagnostic = finding.diagnostic
        let witnesses = finding.witnesses.map { witness -> JSONObject in
            ["request": witness.shown.request, "decision": ExampleText.decision(witness.shown.decision)]
        }
        var fix: JSONObject?
        if !finding.edits.isEmpty, let ruleSet {
            fix = ["safe": true, "edits": finding.edits.compactMap { object($0, ruleSet) }]
        }
        let head: JSONObject = [
            "severity": diagnostic.severity.rawValue, "code": diagnostic.code, "message": diagnostic.message,
        ]
        return head.adding(diagnostic.location.members)
            .adding([
                "length": diagnostic.length,
                "source": diagnostic.sourceLine.isEmpty ? nil : diagnostic.sourceLine,
                "suggestion": diagnostic.suggestion,
                "id": finding.rule,
                "basis": finding.basis.rawValue,
                "notes": finding.remarks.isEmpty ? nil : finding.remarks,
                "witnesses": witnesses.isEmpty ? nil : witnesses,
                "covered_by": finding.coveredBy.isEmpty ? nil : finding.coveredBy,
                "fix": fix,
            ])
    }

    private static func object(_ edit: LintEdit, _ ruleSet: RuleSet) -> JSONObject? {
        guard let file = ruleSet.file(edit.file) else { return nil }
        func place(_ offset: Int) -> JSONObject {
            let place = file.place(of: offset)
            return ["line": place.line, "column": place.column]
        }
        return [
            "file": file.name,
            "start": place(edit.range.lowerBound),
            "end": place(edit.range.upperBound),
            "text": edit.text,
        ]
    }
}
