package import Shunt

/// The report of `shunt lint` as SARIF 2.1.0, which code hosts read.
package enum LintSARIF {
    /// The whole document.
    package static func bytes(_ runs: [(path: String, run: LintRun, ruleSet: RuleSet)], _ findings: [LintFinding])
        -> [UInt8]
    {
        func rule(_ id: String, _ summary: String) -> JSONObject { ["id": id, "shortDescription": text(summary)] }
        let others = Set(findings.map(\.check)).subtracting(LintCheck.all.map(\.id)).sorted()
        let rules =
            LintCheck.all.map { rule($0.id, $0.summary) }
            + others.map { rule($0, "reported when the rules are loaded") }
        let driver: JSONObject = ["name": "shunt lint", "rules": rules]
        let run: JSONObject = [
            "tool": ["driver": driver] as JSONObject,
            "results": findings.map { finding in
                let file = finding.diagnostic.location.file
                return result(finding, runs.first { $0.ruleSet.model.files.contains(file) }?.ruleSet)
            },
        ]
        let document: JSONObject = [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
        ]
        return document.line
    }

    private static func text(_ text: String) -> JSONObject { ["text": text] }

    private static func result(_ finding: LintFinding, _ ruleSet: RuleSet?) -> JSONObject {
        let diagnostic = finding.diagnostic
        let lines = [diagnostic.message] + finding.remarks + [diagnostic.suggestion].compactMap { $0 }
        let fingerprints: JSONObject = ["shuntRule/v1": finding.rule]
        return [
            "ruleId": finding.check,
            "level": diagnostic.severity.rawValue,
            "message": text(lines.joined(separator: "\n")),
            "locations": diagnostic.location.line > 0 ? [location(diagnostic.location)] : nil,
            "partialFingerprints": finding.rule.isEmpty ? nil : fingerprints,
            "codeFlows": finding.witnesses.count > 1 ? [flow(finding)] : nil,
            "fixes": finding.edits.isEmpty ? nil : ruleSet.map { [fix(finding, $0)] },
        ]
    }

    /// The places that requests go through, one a hop.
    private static func flow(_ finding: LintFinding) -> JSONObject {
        let locations = finding.witnesses.map { witness -> JSONObject in
            let place = location(witness.decision.rule ?? finding.diagnostic.location)
            return ["location": place.adding(["message": text(witness.text)])]
        }
        let flow: JSONObject = ["locations": locations]
        return ["threadFlows": [flow]]
    }

    private static func location(_ location: SourceLocation) -> JSONObject {
        let region: JSONObject = ["startLine": location.line, "startColumn": max(1, location.column)]
        let place: JSONObject = ["artifactLocation": artifact(location.file), "region": region]
        return ["physicalLocation": place]
    }

    private static func artifact(_ file: String) -> JSONObject { ["uri": uri(file)] }

    /// A path as a URI reference.
    private static func uri(_ path: String) -> String {
        let plain = ByteSet.alphanumerics.union(ByteSet(ascii: "-._~/!$&'()*+,;=@"))
        let encoded = URLComponentCoding.encode(Array(path.utf8).span, keeping: plain)
        return (path.hasPrefix("/") ? "file://" : "") + String(decoding: encoded, as: UTF8.self)
    }

    private static func fix(_ finding: LintFinding, _ ruleSet: RuleSet) -> JSONObject {
        let changes = finding.edits.compactMap { edit -> JSONObject? in
            guard let file = ruleSet.file(edit.file) else { return nil }
            let start = file.place(of: edit.range.lowerBound)
            let end = file.place(of: edit.range.upperBound)
            let region: JSONObject = [
                "startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column,
            ]
            let replacement: JSONObject = ["deletedRegion": region, "insertedContent": text(edit.text)]
            return ["artifactLocation": artifact(file.name), "replacements": [replacement]]
        }
        return ["artifactChanges": changes]
    }
}
