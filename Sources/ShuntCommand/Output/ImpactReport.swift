import Shunt
import ShuntTools

/// The outcomes of requests without a rule.
enum ImpactReport {
    /// The most requests of a group that are shown.
    private static let examples = 3

    static func text(_ impact: RuleImpact, note: RuleNote?, isOfExamples: Bool, usesColor: Bool) -> String {
        let style = Style(usesColor: usesColor)
        var lines = [style("\(impact.rule)  \(ShownBytes.text(impact.text))", .heading)]
        for entry in note?.entries ?? [] { lines.append("  \(ShownBytes.text("\(entry.key): \(entry.value)"))") }
        let difference = impact.difference
        let kind = isOfExamples ? "requests generated for it" : "requests"
        lines.append("  without it, \(difference.changed) of \(difference.requests) \(kind) get another outcome")
        for group in difference.groups(by: .change) {
            lines.append("    \(group.weight)  \(group.from) → \(group.to)")
            for request in group.requests.prefix(examples) {
                lines.append("        \(request.weight)  \(request.request)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    static func json(_ impact: RuleImpact) -> [UInt8] {
        let groups = impact.difference.groups(by: .change)
            .map { group -> JSONObject in
                [
                    "from": group.from, "to": group.to, "weight": group.weight,
                    "examples": group.requests.prefix(examples).map(\.request),
                ]
            }
        let report: JSONObject = [
            "schema": "shunt-impact/1",
            "rule": impact.rule,
            "text": impact.text,
            "requests": impact.difference.requests,
            "changed": impact.difference.changed,
            "groups": groups,
        ]
        return report.line
    }
}
