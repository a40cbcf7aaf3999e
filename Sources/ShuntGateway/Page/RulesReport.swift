#if Gateway
import Shunt
import ShuntTools

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

    /// The rules that a query selects.
    func bytes(_ query: RuleQuery) -> [UInt8] {
        let all = table.rows.map(known)
        let chosen = query.select(table.rows, all, at: Timestamp.now().seconds)
        let report: JSONObject = [
            "version": snapshot.version,
            "hash": snapshot.contentHash,
            "rule_count": snapshot.ruleCount,
            "all": table.rows.count,
            "found": chosen.count,
            "after": query.offset,
            "has_findings": findings != nil,
            "rules": chosen.dropFirst(query.offset).prefix(query.limit).map { members(of: table.rows[$0], all[$0]) },
        ]
        return report.line
    }

    private func members(of row: RuleTable.Row, _ known: RuleQuery.Known) -> JSONObject {
        [
            "id": row.id,
            "rule": row.place.description,
            "text": row.text,
            "in": row.context.isEmpty ? nil : row.context,
            "name": row.note?["name"],
            "hits": row.counter == nil ? nil : known.hits,
            "last_hit": known.last.map { Timestamp(seconds: $0).iso8601() },
            "findings": known.findings > 0 ? known.findings : nil,
            "changed": known.isChanged ? true : nil,
        ]
    }

    /// One rule with its neighbours, its findings and an example; nil where no rule has the identifier.
    func bytes(rule id: String) -> [UInt8]? {
        guard let row = table.row(id) else { return nil }
        let since = row.counter.flatMap { $0 < totals.count ? Timestamp(seconds: totals[$0].since).iso8601() : nil }
        let note = row.note.map { note in
            JSONObject(note.entries.filter { $0.key != "allow" }.map { ($0.key, $0.value) })
        }
        let found = findings?.byPlace[row.place].map { $0.map(Self.object) }
        let version: JSONObject = ["version": snapshot.version]
        return version.adding(members(of: row, known(row))).adding(["counted_since": since, "note": note])
            .adding(lines(around: row)).adding(["finding_list": found?.isEmpty == false ? found : nil])
            .adding(example(of: row)).line
    }

    private func lines(around row: RuleTable.Row) -> JSONObject {
        let file = Int(row.position.file)
        guard let bytes = snapshot.ruleSet.file(file)?.bytes else { return [:] }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let first = max(1, Int(row.position.line) - Self.neighbours)
        let end = snapshot.ruleSet.document.directive(at: row.position).map { Int($0.directive.end) }
        let height = end.map { bytes[..<$0].count { $0 == UInt8(ascii: "\n") } + 1 } ?? Int(row.position.line)
        let last = min(lines.count, min(height, Int(row.position.line) + 20) + Self.neighbours)
        return [
            "file": row.place.file,
            "line": row.place.line,
            "last_line": min(height, last),
            "first_shown": first,
            "lines": lines[(first - 1)..<max(first - 1, last)].map { Array($0.prefix(Self.lineBytes)) },
        ]
    }

    static func object(_ finding: LintFinding) -> JSONObject {
        [
            "severity": finding.diagnostic.severity.rawValue,
            "code": finding.check,
            "message": finding.diagnostic.message,
            "suggestion": finding.diagnostic.suggestion,
            "witness": finding.witnesses.first?.text,
        ]
    }

    private func example(of row: RuleTable.Row) -> JSONObject {
        guard let found = rules.analysis.examples(of: row.place, in: snapshot.ruleSet) else { return [:] }
        guard let hit = found.hits.first else {
            return ["no_example": found.covers.isEmpty ? "no request was found" : "other rules decide all of it"]
        }
        let example: JSONObject = [
            "request": hit.request,
            "shown": RequestText.shown(hit.request),
            "query": RequestNotation.query(hit.request.request),
            "decision": ExampleText.decision(hit.decision),
        ]
        return ["example": example]
    }
}
#endif
