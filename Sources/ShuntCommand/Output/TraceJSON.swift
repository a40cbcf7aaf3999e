import Shunt
import ShuntAnalysis

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
        TraceStepJSON.writeMembers(of: step, to: &writer)
        if let rule = step.rule {
            writer.name("rule")
            DecisionJSON.write(rule, to: &writer)
        }
        writer.endObject()
    }
}
