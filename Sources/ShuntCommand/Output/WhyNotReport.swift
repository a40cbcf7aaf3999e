import Shunt
import ShuntTools

/// The result of `shunt explain --why-not`.
enum WhyNotReport {
    static func text(_ answers: [WhyNot], _ request: RuleRequest, style: Style) -> String {
        var lines: [String] = []
        for answer in answers {
            lines.append(style("\(answer.rule)  \(ShownBytes.text(answer.text))", .heading))
            switch answer.reason {
            case .applied: lines.append("  it did apply")
            case .skipped(let subject):
                lines.append("  it was tried, and did not match" + (subject.map { ": \(ShownBytes.text($0))" } ?? ""))
            case .notReached(let rule):
                lines.append("  it was not reached")
                for text in answer.chosen { lines.append("    chosen: \(ShownBytes.text(text))") }
                for text in answer.failedTests { lines.append("    not true: \(ShownBytes.text(text))") }
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
    static func json(_ answers: [WhyNot]) -> [UInt8] { answers.flatMap(\.members.line) }
}
