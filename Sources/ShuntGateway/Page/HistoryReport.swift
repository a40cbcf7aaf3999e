#if Gateway
import Shunt
import ShuntAnalysis
import ShuntCore

/// Attempts to load rules, and what they changed, as JSON.
enum HistoryReport {
    /// The most changes of a set for whose rules requests are looked for: more take too long for someone who waits.
    private static let askedChanges = 200
    private static let shownGroups = 50
    private static let shownRequests = 3

    /// The attempts, the newest first.
    static func attempts(_ rules: ServedRules) -> [UInt8] {
        let attempts = rules.history.attempts
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", rules.store.snapshot.version)
            writer.name("attempts")
            writer.array { writer in for attempt in attempts { write(attempt, rules, to: &writer) } }
        }
        writer.newline()
        return writer.bytes
    }

    private static func write(_ attempt: ReloadHistory.Attempt, _ rules: ServedRules, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("time", attempt.date.iso8601())
            writer.member("trigger", attempt.trigger.rawValue)
            writer.member("outcome", attempt.outcome)
            writer.member("version", attempt.version)
            writer.member("hash", attempt.hash)
            writer.member("rules", attempt.rules)
            let (seconds, fraction) = attempt.duration.components
            writer.member("milliseconds", seconds * 1000 + fraction / 1_000_000_000_000_000)
            if let changes = attempt.changes, attempt.version > 1 {
                writer.member("added", changes.addedCount)
                writer.member("removed", changes.removedCount)
                writer.member("edited", changes.editedCount)
                writer.member("comparable", rules.history.archives(of: attempt.version) != nil)
            }
            if let failure = attempt.failure { AdminReports.write(failure, to: &writer) }
        }
    }

    /// Returns the changes of a version: its rules, and the outcomes of requests built for these rules; nil if it or
    /// the version before is not kept.
    static func difference(_ version: Int, _ rules: ServedRules) -> [UInt8]? {
        guard let (old, new) = rules.history.archives(of: version) else { return nil }
        let changes = StructureDifference.between(old, new)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", version)
            write(changes, to: &writer)
            let count = changes.addedCount + changes.removedCount + changes.editedCount
            guard count <= askedChanges else {
                writer.member("not_asked", "\(count) rules differ, more than the \(askedChanges) that are compared")
                return
            }
            guard let before = try? LoadedRules(compiling: old), let after = try? LoadedRules(compiling: new) else {
                return
            }
            let moment = Timestamp.now()
            let search = WitnessSearch(for: changes, from: before, to: after, asOf: moment)
            var difference = RuleDifference(
                from: before.ruleSet,
                to: after.ruleSet,
                asOf: moment,
                engine: rules.engine
            )
            for request in search.requests { difference.compare(request) }
            writer.member("requests", difference.distinct)
            writer.member("changed", difference.changed)
            writer.member("not_proved", search.unjudged.count)
            writer.name("groups")
            writer.array { writer in
                for group in difference.groups().prefix(shownGroups) { write(group, to: &writer) }
            }
        }
        writer.newline()
        return writer.bytes
    }

    private static func write(_ changes: RuleChanges, to writer: inout JSONWriter) {
        writer.member("added_count", changes.addedCount)
        writer.member("removed_count", changes.removedCount)
        writer.member("edited_count", changes.editedCount)
        for (name, list) in [("added", changes.added), ("removed", changes.removed)] {
            writer.name(name)
            writer.array { writer in for rule in list { write(rule, to: &writer) } }
        }
        writer.name("edited")
        writer.array { writer in
            for edit in changes.edited {
                writer.object { writer in
                    writer.name("before")
                    write(edit.before, to: &writer)
                    writer.name("after")
                    write(edit.after, to: &writer)
                }
            }
        }
        writer.name("reordered")
        writer.array { writer in for file in changes.reordered { writer.string(file) } }
    }

    private static func write(_ rule: RuleChanges.Rule, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("rule", rule.location.description)
            writer.member("text", rule.text)
        }
    }

    private static func write(_ group: ChangeGroup, to writer: inout JSONWriter) {
        writer.object { writer in
            group.writeMembers(to: &writer)
            writer.name("examples")
            writer.array { writer in
                for changed in group.requests.prefix(shownRequests) {
                    writer.object { writer in
                        writer.member("request", RequestText.shown(changed.request))
                        writer.member("old", ExampleText.decision(changed.old))
                        writer.member("new", ExampleText.decision(changed.new))
                    }
                }
            }
        }
    }

    /// The report on the rules that are held.
    static func candidate(_ held: GateReport) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in held.writeMembers(to: &writer) }
        writer.newline()
        return writer.bytes
    }
}
#endif
