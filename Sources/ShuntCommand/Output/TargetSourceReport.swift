import Shunt
import ShuntTools

/// The result of `shunt explain --to`.
enum TargetSourceReport {
    static func text(_ found: TargetSources, _ target: String, style: Style) -> String {
        var lines: [String] = []
        for source in found.sources {
            lines.append(style("\(source.rule)  \(ShownBytes.text(source.text))", .heading))
            lines.append("  confirmed: \(source.request) → \(ExampleText.decision(source.decision))")
        }
        if found.sources.isEmpty { lines.append("no rule is known to send a request to \(target)") }
        for rule in found.unproved {
            lines.append("\(rule) may, but no request was found that it sends there")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    static func json(_ found: TargetSources) -> [UInt8] {
        let sources = found.sources.map { source -> JSONObject in
            [
                "rule": source.rule, "text": source.text, "request": source.request,
                "outcome": ExampleText.decision(source.decision),
            ]
        }
        let unproved = found.unproved.map { rule -> JSONObject in ["rule": rule, "unproved": true] }
        return (sources + unproved).flatMap(\.line)
    }
}
