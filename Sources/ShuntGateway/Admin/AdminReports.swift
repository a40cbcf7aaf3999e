#if Gateway
import CVersion
import Shunt
import ShuntTools

/// The JSON bodies of the admin listener.
enum AdminReports {
    static let program = "shunt " + SHUNT_VERSION

    static func version(_ rules: ServedRules, _ release: GatewayRelease?) -> [UInt8] {
        let program: JSONObject = ["program": program]
        return program.adding(members(of: rules.store.snapshot)).adding(["release": release.map(object)]).line
    }

    /// Returns the state of the rules in use and of the last attempts to load.
    static func status(_ rules: ServedRules, _ release: GatewayRelease?) -> [UInt8] {
        let status = rules.store.status
        let rest: JSONObject = [
            "machine": String(decoding: HostMachine.name, as: UTF8.self),
            "gate": rules.gate?.held?.object,
            "release": release.map(object),
            "started": rules.started.iso8601(),
            "offers": rules.offers,
        ]
        return status.json.adding(status.lastFailure.map(members) ?? [:]).adding(rest).line
    }

    private static func object(_ release: GatewayRelease) -> JSONObject {
        [
            "node": release.node,
            "serving": release.serving,
            "sequence": release.sequence,
            "state": release.state,
            "error": release.error,
            "condition": release.condition,
            "contact_age_seconds": release.contactAge.components.seconds,
        ]
    }

    /// Returns the result of a reload.
    static func reloaded(_ report: ReloadReport) -> [UInt8] {
        let outcome: JSONObject =
            switch report.outcome {
            case .loaded(let changes):
                [
                    "outcome": "loaded", "added": changes.addedCount, "removed": changes.removedCount,
                    "edited": changes.editedCount, "warnings": report.snapshot.ruleSet.diagnostics.map(object),
                ]
            case .unchanged: ["outcome": "unchanged"]
            case .failed(let failure), .recovered(let failure):
                (["outcome": "failed"] as JSONObject).adding(members(of: failure))
            }
        return members(of: report.snapshot).adding(outcome).line
    }

    static func members(of failure: ReloadError) -> JSONObject {
        [
            "reason": failure.reason.rawValue, "summary": failure.summary,
            "diagnostics": failure.diagnostics.map(object), "text": failure.description,
        ]
    }

    /// All rules with what has been counted for them.
    static func rules(_ rules: ServedRules) -> [UInt8] {
        let snapshot = rules.store.snapshot
        let counts = rules.counters.counters(of: snapshot.ruleSet).counts()
            .map { count -> JSONObject in
                [
                    "rule": count.rule.description, "text": count.text, "hits": count.hits,
                    "last_hit": count.lastHit?.iso8601(),
                ]
            }
        return members(of: snapshot).adding(["counts": counts]).line
    }

    private static func members(of snapshot: RuleSnapshot) -> JSONObject {
        [
            "version": snapshot.version, "hash": snapshot.contentHash, "loaded": snapshot.loadedAt.iso8601(),
            "rules": snapshot.ruleCount,
        ]
    }

    static func object(_ diagnostic: Diagnostic) -> JSONObject {
        [
            "severity": diagnostic.severity.rawValue, "place": diagnostic.location.description, "code": diagnostic.code,
            "message": diagnostic.message, "suggestion": diagnostic.suggestion,
        ]
    }
}
#endif
