#if Gateway
import Shunt
import ShuntAnalysis
import ShuntCore
import ShuntRules

/// Rules as JSON: a part of all of them, and one with everything that is known of it.
struct RulesReport {
    private let rules: ServedRules
    private let snapshot: RuleSnapshot
    private let table: RuleTable
    private let totals: [(hits: UInt64, last: Int64?, since: Int64)]
    private let findings: RuleAnalysis.Findings?
    private let changed: Set<SourceLocation>

    /// The number of lines shown before and after a rule.
    private static let neighbours = 4
    /// The longest line that is shown, in bytes.
    private static let lineBytes = 2_000

    /// To be made and used off the event loops: it takes time in proportion to the rules.
    init(_ rules: ServedRules) {
        self.rules = rules
        snapshot = rules.store.snapshot
        table = rules.table(of: snapshot.ruleSet)
        totals = rules.counters.counters(of: snapshot.ruleSet).totals()
        findings = rules.analysis.findings(of: snapshot.ruleSet)
        changed = Set(rules.history.lastChanges.map { $0.added + $0.edited.map(\.after) }?.map(\.location) ?? [])
    }

    private func known(_ row: RuleTable.Row) -> RuleQuery.Known {
        var known = RuleQuery.Known()
        if let counter = row.counter, counter < totals.count {
            (known.hits, known.last) = (totals[counter].hits, totals[counter].last)
        }
        known.findings = findings?.byPlace[row.place]?.count ?? 0
        known.isChanged = changed.contains(row.place)
        return known
    }

    /// The rules that a query asks for.
    func bytes(_ query: RuleQuery) -> [UInt8] {
        let all = table.rows.map(known)
        let chosen = query.select(table.rows, all, at: Timestamp.now().seconds)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", snapshot.version)
            writer.member("hash", snapshot.contentHash)
            writer.member("all", table.rows.count)
            writer.member("found", chosen.count)
            writer.member("after", query.offset)
            writer.member("has_findings", findings != nil)
            writer.name("rules")
            writer.array { writer in
                for index in chosen.dropFirst(query.offset).prefix(query.limit) {
                    writer.object { writer in write(table.rows[index], all[index], to: &writer) }
                }
            }
        }
        writer.newline()
        return writer.bytes
    }

    private func write(_ row: RuleTable.Row, _ known: RuleQuery.Known, to writer: inout JSONWriter) {
        writer.member("id", row.id)
        writer.member("rule", row.place.description)
        writer.member("text", row.text)
        if !row.context.isEmpty { writer.member("in", row.context) }
        if let name = row.note?["name"] { writer.member("name", name) }
        if row.counter != nil { writer.member("hits", known.hits) }
        if let last = known.last { writer.member("last_hit", Timestamp(seconds: last).iso8601()) }
        if known.findings > 0 { writer.member("findings", known.findings) }
        if known.isChanged { writer.member("changed", true) }
    }

    /// One rule with its neighbours, its findings and an example; nil where no rule has the identifier.
    func bytes(rule id: String) -> [UInt8]? {
        guard let row = table.row(id) else { return nil }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", snapshot.version)
            write(row, known(row), to: &writer)
            if let counter = row.counter, counter < totals.count {
                writer.member("counted_since", Timestamp(seconds: totals[counter].since).iso8601())
            }
            if let note = row.note {
                writer.name("note")
                writer.object { writer in
                    for entry in note.entries where entry.key != "allow" { writer.member(entry.key, entry.value) }
                }
            }
            writeLines(around: row, to: &writer)
            if let found = findings?.byPlace[row.place], !found.isEmpty {
                writer.name("finding_list")
                writer.array { writer in for finding in found { Self.write(finding, to: &writer) } }
            }
            writeExample(row, to: &writer)
        }
        writer.newline()
        return writer.bytes
    }

    private func writeLines(around row: RuleTable.Row, to writer: inout JSONWriter) {
        let file = Int(row.position.file)
        guard let bytes = snapshot.ruleSet.file(file)?.bytes else { return }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let first = max(1, Int(row.position.line) - Self.neighbours)
        let end = snapshot.ruleSet.document.directive(at: row.position).map { Int($0.directive.end) }
        let height = end.map { bytes[..<$0].count { $0 == UInt8(ascii: "\n") } + 1 } ?? Int(row.position.line)
        let last = min(lines.count, min(height, Int(row.position.line) + 20) + Self.neighbours)
        writer.member("file", row.place.file)
        writer.member("line", row.place.line)
        writer.member("last_line", min(height, last))
        writer.member("first_shown", first)
        writer.name("lines")
        writer.array { writer in
            guard first <= last else { return }
            for line in lines[(first - 1)..<last] { writer.string(Array(line.prefix(Self.lineBytes)).span) }
        }
    }

    static func write(_ finding: LintFinding, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("severity", finding.diagnostic.severity.rawValue)
            writer.member("code", finding.check)
            writer.member("message", finding.diagnostic.message)
            if let suggestion = finding.diagnostic.suggestion { writer.member("suggestion", suggestion) }
            if let witness = finding.witnesses.first { writer.member("witness", witness.text) }
        }
    }

    private func writeExample(_ row: RuleTable.Row, to writer: inout JSONWriter) {
        guard let found = rules.analysis.examples(of: row.place, in: snapshot.ruleSet) else { return }
        guard let hit = found.hits.first else {
            writer.member("no_example", found.covers.isEmpty ? "no request was found" : "other rules decide all of it")
            return
        }
        writer.name("example")
        writer.object { writer in
            writer.name("request")
            writer.json(hit.request.json.span)
            writer.member("shown", RequestText.shown(hit.request))
            writer.member("query", RequestNotation.query(hit.request.request))
            writer.member("decision", ExampleText.decision(hit.decision))
        }
    }
}
#endif
