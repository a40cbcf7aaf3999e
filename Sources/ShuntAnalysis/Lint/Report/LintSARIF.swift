import ShuntCore
package import ShuntRules

/// The report of `shunt lint` as SARIF 2.1.0, which code hosts read.
package enum LintSARIF {
    /// The whole document.
    package static func bytes(_ runs: [(path: String, run: LintRun, ruleSet: RuleSet)], _ findings: [LintFinding])
        -> [UInt8]
    {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        writer.member("version", "2.1.0")
        writer.name("runs")
        writer.beginArray()
        writer.beginObject()
        writer.name("tool")
        writer.beginObject()
        writer.name("driver")
        writer.beginObject()
        writer.member("name", "shunt lint")
        writer.name("rules")
        writer.beginArray()
        let others = Set(findings.map(\.check)).subtracting(LintCheck.all.map(\.id)).sorted()
        for check in LintCheck.all { rule(check.id, check.summary, &writer) }
        for code in others { rule(code, "reported when the rules are loaded", &writer) }
        writer.endArray()
        writer.endObject()
        writer.endObject()
        writer.name("results")
        writer.beginArray()
        for finding in findings { result(finding, runs, &writer) }
        writer.endArray()
        writer.endObject()
        writer.endArray()
        writer.endObject()
        writer.newline()
        return writer.bytes
    }

    private static func rule(_ id: String, _ summary: String, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.name("shortDescription")
        text(summary, &writer)
        writer.endObject()
    }

    private static func text(_ text: String, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("text", text)
        writer.endObject()
    }

    private static func result(
        _ finding: LintFinding,
        _ runs: [(path: String, run: LintRun, ruleSet: RuleSet)],
        _ writer: inout JSONWriter
    ) {
        let diagnostic = finding.diagnostic
        writer.beginObject()
        writer.member("ruleId", finding.check)
        writer.member("level", diagnostic.severity.rawValue)
        writer.name("message")
        let lines = [diagnostic.message] + finding.remarks + [diagnostic.suggestion].compactMap { $0 }
        text(lines.joined(separator: "\n"), &writer)
        if diagnostic.location.line > 0 {
            writer.name("locations")
            writer.beginArray()
            writer.beginObject()
            location(diagnostic.location, &writer)
            writer.endObject()
            writer.endArray()
        }
        if !finding.rule.isEmpty {
            writer.name("partialFingerprints")
            writer.beginObject()
            writer.member("shuntRule/v1", finding.rule)
            writer.endObject()
        }
        if finding.witnesses.count > 1 { flow(finding, &writer) }
        let ruleSet = runs.first { $0.ruleSet.program.tables.files.contains(diagnostic.location.file) }?.ruleSet
        if !finding.edits.isEmpty, let ruleSet { fix(finding, ruleSet, &writer) }
        writer.endObject()
    }

    /// The places that requests go through, one a hop.
    private static func flow(_ finding: LintFinding, _ writer: inout JSONWriter) {
        writer.name("codeFlows")
        writer.beginArray()
        writer.beginObject()
        writer.name("threadFlows")
        writer.beginArray()
        writer.beginObject()
        writer.name("locations")
        writer.beginArray()
        for witness in finding.witnesses {
            writer.beginObject()
            writer.name("location")
            writer.beginObject()
            location(witness.decision.rule ?? finding.diagnostic.location, &writer)
            writer.name("message")
            text(witness.text, &writer)
            writer.endObject()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        writer.endArray()
        writer.endObject()
        writer.endArray()
    }

    private static func location(_ location: SourceLocation, _ writer: inout JSONWriter) {
        writer.name("physicalLocation")
        writer.beginObject()
        artifact(location.file, &writer)
        writer.name("region")
        writer.beginObject()
        writer.member("startLine", location.line)
        writer.member("startColumn", max(1, location.column))
        writer.endObject()
        writer.endObject()
    }

    private static func artifact(_ file: String, _ writer: inout JSONWriter) {
        writer.name("artifactLocation")
        writer.beginObject()
        writer.member("uri", uri(file))
        writer.endObject()
    }

    /// A path as a URI reference.
    private static func uri(_ path: String) -> String {
        let plain = ByteSet.alphanumerics.union(ByteSet(ascii: "-._~/!$&'()*+,;=@"))
        var bytes: [UInt8] = path.hasPrefix("/") ? Array("file://".utf8) : []
        for byte in path.utf8 {
            if plain.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), (byte >> 4).upperHexadecimalDigit, (byte & 15).upperHexadecimalDigit]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func fix(_ finding: LintFinding, _ ruleSet: RuleSet, _ writer: inout JSONWriter) {
        writer.name("fixes")
        writer.beginArray()
        writer.beginObject()
        writer.name("artifactChanges")
        writer.beginArray()
        for edit in finding.edits {
            guard let file = ruleSet.file(edit.file) else { continue }
            let start = file.place(of: edit.range.lowerBound)
            let end = file.place(of: edit.range.upperBound)
            writer.beginObject()
            artifact(file.name, &writer)
            writer.name("replacements")
            writer.beginArray()
            writer.beginObject()
            writer.name("deletedRegion")
            writer.beginObject()
            writer.member("startLine", start.line)
            writer.member("startColumn", start.column)
            writer.member("endLine", end.line)
            writer.member("endColumn", end.column)
            writer.endObject()
            writer.name("insertedContent")
            text(edit.text, &writer)
            writer.endObject()
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        writer.endArray()
    }
}
