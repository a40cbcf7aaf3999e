import Shunt
import ShuntAnalysis

/// The result of `shunt explain --why-not`.
enum WhyNotReport {
    /// The answers for people.
    static func text(_ answers: [WhyNot], _ request: RuleRequest, style: Style) -> String {
        var lines: [String] = []
        for answer in answers {
            lines.append(style("\(answer.rule)  \(shown(answer.text))", .heading))
            switch answer.reason {
            case .applied: lines.append("  it did apply")
            case .skipped(let subject):
                lines.append("  it was tried, and did not match" + (subject.map { ": \(shown($0))" } ?? ""))
            case .notReached(let rule):
                lines.append("  it was not reached")
                for text in answer.chosen { lines.append("    chosen: \(shown(text))") }
                for text in answer.failedTests { lines.append("    not true: \(shown(text))") }
                if let rule { lines.append("    decided by \(rule)") }
            @unknown default: break
            }
            if answer.reason == .applied { continue }
            if let nearest = answer.nearest {
                lines.append("  the nearest request known to reach it: \(nearest)")
            } else if !answer.covers.isEmpty {
                lines.append(
                    "  no request reaches it: \(answer.covers.map { "\($0)" }.joined(separator: ", ")) take all (proved)"
                )
            } else if let obstacle = answer.obstacle {
                lines.append("  no request found that reaches it: \(obstacle)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The answers for programs, as an object on a line each.
    static func json(_ answers: [WhyNot]) -> [UInt8] {
        var writer = JSONWriter()
        for answer in answers {
            writer.beginObject()
            writer.name("rule")
            DecisionJSON.write(answer.rule, to: &writer)
            writer.member("text", answer.text)
            switch answer.reason {
            case .applied: writer.member("reason", "applied")
            case .skipped(let subject):
                writer.member("reason", "skipped")
                if let subject { writer.member("subject", subject) }
            case .notReached(let rule):
                writer.member("reason", "not reached")
                if let rule { writer.member("decided_by", "\(rule)") }
            @unknown default: break
            }
            writer.name("chosen")
            writer.array { writer in for text in answer.chosen { writer.string(text) } }
            writer.name("failed_tests")
            writer.array { writer in for text in answer.failedTests { writer.string(text) } }
            if let nearest = answer.nearest {
                writer.name("nearest")
                writer.json(nearest.json.span)
            }
            if !answer.covers.isEmpty {
                writer.name("covers")
                writer.array { writer in for place in answer.covers { writer.string("\(place)") } }
            }
            if let obstacle = answer.obstacle { writer.member("obstacle", "\(obstacle)") }
            writer.endObject()
            writer.newline()
        }
        return writer.bytes
    }

    private static func shown(_ text: String) -> String { ShownBytes.text(Array(text.utf8)) }
}
