package import ShuntCore
package import ShuntRules

/// A step of a trace as members of a JSON object; the place of its rule is left to the caller, who has a form for places.
package enum TraceStepJSON {
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
