#if Gateway
import CVersion
import Shunt
import ShuntAnalysis
import ShuntCore

/// The JSON bodies of the admin listener.
enum AdminReports {
    static let program = "shunt " + SHUNT_VERSION

    static func version(_ rules: ServedRules, _ release: GatewayRelease?) -> [UInt8] {
        object { writer in
            writer.member("program", program)
            write(rules.store.snapshot, to: &writer)
            if let release { write(release, to: &writer) }
        }
    }

    /// Returns the state of the rules in use and of the last attempts to load.
    static func status(_ rules: ServedRules, _ release: GatewayRelease?) -> [UInt8] {
        let status = rules.store.status
        return object { writer in
            writer.member("version", status.version)
            writer.member("hash", status.contentHash)
            writer.member("rules", status.ruleCount)
            writer.member("loaded", status.loadedAt.iso8601())
            writer.member("age_seconds", status.age.components.seconds)
            writer.member("origin", status.origin)
            writer.member("last_known_good", status.isLastKnownGood)
            writer.member("stale", status.isStale)
            writer.member("source", status.source)
            if let condition = status.sourceCondition { writer.member("source_condition", condition) }
            writer.member("last_attempt", status.lastAttempt.iso8601())
            writer.member("last_trigger", status.lastTrigger.rawValue)
            writer.member("loads", status.loadCount)
            writer.member("unchanged", status.unchangedCount)
            writer.member("failures", status.failureCount)
            writer.member("consecutive_failures", status.consecutiveFailures)
            if let held = status.heldFor { writer.member("held_seconds", held.components.seconds) }
            if let problem = status.copyFailure { writer.member("copy_failure", problem) }
            if let failure = status.lastFailure { write(failure, to: &writer) }
            if let held = rules.gate?.held {
                writer.name("gate")
                writer.object { writer in held.writeMembers(to: &writer) }
            }
            if let release { write(release, to: &writer) }
            writer.member("started", rules.started.iso8601())
            writer.name("offers")
            writer.array { writer in for offer in rules.offers { writer.string(offer) } }
        }
    }

    private static func write(_ release: GatewayRelease, to writer: inout JSONWriter) {
        writer.name("release")
        writer.object { writer in
            writer.member("node", release.node)
            writer.member("serving", release.serving)
            writer.member("sequence", release.sequence)
            writer.member("state", release.state)
            if let error = release.error { writer.member("error", error) }
            if let condition = release.condition { writer.member("condition", condition) }
            writer.member("contact_age_seconds", release.contactAge.components.seconds)
        }
    }

    /// Returns the result of a reload.
    static func reloaded(_ report: ReloadReport) -> [UInt8] {
        object { writer in
            write(report.snapshot, to: &writer)
            switch report.outcome {
            case .loaded(let changes):
                writer.member("outcome", "loaded")
                writer.member("added", changes.addedCount)
                writer.member("removed", changes.removedCount)
                writer.member("edited", changes.editedCount)
                write(report.snapshot.ruleSet.diagnostics, as: "warnings", to: &writer)
            case .unchanged:
                writer.member("outcome", "unchanged")
            case .failed(let failure), .recovered(let failure):
                writer.member("outcome", "failed")
                write(failure, to: &writer)
            }
        }
    }

    static func write(_ failure: ReloadFailure, to writer: inout JSONWriter) {
        writer.member("reason", failure.reason.rawValue)
        writer.member("summary", failure.summary)
        write(failure.diagnostics, as: "diagnostics", to: &writer)
        writer.member("text", failure.description)
    }

    /// All rules with what has been counted for them.
    static func rules(_ rules: ServedRules) -> [UInt8] {
        let snapshot = rules.store.snapshot
        return object { writer in
            write(snapshot, to: &writer)
            writer.name("counts")
            writer.beginArray()
            for count in rules.counters.counters(of: snapshot.ruleSet).counts() {
                writer.beginObject()
                writer.member("rule", count.rule.description)
                writer.member("text", count.text)
                writer.member("hits", count.hits)
                if let last = count.lastHit { writer.member("last_hit", Timestamp(seconds: last).iso8601()) }
                writer.endObject()
            }
            writer.endArray()
        }
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
        return object { writer in
            writer.member("version", snapshot.version)
            write(decision, trace, to: &writer)
            if let listener {
                let description = RequestDescription(request)
                writer.name("notations")
                writer.object { writer in
                    writer.member("expect", ExpectationText.directive(description, decision))
                    writer.member("test", TestNotation.lines(description, decision))
                    writer.member("line", ExpectationText.line(description))
                    writer.member("curl", RequestNotation.curl(request, asking: listener))
                }
            }
            if let held {
                writer.name("held")
                writer.object { writer in
                    let (decision, trace) = held.explain(request)
                    writer.member("hash", held.ruleSet.contentHash)
                    write(decision, trace, to: &writer)
                }
            }
        }
    }

    private static func write(_ decision: Decision, _ trace: Trace, to writer: inout JSONWriter) {
        writer.name("decision")
        write(decision, to: &writer)
        writer.name("trace")
        writer.array { writer in for step in trace.steps { write(step, to: &writer) } }
    }

    private static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        body(&writer)
        writer.endObject()
        writer.newline()
        return writer.bytes
    }

    private static func write(_ snapshot: RuleSnapshot, to writer: inout JSONWriter) {
        writer.member("version", snapshot.version)
        writer.member("hash", snapshot.contentHash)
        writer.member("loaded", snapshot.loadedAt.iso8601())
        writer.member("rules", snapshot.ruleCount)
    }

    private static func write(_ diagnostics: [Diagnostic], as name: String, to writer: inout JSONWriter) {
        writer.name(name)
        writer.beginArray()
        for diagnostic in diagnostics {
            writer.beginObject()
            writer.member("severity", diagnostic.severity.rawValue)
            writer.member("place", diagnostic.location.description)
            writer.member("code", diagnostic.code)
            writer.member("message", diagnostic.message)
            if let suggestion = diagnostic.suggestion { writer.member("suggestion", suggestion) }
            writer.endObject()
        }
        writer.endArray()
    }

    private static func write(_ decision: Decision, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("decision", decision.kind.rawValue)
        if let status = decision.status { writer.member("status", status) }
        if let url = decision.url { writer.member("url", url) }
        if let uri = decision.uri { writer.member("uri", uri) }
        if let arguments = decision.arguments { writer.member("args", arguments) }
        if let body = decision.body { writer.member("body", body) }
        if let server = decision.server { writer.member("server", server) }
        if let location = decision.location { writer.member("location", location) }
        if let route = decision.route { writer.member("route", route) }
        if let rule = decision.rule { writer.member("rule", rule.description) }
        if let reason = decision.reason { writer.member("reason", reason) }
        writer.endObject()
    }

    private static func write(_ step: Trace.Step, to writer: inout JSONWriter) {
        writer.object { writer in
            TraceStepJSON.writeMembers(of: step, to: &writer)
            if let rule = step.rule { writer.member("rule", rule.description) }
        }
    }
}
#endif
