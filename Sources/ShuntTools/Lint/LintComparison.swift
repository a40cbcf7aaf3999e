/// The findings that one version of a rule set has and another has not, wherever the two lie.
///
/// Findings are the same that are of one check on the same words, so that a rule which only moves has no new ones.
package struct LintComparison: Sendable {
    /// The findings that are new.
    package let new: [LintFinding]
    /// The number of findings that are gone.
    package let goneCount: Int

    /// Compares the findings of two versions.
    package init(from old: [LintFinding], to new: [LintFinding]) {
        let known = Dictionary(old.map { (Self.key($0), 1) }, uniquingKeysWith: +)
        (self.new, goneCount) = new.beyond(known, by: Self.key)
    }

    private static func key(_ finding: LintFinding) -> String { "\(finding.check) \(finding.ruleText)" }
}

extension [LintFinding] {
    /// The findings beyond the known ones, whose numbers are by key, and the number of known ones that are not among
    /// them.
    func beyond(_ known: [String: Int], by key: (LintFinding) -> String) -> (new: [LintFinding], gone: Int) {
        var open = known
        let new = filter { finding in
            guard let count = open[key(finding)], count > 0 else { return true }
            open[key(finding)] = count - 1
            return false
        }
        return (new, open.values.reduce(0, +))
    }
}
