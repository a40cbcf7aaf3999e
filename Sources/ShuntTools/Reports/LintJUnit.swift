import ShuntCore

/// The report of `shunt lint` as JUnit XML: each finding is a failed test.
package enum LintJUnit {
    /// The whole document.
    package static func text(_ findings: [LintFinding]) -> String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        let counts = "tests=\"\(max(1, findings.count))\" failures=\"\(findings.count)\" errors=\"0\" skipped=\"0\""
        lines.append("<testsuites name=\"shunt lint\" \(counts)>")
        lines.append("  <testsuite name=\"shunt lint\" \(counts)>")
        for finding in findings {
            let diagnostic = finding.diagnostic
            let place = XMLText.escaped("\(diagnostic.location)")
            let message = XMLText.escaped("\(diagnostic.severity.rawValue): \(diagnostic.message)")
            lines.append("    <testcase classname=\"\(XMLText.escaped(finding.check))\" name=\"\(place)\">")
            lines.append("      <failure message=\"\(message)\" type=\"\(XMLText.escaped(finding.check))\">")
            let details = finding.remarks + [diagnostic.suggestion].compactMap { $0 }
            lines.append(XMLText.escaped(details.joined(separator: "\n")) + "</failure>")
            lines.append("    </testcase>")
        }
        if findings.isEmpty { lines.append("    <testcase classname=\"lint\" name=\"no findings\"/>") }
        lines += ["  </testsuite>", "</testsuites>"]
        return lines.joined(separator: "\n") + "\n"
    }
}
