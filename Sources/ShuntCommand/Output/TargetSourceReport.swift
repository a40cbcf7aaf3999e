import Shunt
import ShuntAnalysis

/// The result of `shunt explain --to`.
enum TargetSourceReport {
    /// The rules for people.
    static func text(_ found: TargetSources, _ target: String, style: Style) -> String {
        var lines: [String] = []
        for source in found.sources {
            lines.append(style("\(source.rule)  \(ShownBytes.text(Array(source.text.utf8)))", .heading))
            lines.append("  confirmed: \(source.request) → \(ExampleText.decision(source.decision))")
        }
        if found.sources.isEmpty { lines.append("no rule is known to send a request to \(target)") }
        for rule in found.unproved {
            lines.append("\(rule) may, but no request was found that it sends there")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The same for programs, as an object on a line for each rule.
    static func json(_ found: TargetSources) -> [UInt8] {
        var writer = JSONWriter()
        for source in found.sources {
            writer.beginObject()
            writer.name("rule")
            DecisionJSON.write(source.rule, to: &writer)
            writer.member("text", source.text)
            writer.name("request")
            writer.json(source.request.json.span)
            writer.member("outcome", ExampleText.decision(source.decision))
            writer.endObject()
            writer.newline()
        }
        for rule in found.unproved {
            writer.beginObject()
            writer.name("rule")
            DecisionJSON.write(rule, to: &writer)
            writer.member("unproved", true)
            writer.endObject()
            writer.newline()
        }
        return writer.bytes
    }
}
