#if Gateway
import Shunt
import ShuntTools

/// Attempts to load rules, and what they changed, as JSON.
enum HistoryReport {
    /// The most changes of a set for whose rules requests are looked for: more take too long for someone who waits.
    private static let askedChanges = 200
    private static let shownGroups = 50
    private static let shownRequests = 3

    /// The attempts, the newest first.
    static func attempts(_ rules: ServedRules) -> [UInt8] {
        let report: JSONObject = [
            "version": rules.store.snapshot.version, "attempts": rules.history.attempts.map { object($0, rules) },
        ]
        return report.line
    }

    private static func object(_ attempt: ReloadHistory.Attempt, _ rules: ServedRules) -> JSONObject {
        let (seconds, fraction) = attempt.duration.components
        let changes = attempt.version > 1 ? attempt.changes : nil
        let object: JSONObject = [
            "time": attempt.date.iso8601(),
            "trigger": attempt.trigger.rawValue,
            "outcome": attempt.outcome,
            "version": attempt.version,
            "hash": attempt.hash,
            "rules": attempt.rules,
            "milliseconds": seconds * 1000 + fraction / 1_000_000_000_000_000,
            "added": changes?.addedCount,
            "removed": changes?.removedCount,
            "edited": changes?.editedCount,
            "verdict": attempt.verdict,
            "comparable": changes.map { _ in rules.history.archives(of: attempt.version) != nil },
        ]
        return object.adding(attempt.failure.map(AdminReports.members) ?? [:])
    }

    /// Returns the changes of a version: its rules, and the outcomes of requests built for these rules; nil if it or
    /// the version before is not kept.
    static func difference(_ version: Int, _ rules: ServedRules) -> [UInt8]? {
        guard let (old, new) = rules.history.archives(of: version) else { return nil }
        let changes = StructureDifference.between(old, new)
        let report = (["version": version] as JSONObject).adding(members(of: changes))
        let count = changes.addedCount + changes.removedCount + changes.editedCount
        guard count <= askedChanges else {
            let reason = "\(count) rules differ, more than the \(askedChanges) that are compared"
            return report.adding(["not_asked": reason]).line
        }
        let ignores = rules.ignoresUnknownDirectives
        guard let before = try? LoadedRules(compiling: old, ignoringUnknownDirectives: ignores),
            let after = try? LoadedRules(compiling: new, ignoringUnknownDirectives: ignores)
        else { return report.line }
        let moment = Timestamp.now()
        let search = WitnessSearch(for: changes, from: before, to: after, asOf: moment)
        var difference = RuleDifference(from: before.ruleSet, to: after.ruleSet, asOf: moment, engine: rules.engine)
        for request in search.requests { difference.compare(request) }
        let outcomes: JSONObject = [
            "requests": difference.distinct,
            "changed": difference.changed,
            "not_proved": search.unjudged.count + (difference.changed == 0 ? search.unshown.count : 0),
            "groups": difference.groups().prefix(shownGroups).map(object),
        ]
        return report.adding(outcomes).line
    }

    private static func members(of changes: RuleChanges) -> JSONObject {
        [
            "added_count": changes.addedCount,
            "removed_count": changes.removedCount,
            "edited_count": changes.editedCount,
            "added": changes.added.map(object),
            "removed": changes.removed.map(object),
            "edited": changes.edited.map { edit -> JSONObject in
                ["before": object(edit.before), "after": object(edit.after)]
            },
            "reordered": changes.reordered,
        ]
    }

    private static func object(_ rule: RuleChanges.Rule) -> JSONObject {
        ["rule": rule.location.description, "text": rule.text]
    }

    private static func object(_ group: ChangeGroup) -> JSONObject {
        let examples = group.requests.prefix(shownRequests)
            .map { changed -> JSONObject in
                [
                    "request": RequestText.shown(changed.request), "old": ExampleText.decision(changed.old),
                    "new": ExampleText.decision(changed.new),
                ]
            }
        return group.members.adding(["examples": examples])
    }
}
#endif
