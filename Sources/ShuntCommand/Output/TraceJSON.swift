import Shunt
import ShuntTools

/// Traces as JSON objects.
enum TraceJSON {
    /// The decision and its trace as one object on a line.
    static func bytes(_ trace: Trace, _ decision: Decision, request: String) -> [UInt8] {
        let object: JSONObject = [
            "decision": DecisionJSON.object(decision, request: Array(request.utf8)),
            "trace": trace.steps.map { TraceStepJSON.members(of: $0).adding(["rule": $0.rule]) },
        ]
        return object.line
    }
}
