import Shunt
import ShuntTools

struct DifferenceText {
    private let report: DifferenceReport
    private let style: Style
    private var lines: [String] = []

    init(_ report: DifferenceReport, usesColor: Bool) {
        self.report = report
        style = Style(usesColor: usesColor)
    }

    static func text(_ report: DifferenceReport, usesColor: Bool) -> String {
        var text = DifferenceText(report, usesColor: usesColor)
        text.addStructure()
        text.addTraffic()
        text.addSameOutcomes()
        text.addWitnesses()
        text.addFindings()
        text.addVerdict()
        return text.lines.map { $0 + "\n" }.joined()
    }

    private mutating func addHeading(_ text: String) { lines += ["", style(text, .heading)] }

    private mutating func addStructure() {
        let changes = report.structure
        guard !changes.isEmpty else { return lines.append(style("rules: no changes", .heading)) }
        let counts = [
            (changes.editedCount, "edited"), (changes.addedCount, "added"), (changes.removedCount, "removed"),
        ]
        var parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        if !changes.reordered.isEmpty { parts.append("another order in \(changes.reordered.joined(separator: ", "))") }
        lines.append(style("rules: \(parts.joined(separator: ", "))", .heading))
        for (index, edit) in changes.edited.enumerated() {
            lines.append("  edited   \(edit.after.location)  \(shown(edit.before.text))")
            lines.append("       to  \(shown(edit.after.text))")
            if index < report.edits.count { add(report.edits[index]) }
        }
        for rule in changes.added { lines.append("  added    \(rule.location)  \(shown(rule.text))") }
        for rule in changes.removed { lines.append("  removed  \(rule.location)  \(shown(rule.text))") }
        let listed = changes.edited.count + changes.added.count + changes.removed.count
        let all = changes.editedCount + changes.addedCount + changes.removedCount
        if all > listed { lines.append("  and \(all - listed) more") }
    }

    private mutating func add(_ edit: EditJudgement) {
        var parts: [String] = []
        if let argument = edit.argument {
            parts.append("argument \(argument.number): \(shown(argument.before)) → \(shown(argument.after))")
        }
        if edit.isProvedEqual { parts.append("proved: no request changes") }
        if !parts.isEmpty { lines.append("           " + parts.joined(separator: "; ")) }
    }

    private mutating func addTraffic() {
        guard report.requests > 0 else {
            let lack =
                report.unreadable > 0
                ? "none of \(report.unreadable) lines is a request" : "no requests were given (--requests, --log)"
            return addHeading("traffic: \(lack)")
        }
        addHeading("traffic: \(report.requests) requests, \(report.distinct) distinct to these rules")
        if report.unreadable > 0 { lines.append("  \(report.unreadable) lines could not be read") }
        lines.append("  changed  \(report.changed) (\(DifferenceReport.hundredths(report.percent)) %)")
        if report.failed > 0 { lines.append("  \(report.failed) fail with 400 on both sides, and judge nothing") }
        for group in report.groups { add(group) }
        for variable in report.unheard { add(variable) }
        for (name, count) in report.masked.sorted(by: { $0.key < $1.key }) {
            lines.append(
                "  \(count) requests have masked values of \(shown(name)): rules that compare them are not judged"
            )
        }
    }

    private mutating func add(_ variable: DifferenceReport.UnheardVariable) {
        let count = variable.rules.count
        lines.append(
            "  no request has $\(variable.name): \(count) rule\(count == 1 ? "" : "s") on it judged by the default only"
        )
        for rule in variable.rules.prefix(3) { lines.append("      \(rule.location)  \(shown(rule.text))") }
        if count > 3 { lines.append("      and \(count - 3) more") }
    }

    private mutating func add(_ group: ChangeGroup) {
        var line = "  \(group.weight)  \(group.from) → \(group.to)"
        if group.from == group.to { line += " (\(group.change.rawValue))" }
        if let host = group.host { line += "  for \(shown(host))" }
        lines.append(style(line, .changed))
        if let first = group.requests.first, group.oldRule != nil || group.newRule != nil {
            if group.oldRule == group.newRule {
                add("by ", rule: group.newRule, decision: first.new)
            } else {
                add("was", rule: group.oldRule, decision: first.old)
                add("now", rule: group.newRule, decision: first.new)
            }
        }
        for request in group.requests.prefix(report.examples) {
            lines.append("      \(request.weight)  \(request.request)")
            let (old, new) = (result(request.old, of: request), result(request.new, of: request))
            lines.append("          \(old) → \(new)")
        }
        let more = group.requests.count - report.examples
        if report.examples > 0, more > 0 { lines.append("      and \(more) more that differ from these") }
    }

