import Shunt
import ShuntAnalysis

/// The report of `shunt diff` for programs.
enum DifferenceJSON {
    /// The report as one object on a line.
    static func bytes(_ report: DifferenceReport) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("schema", "shunt-diff/1")
        writer.name("structure")
        write(report, to: &writer)
        writer.name("traffic")
        writer.beginObject()
        writer.member("requests", report.requests)
        writer.member("distinct", report.distinct)
        writer.member("unreadable", report.unreadable)
        writer.member("changed", report.changed)
        writer.name("percent")
        writer.number(report.percent)
        writer.name("groups")
        writer.array { writer in
            for group in report.groups { write(group, examples: report.examples, to: &writer) }
        }
        writer.name("unheard")
        writer.array { writer in
            for variable in report.unheard {
                writer.beginObject()
                writer.member("variable", variable.name)
                writer.name("rules")
                writer.array { writer in for rule in variable.rules { write(rule, to: &writer) } }
                writer.endObject()
            }
        }
        if !report.masked.isEmpty {
            writer.name("masked")
            writer.object { writer in
                for (name, count) in report.masked.sorted(by: { $0.key < $1.key }) { writer.member(name, count) }
            }
        }
        writer.endObject()
        if let witnesses = report.witnesses {
            writer.name("witnesses")
            writer.beginObject()
            writer.member("tried", witnesses.tried)
            writer.member("changed", witnesses.changed)
            writer.name("groups")
            writer.array { writer in
                for group in witnesses.groups { write(group, examples: report.examples, to: &writer) }
            }
            writer.name("unjudged")
            writer.array { writer in for rule in witnesses.unjudged { write(rule, to: &writer) } }
            writer.endObject()
        }
        if let findings = report.findings {
            writer.name("findings")
            writer.beginObject()
            writer.name("new")
            writer.array { writer in
                for finding in findings.new {
                    writer.beginObject()
                    writer.member("check", finding.check)
                    writer.member("severity", finding.diagnostic.severity.rawValue)
                    writer.member("place", "\(finding.diagnostic.location)")
                    writer.member("message", finding.diagnostic.message)
                    writer.endObject()
                }
            }
            writer.member("gone", findings.goneCount)
            writer.endObject()
        }
        writer.name("budgets")
        writer.array { writer in
            for budget in report.budgets {
                writer.beginObject()
                writer.member("option", budget.option)
                writer.member("budget", "\(budget.budget)")
                writer.member("count", budget.count)
                writer.member("of", budget.all)
                writer.member("kept", budget.isKept)
                writer.endObject()
            }
        }
        if let approval = report.approval {
            writer.name("approval")
            writer.beginObject()
            writer.name("missing")
            writer.array { writer in for name in approval.missing { writer.string(name) } }
            writer.name("unexpected")
            writer.array { writer in for name in approval.unexpected { writer.string(name) } }
            writer.endObject()
        }
        writer.member("accepted", report.isAccepted)
        writer.endObject()
        writer.newline()
        return writer.bytes
    }

    private static func write(_ report: DifferenceReport, to writer: inout JSONWriter) {
        let changes = report.structure
        writer.beginObject()
        for (name, rules, count) in [
            ("added", changes.added, changes.addedCount), ("removed", changes.removed, changes.removedCount),
        ] {
            writer.name(name)
            writer.array { writer in for rule in rules { write(rule, to: &writer) } }
            writer.member("\(name)_count", count)
        }
        writer.name("edited")
        writer.array { writer in
            for (index, edit) in changes.edited.enumerated() {
                writer.beginObject()
                writer.name("before")
                write(edit.before, to: &writer)
                writer.name("after")
                write(edit.after, to: &writer)
                if index < report.edits.count {
                    let judged = report.edits[index]
                    if let argument = judged.argument { writer.member("argument", argument.number) }
                    let known = judged.isProvedEqual ? "proved" : "unproved"
                    writer.member("equal", report.changesOutcome(judged) ? "different" : known)
                }
                writer.endObject()
            }
        }
        writer.member("edited_count", changes.editedCount)
        writer.name("reordered")
        writer.array { writer in for file in changes.reordered { writer.string(file) } }
        writer.endObject()
    }

    private static func write(_ rule: RuleChanges.Rule, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("file", rule.location.file)
        writer.member("line", rule.location.line)
        writer.member("column", rule.location.column)
        writer.member("text", rule.text)
        writer.endObject()
    }

    private static func write(_ group: ChangeGroup, examples: Int, to writer: inout JSONWriter) {
        writer.beginObject()
        group.writeMembers(to: &writer)
        writer.member("distinct", group.requests.count)
        writer.name("examples")
        writer.array { writer in
            for request in group.requests.prefix(examples) {
                writer.beginObject()
                writer.name("request")
                writer.json(request.request.json.span)
                writer.member("weight", request.weight)
                writer.name("old")
                DecisionJSON.write(request.old, to: &writer)
                writer.name("new")
                DecisionJSON.write(request.new, to: &writer)
                writer.endObject()
            }
        }
        writer.endObject()
    }
}
