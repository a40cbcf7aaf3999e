package import ShuntCore
import ShuntRules

/// Examples as one JSON object.
package enum ExampleJSON {
    /// Writes the examples of all rules that were asked for.
    package static func write(_ all: [RuleExamples], to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("schema", "shunt-examples/1")
            let rules = all.filter { !$0.isTableEntry }
            let entries = all.filter(\.isTableEntry)
            writer.member("rules", rules.count)
            writer.member("with_example", rules.count { !$0.hits.isEmpty })
            writer.member("table_entries", entries.count)
            writer.member("table_entries_with_example", entries.count { !$0.hits.isEmpty })
            writer.name("examples")
            writer.array { writer in for entry in all { write(entry, to: &writer) } }
        }
    }

    private static func write(_ entry: RuleExamples, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name("rule")
            write(entry.rule, to: &writer)
            writer.member("text", entry.text)
            writer.name("hits")
            writer.array { writer in for hit in entry.hits { write(hit, to: &writer) } }
            writer.name("misses")
            writer.array { writer in for miss in entry.misses { write(miss, to: &writer) } }
            if let reason = entry.reason { writer.member("unproved", reason.description) }
            if !entry.covers.isEmpty {
                writer.name("dead_because_of")
                writer.array { writer in for cover in entry.covers { write(cover, to: &writer) } }
            }
        }
    }

    private static func write(_ example: Example, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name("request")
            writer.json(example.request.json.span)
            if case .nearMiss(let part) = example.kind { writer.member("part", part) }
            writer.member("decision", example.decision.kind.rawValue)
            if let status = example.decision.status { writer.member("status", status) }
            if let url = example.decision.url { writer.member("url", url) }
            if let route = example.decision.route { writer.member("route", route) }
        }
    }

    private static func write(_ location: SourceLocation, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("file", location.file)
            writer.member("line", location.line)
            writer.member("column", location.column)
        }
    }
}
