import Shunt

/// Traces as JSON objects.
enum TraceJSON {
    /// The decision and its trace as one object on a line.
    static func bytes(_ trace: Trace, _ decision: Decision, request: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("decision")
        DecisionJSON.write(decision, line: Array(request.utf8), isObject: false, to: &writer)
        writer.name("trace")
        writer.beginArray()
        for step in trace.steps { write(step, to: &writer) }
        writer.endArray()
        writer.endObject()
        writer.newline()
        return writer.bytes
    }

    private static func write(_ step: Trace.Step, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", step.kind.rawValue)
        writer.member("text", step.text)
        if let result = step.result { writer.member("result", result.rawValue) }
        if let subject = step.subject { writer.member("subject", subject) }
        if !step.captures.isEmpty {
            writer.name("captures")
            writer.beginArray()
            for capture in step.captures { writer.string(capture) }
            writer.endArray()
        }
        if let change = step.change {
            writer.member("before", change.before)
            writer.member("after", change.after)
        }
        if let rule = step.rule {
            writer.name("rule")
            DecisionJSON.write(rule, to: &writer)
        }
        writer.endObject()
    }
}
