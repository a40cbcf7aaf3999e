import ShuntCore

/// The findings that were there when someone began to look: those are accepted, new ones are not.
///
/// A line names a check and a rule; what is after it is for people.
package struct LintBaseline: Sendable {
    private var accepted: [String: Int] = [:]

    /// Reads a baseline; nil if no line of it names a check.
    package init?(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }
        for line in lines {
            let words = line.split(separator: 0x20)
            guard words.count >= 2 else { continue }
            accepted[String(decoding: words[0] + [0x20] + words[1], as: UTF8.self), default: 0] += 1
        }
        let isBaseline = accepted.keys.contains { LintCheck.named(String($0.prefix { $0 != " " })) != nil }
        if !lines.isEmpty, !isBaseline { return nil }
    }

    /// The lines for findings.
    package static func text(_ findings: [LintFinding]) -> String {
        let lines = findings.map { "\(key($0))  \($0.diagnostic.location.file): \($0.diagnostic.message)\n" }
        return "# Findings that are accepted: check, rule, and for people the file and the message.\n"
            + lines.sorted().joined()
    }

    private static func key(_ finding: LintFinding) -> String {
        "\(finding.check) \(finding.rule.isEmpty ? "-" : finding.rule)"
    }

    /// The findings that are not accepted, and how many that are accepted are gone.
    package func compare(_ findings: [LintFinding]) -> (new: [LintFinding], gone: Int) {
        findings.beyond(accepted, by: Self.key)
    }
}