    private mutating func add(_ word: String, rule: String?, decision: Decision) {
        guard let rule else { return }
        let place = decision.rule.map { "\($0)  " } ?? ""
        lines.append("      \(word) \(place)\(shown(rule))")
    }

    private func result(_ decision: Decision, of request: ChangedRequest) -> String {
        var text = decision.status.map { "\(decision.kind.rawValue) \($0)" } ?? decision.kind.rawValue
        if let reason = decision.reason { text += " (\(reason))" }
        if let url = decision.url { text += " \(shown(url))" }
        if let route = DecisionText.route(decision) { text += " [\(route)]" }
        if request.change == .answer {
            for header in decision.headers + decision.successHeaders {
                text += " {\(ShownBytes.text(header.nameBytes)): \(ShownBytes.text(header.valueBytes))}"
            }
            if let body = decision.body { text += " \"\(shown(String(decoding: body, as: UTF8.self)))\"" }
        }
        return text
    }

    private mutating func addSameOutcomes() {
        guard !report.sameOutcomes.isEmpty else { return }
        addHeading("the same outcome by another rule")
        for other in report.sameOutcomes {
            let (old, new) = (other.old.map(shown) ?? "no rule", other.new.map(shown) ?? "no rule")
            lines.append("  \(other.weight)  \(old) → \(new)")
        }
    }

    private mutating func addWitnesses() {
        guard !report.structure.isEmpty, report.witnesses != nil || !report.unseen.isEmpty else { return }
        if let witnesses = report.witnesses {
            let (tried, changed) = (witnesses.tried, witnesses.changed)
            addHeading("witnesses: \(tried) requests generated for the changed rules, \(changed) change")
            for group in witnesses.groups { add(group) }
        } else {
            lines.append("")
        }
        lines += report.openQuestions(shown).map { "  \($0)" }
    }

    private mutating func addFindings() {
        guard let findings = report.findings else { return }
        addHeading("lint: \(findings.new.count) new findings, \(findings.goneCount) gone")
        for finding in findings.new {
            let diagnostic = finding.diagnostic
            lines.append(
                "  \(diagnostic.location): \(diagnostic.severity.rawValue): \(shown(diagnostic.message)) [\(finding.check)]"
            )
        }
    }

    private mutating func addVerdict() {
        lines.append("")
        for budget in report.budgets {
            let word = budget.isKept ? "within" : "more than"
            lines.append("\(budget.option): \(budget.count) of \(budget.all), \(word) \(budget.budget)")
        }
        if let approval = report.approval {
            for name in approval.unexpected { lines.append("not approved: \(shown(name))") }
            for name in approval.missing { lines.append("approved, but not there: \(shown(name))") }
            if report.isAccepted { lines.append("the changes are the approved ones") }
        }
        if report.isProvedEqual {
            let count = report.edits.count
            lines.append("no outcome changes (proved for \(count) of \(count) changed rules)")
        } else if report.requests == 0 {
            lines.append(verdictWithoutTraffic)
        } else if !report.unseen.isEmpty, report.changed == 0 {
            lines.append("no change of an outcome was found, but not all rules could be judged")
        } else if let bound = report.bound {
            // The bound for three requests is 100 %, which is not a bound.
            let others =
                bound >= 100
                ? "\(CheckReport.counted(report.requests, "request")) \(report.requests == 1 ? "is" : "are") too few to judge others"
                : "with 95 % confidence under \(DifferenceReport.hundredths(bound)) % of similar requests change"
            let isOfTraffic = (report.witnesses?.changed ?? 0) > 0
            lines.append("no outcome \(isOfTraffic ? "of the traffic " : "")changes; \(others)")
        }
    }

    private var verdictWithoutTraffic: String {
        if report.structure.isEmpty { return "no outcome changes" }
        guard let witnesses = report.witnesses else {
            return "the rules change; which outcomes change is not known without requests"
        }
        if witnesses.changed > 0 {
            return "outcomes change; how many requests that concerns is not known without a log"
        }
        return report.isJudged
            ? "no change of an outcome was found"
            : "no change of an outcome was found, but not all rules could be judged"
    }

    /// A text that is safe to show, and not too long.
    private func shown(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let limit = 200
        return bytes.count > limit ? ShownBytes.text(Array(bytes.prefix(limit))) + "…" : ShownBytes.text(bytes)
    }
}
