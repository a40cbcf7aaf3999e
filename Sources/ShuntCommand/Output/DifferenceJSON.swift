import Shunt
import ShuntTools

enum DifferenceJSON {
    static func bytes(_ report: DifferenceReport) -> [UInt8] {
        let masked = report.masked.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let traffic: JSONObject = [
            "requests": report.requests,
            "distinct": report.distinct,
            "unreadable": report.unreadable,
            "changed": report.changed,
            "failed": report.failed > 0 ? report.failed : nil,
            "percent": report.percent,
            "groups": report.groups.map { object($0, examples: report.examples) },
            "unheard": report.unheard.map { variable -> JSONObject in
                ["variable": variable.name, "rules": variable.rules.map(object)]
            },
            "unseen": report.unseen.isEmpty ? nil : report.unseen.compactMap(\.rule).map(object),
            "masked": masked.isEmpty ? nil : JSONObject(masked),
        ]
        let witnesses = report.witnesses.map { witnesses -> JSONObject in
            [
                "tried": witnesses.tried,
                "changed": witnesses.changed,
                "groups": witnesses.groups.map { object($0, examples: report.examples) },
                "unjudged": witnesses.unjudged.map(object),
                "unproved": witnesses.unshown.map(object),
            ]
        }
        let findings = report.findings.map { findings -> JSONObject in
            ["new": findings.new.map(object), "gone": findings.goneCount]
        }
        let budgets = report.budgets.map { budget -> JSONObject in
            [
                "option": budget.option, "budget": "\(budget.budget)", "count": budget.count, "of": budget.all,
                "kept": budget.isKept,
            ]
        }
        let approval = report.approval.map { approval -> JSONObject in
            ["missing": approval.missing, "unexpected": approval.unexpected]
        }
        let whole: JSONObject = [
            "schema": "shunt-diff/1",
            "structure": structure(report),
            "traffic": traffic,
            "witnesses": witnesses,
            "findings": findings,
            "budgets": budgets,
            "approval": approval,
            "accepted": report.isAccepted,
        ]
        return whole.line
    }

    private static func structure(_ report: DifferenceReport) -> JSONObject {
        let changes = report.structure
        let edited = changes.edited.enumerated()
            .map { index, edit -> JSONObject in
                let judged = index < report.edits.count ? report.edits[index] : nil
                let equal = judged.map { judged in
                    report.changesOutcome(judged) ? "different" : judged.isProvedEqual ? "proved" : "unproved"
                }
                return [
                    "before": object(edit.before), "after": object(edit.after), "argument": judged?.argument?.number,
                    "equal": equal,
                ]
            }
        return [
            "added": changes.added.map(object),
            "added_count": changes.addedCount,
            "removed": changes.removed.map(object),
            "removed_count": changes.removedCount,
            "edited": edited,
            "edited_count": changes.editedCount,
            "reordered": changes.reordered,
        ]
    }

    private static func object(_ rule: RuleChanges.Rule) -> JSONObject {
        rule.location.members.adding(["text": rule.text])
    }

    private static func object(_ finding: LintFinding) -> JSONObject {
        [
            "check": finding.check,
            "severity": finding.diagnostic.severity.rawValue,
            "place": "\(finding.diagnostic.location)",
            "message": finding.diagnostic.message,
        ]
    }

    private static func object(_ group: ChangeGroup, examples: Int) -> JSONObject {
        let shown = group.requests.prefix(examples)
            .map { request -> JSONObject in
                [
                    "request": request.request,
                    "weight": request.weight,
                    "old": DecisionJSON.object(request.old),
                    "new": DecisionJSON.object(request.new),
                ]
            }
        return group.members.adding(["distinct": group.requests.count, "examples": shown])
    }
}
