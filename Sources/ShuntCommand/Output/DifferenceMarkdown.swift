import Shunt
import ShuntTools

/// The report of `shunt diff` as a comment on a pull request, and as annotations.
enum DifferenceMarkdown {
    static func text(_ report: DifferenceReport) -> String {
        let changes = report.structure
        var lines = ["### What these rules change", ""]
        lines.append(
            "Rules: \(changes.editedCount) edited, \(changes.addedCount) added, \(changes.removedCount) removed"
                + (changes.reordered.isEmpty
                    ? "." : ", another order in \(changes.reordered.map(code).joined(separator: ", ")).")
        )
        lines.append("")
        if report.requests == 0 {
            let compared = report.witnesses == nil ? "no outcome was" : "only generated ones were"
            lines.append("No requests were given: \(compared) compared.")
        } else {
            let share = DifferenceReport.hundredths(report.percent)
            lines.append("**\(report.changed) of \(report.requests) requests change (\(share) %).**")
        }
        lines += table(report.groups)
        if let witnesses = report.witnesses, witnesses.changed > 0 {
            lines += ["", "Requests generated for the changed rules, of which \(witnesses.changed) change:"]
            lines += table(witnesses.groups)
        }
        let questions = report.openQuestions { $0 }
        if !questions.isEmpty { lines += ["", "Not judged:", ""] + questions.map { "* \(code($0))" } }
        for budget in report.budgets {
            let word = budget.isKept ? "within" : "**more than**"
            lines += ["", "`\(budget.option)`: \(budget.count) of \(budget.all), \(word) \(budget.budget)."]
        }
        if let approval = report.approval {
            let count = approval.missing.count + approval.unexpected.count
            lines += [
                "",
                count == 0 ? "The changes are the approved ones." : "**\(count) changes are not as approved.**",
            ]
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func table(_ groups: [ChangeGroup]) -> [String] {
        guard !groups.isEmpty else { return [] }
        var lines = ["", "| requests | before | after | rule | for example |", "|---:|---|---|---|---|"]
        for group in groups {
            let rule = (group.newRule ?? group.oldRule).map(code) ?? ""
            let example = group.requests.first.map { code($0.request.description) } ?? ""
            lines.append("| \(group.weight) | \(group.from) | \(group.to) | \(rule) | \(example) |")
        }
        return lines
    }

    /// An annotation for each group.
    static func annotations(_ report: DifferenceReport) -> String {
        let level = report.isAccepted ? "notice" : "error"
        let groups = report.groups.map { ($0, "requests") }
        let generated = (report.witnesses?.groups ?? []).map { ($0, "generated requests") }
        let questions = report.openQuestions { $0 }
            .map { "::\(level) title=shunt diff::\(GitHubText.message($0))\n" }
        return (groups + generated)
            .map { group, requests in
                let place = (group.requests.first?.new.rule ?? group.requests.first?.old.rule)
                    .map { "file=\(GitHubText.property($0.file)),line=\($0.line)," }
                let example = group.requests.first.map { ", such as \($0.request)" } ?? ""
                let text = "\(group.weight) \(requests): \(group.from) → \(group.to)\(example)"
                return "::\(level) \(place ?? "")title=shunt diff::\(GitHubText.message(text))\n"
            }
            .joined() + questions.joined()
    }

    private static func code(_ text: String) -> String {
        let ticks = text.contains("`") ? "``" : "`"
        let cut = text.count > 120 ? "\(text.prefix(120))…" : text
        return ticks + cut.replacing("|", with: "\\|").replacing("\n", with: " ") + ticks
    }
}
