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

    static func members(of failure: ReloadFailure) -> JSONObject {
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
                    "last_hit": count.lastHit.map { Timestamp(seconds: $0).iso8601() },
                ]
            }
        return members(of: snapshot).adding(["counts": counts]).line
    }

    /// Returns the decision about a request, with its steps.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - snapshot: The rules.
    ///   - held: An engine with the rules that are held, if these are to be asked as well.
    ///   - listener: The host and port of the listener, if the request is to be written as a test and a command, too.
    /// - Returns: A JSON object.
    static func explanation(
        _ request: RuleRequest,
        _ snapshot: RuleSnapshot,
        held: Engine?,
        notationsFor listener: String?
    ) -> [UInt8] {
        let (decision, trace) = snapshot.engine.explain(request)
        let notations = listener.map { listener -> JSONObject in
            let description = RequestDescription(request)
            return [
                "expect": ExpectationText.directive(description, decision),
                "test": TestNotation.lines(description, decision),
                "line": ExpectationText.line(description),
                "curl": RequestNotation.curl(request, asking: listener),
            ]
        }
        let others = held.map { held -> JSONObject in
            let (decision, trace) = held.explain(request)
            return (["hash": held.ruleSet.contentHash] as JSONObject).adding(members(of: decision, trace))
        }
        let version: JSONObject = ["version": snapshot.version]
        return version.adding(members(of: decision, trace)).adding(["notations": notations, "held": others]).line
    }

    private static func members(of decision: Decision, _ trace: Trace) -> JSONObject {
        let steps = trace.steps.map { TraceJSON.members(of: $0).adding(["rule": $0.rule?.description]) }
        return ["decision": object(decision), "trace": steps]
    }

    private static func members(of snapshot: RuleSnapshot) -> JSONObject {
        [
            "version": snapshot.version, "hash": snapshot.contentHash, "loaded": snapshot.loadedAt.iso8601(),
            "rules": snapshot.ruleCount,
        ]
    }

    private static func object(_ diagnostic: Diagnostic) -> JSONObject {
        [
            "severity": diagnostic.severity.rawValue, "place": diagnostic.location.description, "code": diagnostic.code,
            "message": diagnostic.message, "suggestion": diagnostic.suggestion,
        ]
    }

    private static func object(_ decision: Decision) -> JSONObject {
        [
            "decision": decision.kind.rawValue,
            "status": decision.status,
            "url": decision.url,
            "uri": decision.uri,
            "args": decision.arguments,
            "body": decision.body,
            "server": decision.server,
            "location": decision.location,
            "route": decision.route,
            "rule": decision.rule?.description,
            "reason": decision.reason,
        ]
    }
}
#endif
