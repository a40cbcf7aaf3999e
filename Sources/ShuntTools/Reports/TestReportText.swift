package import Shunt

/// The result of tests as text.
package struct TestReportText {
    /// The most unreached parts that are listed unless all are requested.
    private static let listed = 10

    /// The most failures of a file that are shown one by one.
    private static let shown = 50

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
        let files = report.files
        let width = max(32, (files.map { $0.name.unicodeScalars.count }.max() ?? 0) + 2)
        for (name, tests) in files {
            let passed = tests.count { report.outcomes[$0].result == .passed }
            lines.append("\(name.padded(to: width)) \(passed) of \(tests.count)")
            let failed = tests.filter { report.outcomes[$0].result == .failed }
            for index in failed.prefix(Self.shown) { lines += failure(report.outcomes[index]) }
            lines += rest(failed.dropFirst(Self.shown).map { report.outcomes[$0] })
        }
        lines.append(summary(report))
        let notChecked = report.notChecked.map { "\($0.count) times \($0.kind)" }
        if !notChecked.isEmpty { lines.append("not checked: " + notChecked.joined(separator: ", ")) }
        if let coverage = report.coverage { lines += [""] + self.lines(coverage, report.ruleSet) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func summary(_ report: TestReport) -> String {
        let all = report.outcomes.count
        let time = report.outcomes.reduce(0) { $0 + $1.nanoseconds }
        var parts = ["\(report.count(.passed)) passed"]
        for (result, word) in [
            (TestOutcome.Result.failed, "failed"), (.notChecked, "not checked"), (.skipped, "skipped"),
        ] {
            let count = report.count(result)
            if count > 0 { parts.append("\(count) \(word)") }
        }
        parts.append("\(ReportNumbers.decimal(Double(time) / 1_000_000, 1)) ms")
        return "\(all) test\(all == 1 ? "" : "s"): " + parts.joined(separator: ", ")
    }

    /// Further failures of a file, counted by what was decided.
    private func rest(_ outcomes: [TestOutcome]) -> [String] {
        guard !outcomes.isEmpty else { return [] }
        var counts: [String: Int] = [:]
        for outcome in outcomes {
            let status = outcome.decision?.status.map { " \($0)" } ?? ""
            counts[(outcome.decision?.kind.rawValue ?? "nothing") + status, default: 0] += 1
        }
        let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) decided \($0.key)" }
        return ["  and \(outcomes.count) more: \(kinds.joined(separator: ", ")); --format json has all"]
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
            var line = "  \(kind.rawValue.padded(to: 12)) \(count.covered) of \(count.all)"
            line = line.padded(to: 32) + "\(ReportNumbers.decimal(count.percent, 1)) %"
            if let threshold = thresholds[kind], count.percent < threshold {
                line = line.padded(to: 42) + "below \(ReportNumbers.decimal(threshold, 1)) %"
            }
            lines.append(line)
        }
        let missing = coverage.missing
        guard !missing.isEmpty else { return lines }
        lines.append("not covered:")
        let shown = listsAll ? missing[...] : missing.prefix(Self.listed)
        // Each request was asked of the rules before it is proposed.
        let examples = TargetSolver(ruleSet, asOf: time)
        for item in shown {
            let part = item.part.map { ", \($0)" } ?? ""
            lines.append("  \("\(item.location)".padded(to: 28)) \(item.kind.rawValue)\(part): \(item.text)")
            if let request = examples.request(reaching: item.target) {
                lines += TestNotation.lines(request, nil).split(separator: "\n")
                    .map { String(repeating: " ", count: 31) + $0 }
            }
        }
        let others = missing.count - Self.listed
        if !listsAll, others > 0 { lines.append("  and \(others) more with --uncovered") }
        return lines
    }
}
