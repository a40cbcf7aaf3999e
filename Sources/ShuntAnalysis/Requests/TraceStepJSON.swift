package import ShuntCore
package import ShuntRules

/// A step of a trace as members of a JSON object; the place of its rule is left to the caller, who has a form for places.
package enum TraceStepJSON {
    package static func writeMembers(of step: Trace.Step, to writer: inout JSONWriter) {
        writer.member("kind", step.kind.rawValue)
        writer.member("text", step.text)
        if let result = step.result { writer.member("result", result.rawValue) }
        if let subject = step.subject { writer.member("subject", subject) }
        if !step.captures.isEmpty {
            writer.name("captures")
            writer.array { writer in for capture in step.captures { writer.string(capture) } }
            writer.name("capture_ranges")
            writer.array { writer in
                for range in step.captureRanges {
                    guard let range else {
                        writer.null()
                        continue
                    }
                    writer.array { writer in
                        writer.number(range.lowerBound)
                        writer.number(range.upperBound)
                    }
                }
            }
        }
        if let change = step.change {
            writer.member("before", change.before)
            writer.member("after", change.after)
        }
    }
}
