import Shunt
import ShuntTools

/// The result of `shunt diff`, for all forms of its report.
struct DifferenceReport {
    var structure: RuleChanges
    /// The judgements of the edited rules that are listed.
    var edits: [EditJudgement] = []
    var groups: [ChangeGroup]
    var sameOutcomes: [(old: String?, new: String?, weight: Int)]
    var requests: Int
    var distinct: Int
    var changed: Int
    var unreadable = 0
    /// The variables that rules read and no request has.
    var unheard: [UnheardVariable] = []
    /// The findings of lint in the new rules and not in the old ones; nil unless requested.
    var findings: LintComparison?
    /// The number of requests with masked values, by name.
    var masked: [String: Int] = [:]
    /// The changed settings that the outcomes of the traffic do not show; none without traffic.
    var unseen: [UnseenSetting] = []
    /// The changed settings whose effect the outcomes of requests may not have.
    var settings: [UnseenSetting] = []
    /// The number of requests that both sides refuse with 400.
    var failed = 0
    /// The result of the search, in addition to the traffic; nil if there was none.
    var witnesses: Witnesses?
    /// The most examples of a group that are shown.
    var examples: Int
    /// The budgets that were given, with what is counted and of how many.
    var budgets: [Budget]
    /// The difference between the groups and the approved ones; nil if none were approved.
    var approval: Approval?

    /// A variable that no request has a value for, and the rules that read it.
    struct UnheardVariable {
        var name: String
        var rules: [RuleChanges.Rule]
    }

    /// Requests that the changed rules decide, or just do not.
    struct Witnesses {
        var tried: Int
        var changed: Int
        var groups: [ChangeGroup]
        /// The changed rules that no request is known of.
        var unjudged: [RuleChanges.Rule]
        /// The changed expressions and shares of tables; none where a request has another outcome.
        var unshown: [RuleChanges.Rule]
    }

    struct Budget {
        var option: String
        var budget: ChangeLimit
        var count: Int
        var all: Int
        var isKept: Bool { budget.allows(count, of: all) }
    }

    /// The groups that were approved and are missing, and those that are there without approval.
    struct Approval {
        var missing: [String]
        var unexpected: [String]
    }

    /// True if the answer is yes: no outcome is known to change, or only as far as was allowed.
    var isAccepted: Bool {
        if let approval {
            return approval.missing.isEmpty && approval.unexpected.isEmpty && budgets.allSatisfy(\.isKept)
        }
        guard unseen.isEmpty else { return false }
        if !budgets.isEmpty { return budgets.allSatisfy(\.isKept) }
        if isProvedEqual { return true }
        guard changed == 0, (witnesses?.changed ?? 0) == 0 else { return false }
        return requests > failed || structure.isEmpty || witnesses != nil && isJudged
    }

    /// True if each change of the rules was judged by requests or a proof.
    var isJudged: Bool {
        guard let witnesses, witnesses.unjudged.isEmpty, witnesses.unshown.isEmpty else { return false }
        return structure.reordered.isEmpty && edits.count == structure.editedCount && unprovedEdits.isEmpty
    }

    /// The changes that neither a request nor a proof judges, a line each.
    func openQuestions(_ shown: (String) -> String) -> [String] {
        let most = 10
        let unjudged = Set(witnesses?.unjudged ?? [])
        let known = Set(unseen.flatMap(\.rules))
        let open =
            unseen
            + settings.filter {
                !$0.rules.contains(where: known.contains) && $0.rules.contains(where: unjudged.contains)
            }
        var lines = open.prefix(most).map { "no outcome of a request shows what \($0.change(shown))" }
        if open.count > most { lines.append("nor what \(open.count - most) more change") }
        guard let witnesses else { return lines }
        let named = Set(open.flatMap(\.rules))
        let others = witnesses.unjudged.filter { !named.contains($0) }
        lines += others.prefix(most).map { "no test request found for \($0.location)  \(shown($0.text))" }
        if others.count > most { lines.append("nor for \(others.count - most) more") }
        let isSilent = changed == 0 && witnesses.changed == 0
        var subjects = unprovedEdits.prefix(isSilent ? most : 0).map { "the edit of \($0.after)" }
        subjects += witnesses.unshown.prefix(most).map { "\(shown($0.text)) of \($0.location)" }
        subjects += structure.reordered.prefix(isSilent ? most : 0).map { "the other order in \($0)" }
        return lines
            + subjects.map { "no request found whose outcome \($0) changes, and no proof that it changes nothing" }
    }

    /// The edited rules that requests reach, but none whose outcome is another one, and whose equality is not proved.
    var unprovedEdits: [EditJudgement] {
        let known = Set(witnesses?.unjudged.map(\.location) ?? [])
        return edits.filter {
            !$0.isProvedEqual && !changesOutcome($0) && !known.contains($0.before) && !known.contains($0.after)
        }
    }

    /// True if all that changed are edited rules, and it is proved of each that no request is decided otherwise.
    var isProvedEqual: Bool {
        guard changed == 0, (witnesses?.changed ?? 0) == 0, structure.reordered.isEmpty else { return false }
        return structure.addedCount + structure.removedCount == 0 && !edits.isEmpty
            && edits.count == structure.editedCount && edits.allSatisfy(\.isProvedEqual)
    }

    /// Returns true if requests are known that an edited rule decides and whose outcome is another one.
    func changesOutcome(_ edit: EditJudgement) -> Bool {
        (groups + (witnesses?.groups ?? []))
            .contains { group in
                group.requests.contains { $0.old.rule == edit.before || $0.new.rule == edit.after }
            }
    }

    /// The share of requests that change, in hundredths.
    var percent: Double { requests == 0 ? 0 : Double(changed) * 100 / Double(requests) }

    /// The bound that the requests imply for requests not among them; nil if they imply none.
    ///
    /// If none of n requests drawn at random changes, the true share is below 3/n with 95 % confidence.
    var bound: Double? { requests > failed && changed == 0 ? 300 / Double(requests - failed) : nil }

    /// A number in hundredths with three digits that count.
    static func hundredths(_ value: Double) -> String {
        guard value > 0 else { return "0" }
        var scale = 1.0
        while value * scale < 100, scale < 1_000_000_000 { scale *= 10 }
        let text = String((value * scale).rounded() / scale)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The groups by what they have in common, and the unseen settings, on a line each: what an approval holds.
    static func names(of groups: [ChangeGroup], _ unseen: [UnseenSetting], from old: RuleSet, to new: RuleSet)
        -> [String]
    {
        let settings = unseen.map { ["setting", $0.before?.text ?? "", $0.after?.text ?? "", "", "", "", ""] }
        let (oldDocument, newDocument) = (old.document, new.document)
        let outcomes = groups.flatMap { group in
            let rules = [group.change.rawValue, group.from, group.to, group.oldRule ?? "", group.newRule ?? ""]
            // A rule that was approved at one place is another one elsewhere.
            let places = Set(group.requests.map { [$0.old.position, $0.new.position] })
                .map { pair in
                    [
                        ChangedRequest.blocks(around: pair[0], in: old, oldDocument),
                        ChangedRequest.blocks(around: pair[1], in: new, newDocument),
                    ]
                }
            return Set(places).map { rules + $0 }
        }
        return Set((outcomes + settings).map { $0.joined(separator: "\t") }).sorted()
    }
}
