import Shunt
import ShuntAnalysis

/// The outcomes of requests without a rule.
enum ImpactReport {
    /// The most requests of a group that are shown.
    private static let examples = 3

    /// The report for people.
    static func text(_ impact: RuleImpact, _ note: RuleNote?, isOfExamples: Bool, _ usesColor: Bool) -> String {
        let style = Style(usesColor: usesColor)
        var lines = [style("\(impact.rule)  \(shown(impact.text))", .heading)]
        for entry in note?.entries ?? [] { lines.append("  \(shown("\(entry.key): \(entry.value)"))") }
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

    /// The report for programs, an object on a line.
    static func json(_ impact: RuleImpact) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("rule")
        DecisionJSON.write(impact.rule, to: &writer)
        writer.member("text", impact.text)
        writer.member("requests", impact.difference.requests)
        writer.member("changed", impact.difference.changed)
        writer.name("groups")
        writer.array { writer in
            for group in impact.difference.groups(by: .change) {
                writer.beginObject()
                writer.member("from", group.from)
                writer.member("to", group.to)
                writer.member("weight", group.weight)
                writer.name("examples")
                writer.array { writer in
                    for request in group.requests.prefix(examples) { writer.json(request.request.json.span) }
                }
                writer.endObject()
            }
        }
        writer.endObject()
        writer.newline()
        return writer.bytes
    }

    private static func shown(_ text: String) -> String { ShownBytes.text(Array(text.utf8)) }
}
