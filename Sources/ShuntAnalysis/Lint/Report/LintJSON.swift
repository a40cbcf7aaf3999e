import ShuntCore
package import ShuntRules

/// The report of `shunt lint` as JSON.
package enum LintJSON {
    /// One object on a line.
    package static func bytes(
        _ runs: [(path: String, run: LintRun, ruleSet: RuleSet)],
        _ findings: [LintFinding]
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("schema", "shunt-lint/1")
        for severity in [Diagnostic.Severity.error, .warning, .note] {
            writer.member("\(severity.rawValue)s", findings.count { $0.diagnostic.severity == severity })
        }
        writer.member("rules", runs.reduce(0) { $0 + $1.run.ruleCount })
        writer.member("judged", runs.reduce(0) { $0 + $1.run.judgedCount })
        writer.member("allowed", runs.reduce(0) { $0 + $1.run.allowedCount })
        writer.name("findings")
        writer.beginArray()
        for finding in findings {
            let ruleSet = runs.first { $0.ruleSet.program.tables.files.contains(finding.diagnostic.location.file) }?
                .ruleSet
            write(finding, ruleSet, to: &writer)
        }
        writer.endArray()
        writer.name("unproved")
        writer.beginArray()
        for (rule, reason) in runs.flatMap(\.run.unproved) {
            writer.beginObject()
            write(rule, to: &writer)
            writer.member("reason", reason)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        writer.newline()
        return writer.bytes
    }

    private static func write(_ location: SourceLocation, to writer: inout JSONWriter) {
        writer.member("file", location.file)
        writer.member("line", location.line)
        writer.member("column", location.column)
    }

    private static func write(_ finding: LintFinding, _ ruleSet: RuleSet?, to writer: inout JSONWriter) {
        let diagnostic = finding.diagnostic
        writer.beginObject()
        writer.member("severity", diagnostic.severity.rawValue)
        writer.member("code", diagnostic.code)
        writer.member("message", diagnostic.message)
        write(diagnostic.location, to: &writer)
        writer.member("length", diagnostic.length)
        if !diagnostic.sourceLine.isEmpty { writer.member("source", diagnostic.sourceLine) }
        if let suggestion = diagnostic.suggestion { writer.member("suggestion", suggestion) }
        writer.member("id", finding.rule)
        writer.member("basis", finding.basis.rawValue)
        if !finding.remarks.isEmpty {
            writer.name("notes")
            writer.array { writer in for remark in finding.remarks { writer.string(remark) } }
        }
        if !finding.witnesses.isEmpty {
            writer.name("witnesses")
            writer.beginArray()
            for witness in finding.witnesses {
                writer.beginObject()
                writer.name("request")
                writer.json(witness.request.json.span)
                writer.member("decision", ExampleText.decision(witness.decision))
                writer.endObject()
            }
            writer.endArray()
        }
        if !finding.coveredBy.isEmpty {
            writer.name("covered_by")
            writer.beginArray()
            for cover in finding.coveredBy {
                writer.beginObject()
                write(cover, to: &writer)
                writer.endObject()
            }
            writer.endArray()
        }
        if !finding.edits.isEmpty, let ruleSet {
            writer.name("fix")
            writer.beginObject()
            writer.member("safe", true)
            writer.name("edits")
            writer.beginArray()
            for edit in finding.edits { write(edit, ruleSet, to: &writer) }
            writer.endArray()
            writer.endObject()
        }
        writer.endObject()
    }

    private static func write(_ edit: LintEdit, _ ruleSet: RuleSet, to writer: inout JSONWriter) {
        guard let file = ruleSet.file(edit.file) else { return }
        writer.beginObject()
        writer.member("file", file.name)
        for (name, offset) in [("start", edit.range.lowerBound), ("end", edit.range.upperBound)] {
            let place = file.place(of: offset)
            writer.name(name)
            writer.beginObject()
            writer.member("line", place.line)
            writer.member("column", place.column)
            writer.endObject()
        }
        writer.member("text", edit.text)
        writer.endObject()
    }
}
