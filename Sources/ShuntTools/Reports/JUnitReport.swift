import Shunt

/// The result of tests as JUnit XML, which most build servers read.
package enum JUnitReport {
    /// The whole document.
    package static func text(_ report: TestReport) -> String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        let counts = counts(report.outcomes)
        lines.append("<testsuites name=\"shunt\" \(counts)>")
        for (name, tests) in report.files {
            let outcomes = tests.map { report.outcomes[$0] }
            lines.append("  <testsuite name=\"\(XMLText.escaped(name))\" \(self.counts(outcomes))>")
            for outcome in outcomes { lines += self.lines(outcome) }
            lines.append("  </testsuite>")
        }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func counts(_ outcomes: [TestOutcome]) -> String {
        let failures = outcomes.count { $0.result == .failed }
        let skipped = outcomes.count { $0.result == .skipped || $0.result == .notChecked }
        let time = ReportNumbers.seconds(outcomes.reduce(0) { $0 + $1.nanoseconds })
        return
            "tests=\"\(outcomes.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\" time=\"\(time)\""
    }

    private static func lines(_ outcome: TestOutcome) -> [String] {
        let test = outcome.test
        let name = "\(test.location.line): \(test.name.map { "\($0): " } ?? "")\(test.request)"
        var head =
            "    <testcase classname=\"\(XMLText.escaped(test.location.file))\" name=\"\(XMLText.escaped(name))\""
        head += " time=\"\(ReportNumbers.seconds(outcome.nanoseconds))\""
        switch outcome.result {
        case .passed: return [head + "/>"]
        case .skipped, .notChecked: return [head + "><skipped message=\"\(outcome.result.rawValue)\"/></testcase>"]
        case .failed:
            let kind = outcome.problems.first?.kind ?? "decision"
            let place = outcome.decision?.rule.map { "by \($0)" } ?? "by no rule"
            return [
                head + ">",
                "      <failure message=\"\(XMLText.escaped(outcome.message))\" type=\"\(kind)\">"
                    + XMLText.escaped("\(test.place)\ndecided \(outcome.decided), \(place)") + "</failure>",
                "    </testcase>",
            ]
        }
    }
}
