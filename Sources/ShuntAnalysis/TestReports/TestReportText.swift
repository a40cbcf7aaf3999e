package import ShuntCore
package import ShuntRules

/// What came of tests, for people.
package struct TestReportText {
    /// How many things that no test reached are listed unless all are wanted.
    private static let listed = 10

    private let style: Style
    /// The least coverage in percent, by kind.
    private let thresholds: [RuleCoverage.Kind: Double]
    private let listsAll: Bool
    /// The time of the requests that are proposed.
    private let time: Timestamp

    /// Makes texts in a style.
    package init(
        style: Style,
        thresholds: [RuleCoverage.Kind: Double] = [:],
        listsAll: Bool = false,
        asOf time: Timestamp
    ) {
        self.style = style
        self.time = time
        self.thresholds = thresholds
        self.listsAll = listsAll
    }

    /// The whole report.
    package func text(_ report: TestReport) -> String {
        var lines: [String] = []
        let width = max(32, (report.files.map { $0.name.unicodeScalars.count }.max() ?? 0) + 2)
        for (name, outcomes) in report.files {
            let passed = outcomes.count { $0.result == .passed }
            lines.append("\(padded(name, width)) \(passed) of \(outcomes.count)")
            for outcome in outcomes where outcome.result == .failed { lines += failure(outcome) }
        }
        lines.append(summary(report))
        let notChecked = report.notChecked.map { "\($0.count) times \($0.kind)" }
        if !notChecked.isEmpty { lines.append("not checked: " + notChecked.joined(separator: ", ")) }
        if let coverage = report.coverage { lines += [""] + self.lines(coverage, report.ruleSet) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
    }

    private func summary(_ report: TestReport) -> String {
        let all = report.outcomes.count
        var parts = ["\(report.count(.passed)) passed"]
        for (result, word) in [
            (TestOutcome.Result.failed, "failed"), (.notChecked, "not checked"), (.skipped, "skipped"),
        ] where report.count(result) > 0 {
            parts.append("\(report.count(result)) \(word)")
        }
        let time = report.outcomes.reduce(0) { $0 + $1.nanoseconds }
        parts.append("\(ReportNumbers.oneDigit(Double(time) / 1_000_000)) ms")
        return "\(all) test\(all == 1 ? "" : "s"): " + parts.joined(separator: ", ")
    }

    private func failure(_ outcome: TestOutcome) -> [String] {
        let test = outcome.test
        let name = test.name.map { "\($0): " } ?? ""
        var lines = ["  \(style("failed", .bad))  \(test.place)  \(name)\(test.request)"]
        for problem in outcome.problems {
            lines.append("            expected  \(problem.expected)" + (problem.url.map { "  for \($0)" } ?? ""))
            if problem.kind != "decision" { lines.append("            but it is \(problem.found)") }
        }
        if let decision = outcome.decision {
            let place = decision.rule.map { "  by \($0)" } ?? ""
            lines.append("            decided   \(ExpectedDecision.text(of: decision))" + style(place, .faint))
        }
        if let reason = outcome.reason { lines.append("            why       \(reason)") }
        return lines
    }

    // MARK: Coverage

    private func lines(_ coverage: RuleCoverage, _ ruleSet: RuleSet) -> [String] {
        var lines = ["coverage"]
        for kind in RuleCoverage.Kind.allCases {
            let count = coverage.count(kind)
            guard count.all > 0 else { continue }
            var line = "  \(padded(kind.rawValue, 12)) \(count.covered) of \(count.all)"
            line = padded(line, 32) + "\(ReportNumbers.oneDigit(count.percent)) %"
            if let threshold = thresholds[kind], count.percent < threshold {
                line = padded(line, 42) + "below \(ReportNumbers.oneDigit(threshold)) %"
            }
            lines.append(line)
        }
        let missing = coverage.missing
        guard !missing.isEmpty else { return lines }
        lines.append("not covered:")
        let shown = listsAll ? missing[...] : missing.prefix(Self.listed)
        // Each request was asked of the rules before it is proposed.
        let wanted = Set(shown.filter { $0.kind == .rules }.map(\.location))
        let examples = wanted.isEmpty ? [] : ExampleSearch(ruleSet, asOf: time).examples { wanted.contains($0) }
        let hits = Dictionary(examples.map { ($0.rule, $0.hits.first) }) { first, _ in first }
        for item in shown {
            let part = item.part.map { ", \($0)" } ?? ""
            lines.append("  \(padded("\(item.location)", 28)) \(item.kind.rawValue)\(part): \(item.text)")
            if item.kind == .rules, let hit = hits[item.location] ?? nil {
                let request = TestNotation.lines(hit.request, nil)
                lines += request.split(separator: "\n").map { padded("", 31) + $0 }
            }
        }
        let others = missing.count - Self.listed
        if !listsAll, others > 0 { lines.append("  and \(others) more with --uncovered") }
        return lines
    }
}
