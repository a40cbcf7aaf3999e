import ShuntRules

/// The result of tests in the Test Anything Protocol (https://testanything.org/tap-version-14-specification.html).
///
/// The stream is one of version 14, too, but calls itself 13: perl's `prove` refuses what is newer.
package enum TAPReport {
    /// The whole stream.
    package static func text(_ report: TestReport) -> String {
        var lines = ["TAP version 13", "1..\(report.outcomes.count)"]
        for (index, outcome) in report.outcomes.enumerated() {
            let test = outcome.test
            let name = escaped("\(test.place) \(test.name.map { "\($0): " } ?? "")\(test.request)")
            switch outcome.result {
            case .passed: lines.append("ok \(index + 1) - \(name)")
            case .skipped, .notChecked: lines.append("ok \(index + 1) - \(name) # SKIP \(outcome.result.rawValue)")
            case .failed:
                lines += ["not ok \(index + 1) - \(name)", "  ---", "  message: \(quoted(outcome.message))"]
                lines.append("  at: \(quoted(test.place))")
                if let rule = outcome.decision?.rule { lines.append("  rule: \(quoted("\(rule)"))") }
                if let reason = outcome.reason { lines.append("  why: \(quoted(reason))") }
                lines.append("  ...")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if character == "#" || character == "\\" { result.append("\\") }
            result.append(character)
        }
        return result
    }

    /// A text as YAML writes it between double quotes.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar.value < 0x20 ? "\u{fffd}" : scalar)
            }
        }
        return result + "\""
    }
}
