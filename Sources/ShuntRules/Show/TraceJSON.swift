package import ShuntCore

/// Traces as JSON objects.
package enum TraceJSON {
    package static func object(_ trace: Trace, _ decision: Decision, request: [UInt8]) -> JSONObject {
        [
            "schema": "shunt-explain/1",
            "decision": DecisionJSON.object(decision, request: request),
            "trace": trace.steps.map { members(of: $0).adding(["rule": $0.rule]) },
        ]
    }

    /// A step; the place of its rule is left to the caller, who has a form for places.
    package static func members(of step: Trace.Step) -> JSONObject {
        let ranges = step.captureRanges.map { range -> any JSONWritable in
            if let range { [range.lowerBound, range.upperBound] } else { JSONText(nil) }
        }
        return [
            "kind": step.kind.rawValue,
            "text": step.text,
            "result": step.result?.rawValue,
            "subject": step.subject,
            "captures": step.captures.isEmpty ? nil : step.captures,
            "capture_ranges": step.captures.isEmpty ? nil : JSONArray(ranges),
            "before": step.change?.before,
            "after": step.change?.after,
        ]
    }
}
