package import ShuntCore

/// The options of a lint run.
package struct LintOptions: Sendable {
    /// The program that will run the rules: some mistakes are mistakes in one of them only.
    package enum Target: String, Sendable, CaseIterable {
        case shunt
        case nginx
    }

    package var target = Target.shunt
    /// The checks and groups that are made; nil for the usual ones.
    package var checks: Set<String>?
    /// The checks and groups that are left out.
    package var skipped: Set<String> = []
    /// The directives that the gateway may do without.
    package var accepted: Set<String> = []
    /// Domains below which every host belongs to the owner of the rules.
    package var trustedDomains: [String] = []
    /// The counts of a gateway, and the time that a rule may be without a decision.
    package var hits: RuleHits?
    /// The tests of the rules.
    package var tests: [TestCase] = []
    package var limits = AnalysisLimits()
    /// The time of requests that name none, and from which on times are read.
    package var asOf: Timestamp

    package init(asOf: Timestamp) { self.asOf = asOf }

    /// Returns true if a check is made.
    func includes(_ check: LintCheck, in files: Bool) -> Bool {
        let names = [check.id, check.group.rawValue]
        if names.contains(where: skipped.contains) { return false }
        if let only = check.onlyFor, only != target { return false }
        if let checks { return names.contains(where: checks.contains) }
        return check.isUsual && (check.group != .server || target == .nginx || files)
    }
}
