package import ShuntCore

/// How rules are looked over.
package struct LintOptions: Sendable {
    /// Which program will run the rules: some mistakes are mistakes in one of them only.
    package enum Target: String, Sendable, CaseIterable {
        case shunt
        case nginx
    }

    package var target = Target.shunt
    /// The checks and groups that are made; nil for the usual ones.
    package var checks: Set<String>?
    /// The checks and groups that are left out.
    package var skipped: Set<String> = []
    /// Domains below which every host belongs to the owner of the rules.
    package var trustedDomains: [String] = []
    /// What a gateway has counted, and how long a rule may be without a decision.
    package var hits: RuleHits?
    /// The tests of the rules.
    package var tests: [TestCase] = []
    package var limits = AnalysisLimits()
    /// The time of requests that name none, and from which on times are looked at.
    package var asOf: Timestamp

    package init(asOf: Timestamp) {
        self.asOf = asOf
    }

    /// Whether a check is made.
    func includes(_ check: LintCheck, in files: Bool) -> Bool {
        let names = [check.id, check.group.rawValue]
        if names.contains(where: skipped.contains) { return false }
        if let only = check.onlyFor, only != target { return false }
        if let checks { return names.contains(where: checks.contains) }
        return check.isUsual && (check.group != .server || target == .nginx || files)
    }
}
