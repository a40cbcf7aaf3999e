/// The findings that one version of a rule set has and another has not, wherever the two lie.
///
/// Findings are the same that are of one check on the same words, so that a rule which only moves has no new ones.
package struct LintComparison: Sendable {
    /// The findings that are new.
    package private(set) var new: [LintFinding] = []
    /// The number of findings that are gone.
    package private(set) var goneCount: Int

    /// Compares the findings of two versions.
    package init(from old: [LintFinding], to new: [LintFinding]) {
        var open: [String: Int] = [:]
        for finding in old { open[Self.key(finding), default: 0] += 1 }
        for finding in new {
            let key = Self.key(finding)
            if let count = open[key], count > 0 {
                open[key] = count - 1
            } else {
                self.new.append(finding)
            }
        }
        goneCount = open.values.reduce(0, +)
    }

    private static func key(_ finding: LintFinding) -> String { "\(finding.check) \(finding.ruleText)" }
}
