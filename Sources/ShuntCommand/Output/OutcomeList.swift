import Shunt
import ShuntTools

/// Outcomes of one request, each with what is before it: a time, or a revision.
enum OutcomeList {
    static func text(_ decision: Decision) -> String {
        var text = decision.status.map { "\(decision.kind.rawValue) \($0)" } ?? decision.kind.rawValue
        if let url = decision.urlBytes { text += " \(ShownBytes.text(url))" }
        if let route = DecisionText.route(decision) { text += " [\(route)]" }
        if let rule = decision.rule { text += "  by \(rule)" }
        return text
    }

    static func text(_ timeline: OutcomeTimeline) -> String {
        timeline.entries.map { "\($0.time)  \(text($0.decision))\n" }.joined()
    }

    static func json(_ timeline: OutcomeTimeline) -> [UInt8] {
        timeline.entries.flatMap { entry -> [UInt8] in
            let object: JSONObject = ["time": "\(entry.time)", "decision": DecisionJSON.object(entry.decision)]
            return object.line
        }
    }
}
