#if Gateway
import Shunt
import ShuntTools

/// The metrics in Prometheus' text format.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/
enum MetricsText {
    static func render(_ core: GatewayCore, _ rules: ServedRules, release: GatewayRelease?) -> String {
        var text = ""
        let loops = core.metrics
        func sum(_ counter: (LoopMetrics) -> Counter) -> Int { loops.reduce(0) { $0 &+ counter($1).value } }

        family("shunt_decisions_total", type: "counter", help: "Decisions by what was decided.", to: &text)
        for action in Decision.Kind.allCases {
            let count = loops.reduce(0) { $0 &+ $1.decisions(action) }
            text += "shunt_decisions_total{decision=\"\(action.rawValue)\"} \(count)\n"
        }
        family(
            "shunt_responses_total",
            type: "counter",
            help: "Responses by class of status; none is closed unanswered.",
            to: &text
        )
        for (index, label) in ["1xx", "2xx", "3xx", "4xx", "5xx", "none"].enumerated() {
            text += "shunt_responses_total{status=\"\(label)\"} \(sum { $0.responses[index] })\n"
        }
        family(
            "shunt_request_duration_seconds",
            type: "histogram",
            help: "From the head of a request to the end of its answer.",
            to: &text
        )
        var cumulated = 0
        for (index, bound) in LoopMetrics.bounds.enumerated() {
            cumulated &+= sum { $0.durations[index] }
            text += "shunt_request_duration_seconds_bucket{le=\"\(seconds(bound))\"} \(cumulated)\n"
        }
        cumulated &+= sum { $0.durations[LoopMetrics.bounds.count] }
        text += "shunt_request_duration_seconds_bucket{le=\"+Inf\"} \(cumulated)\n"
        text += "shunt_request_duration_seconds_sum \(seconds(sum { $0.totalMicroseconds }))\n"
        text += "shunt_request_duration_seconds_count \(cumulated)\n"

        single(
            "shunt_connections_total",
            type: "counter",
            help: "Connections of clients.",
            value: sum { $0.connectionsOpened },
            to: &text
        )
        let open = sum { $0.connectionsOpened } - sum { $0.connectionsClosed }
        single(
            "shunt_connections_open",
            type: "gauge",
            help: "Connections of clients that are open.",
            value: open,
            to: &text
        )
        single(
            "shunt_malformed_requests_total",
            type: "counter",
            help: "Requests that are not valid HTTP.",
            value: sum { $0.malformedRequests },
            to: &text
        )
        single(
            "shunt_slow_decisions_total",
            type: "counter",
            help: "Requests that a separate thread decided.",
            value: sum { $0.slowDecisions },
            to: &text
        )
        single(
            "shunt_upstream_failures_total",
            type: "counter",
            help: "Failed attempts to get an answer of an upstream, except for timeouts.",
            value: sum { $0.upstreamFailures },
            to: &text
        )
        single(
            "shunt_upstream_timeouts_total",
            type: "counter",
            help: "Attempts to get an answer of an upstream that took too long.",
            value: sum { $0.upstreamTimeouts },
            to: &text
        )
        single(
            "shunt_request_body_bytes_total",
            type: "counter",
            help: "Bytes of request bodies.",
            value: sum { $0.requestBytes },
            to: &text
        )
        single(
            "shunt_response_body_bytes_total",
            type: "counter",
            help: "Bytes of response bodies.",
            value: sum { $0.responseBytes },
            to: &text
        )
        let lost = core.lostFromLogs
        single(
            "shunt_access_log_lost_bytes_total",
            type: "counter",
            help: "Bytes not written.",
            value: lost.bytes,
            to: &text
        )
        family("shunt_log_lost_lines_total", type: "counter", help: "Lines not written, by the log.", to: &text)
        text += "shunt_log_lost_lines_total{log=\"access\"} \(lost.lines)\n"
        text += "shunt_log_lost_lines_total{log=\"program\"} \(ProgramLog.lostLines.value)\n"
        self.rules(core, &text)
        hits(rules, &text)
        let certificates = core.tls.expirations
        if !certificates.isEmpty {
            family(
                "shunt_tls_not_after_seconds",
                type: "gauge",
                help: "The end of a certificate in use, in Unix time.",
                to: &text
            )
        }
        for (path, end) in certificates.sorted(by: { $0.key < $1.key }) {
            text += "shunt_tls_not_after_seconds{certificate=\"\(escaped(path))\"} \(end)\n"
        }
        if let release { self.release(release, &text) }
        return text
    }

    private static func release(_ release: GatewayRelease, _ text: inout String) {
        let age = Int(release.contactAge.components.seconds)
        single(
            "shunt_fleet_release",
            type: "gauge",
            help: "The number of the release that serves.",
            value: release.serving,
            to: &text
        )
        single(
            "shunt_fleet_contact_age_seconds",
            type: "gauge",
            help: "How long ago the pointer could be read.",
            value: age,
            to: &text
        )
        single(
            "shunt_fleet_followed",
            type: "gauge",
            help: "1 while the pointer is followed.",
            value: release.condition == nil,
            to: &text
        )
        let isApplied = release.state == "applied" && release.sequence == release.serving
        single(
            "shunt_fleet_applied",
            type: "gauge",
            help: "1 while the release that is wanted serves.",
            value: isApplied,
            to: &text
        )
    }

    /// The most rules with a series of their own: a scraper keeps each for ever.
    ///
    /// `/rules` has them all.
    private static let ruleLimit = 1_000

    private static func rules(_ core: GatewayCore, _ text: inout String) {
        let status = core.store.status
        single(
            "shunt_rules_version",
            type: "gauge",
            help: "The version of the rules that serves.",
            value: status.version,
            to: &text
        )
        single("shunt_rules_count", type: "gauge", help: "The number of rules.", value: status.ruleCount, to: &text)
        single(
            "shunt_rules_sets",
            type: "gauge",
            help: "The number of rule sets in memory.",
            value: core.counters.setCount,
            to: &text
        )
        let age = Int(status.age.components.seconds)
        single(
            "shunt_rules_age_seconds",
            type: "gauge",
            help: "The time since the rules came into use.",
            value: age,
            to: &text
        )
        single(
            "shunt_rules_stale",
            type: "gauge",
            help: "1 while the rules differ from the source.",
            value: status.isStale,
            to: &text
        )
        single(
            "shunt_rules_last_known_good",
            type: "gauge",
            help: "1 while an old copy serves.",
            value: status.isLastKnownGood,
            to: &text
        )
        let hasNoCopy = status.copyFailure != nil
        single(
            "shunt_rules_copy_failed",
            type: "gauge",
            help: "1 while the last-known-good copy cannot be written.",
            value: hasNoCopy,
            to: &text
        )
        family("shunt_rules_held", type: "gauge", help: "1 while changes are held back, by the reason.", to: &text)
        text += "shunt_rules_held{reason=\"flapping\"} \(status.isDamped ? 1 : 0)\n"
        text += "shunt_rules_held{reason=\"gate\"} \(core.gate?.held == nil ? 0 : 1)\n"
        single(
            "shunt_rules_polling",
            type: "gauge",
            help: "1 while changes are only polled.",
            value: status.sourceCondition != nil,
            to: &text
        )
        family("shunt_rules_reloads_total", type: "counter", help: "Attempts to load rules by outcome.", to: &text)
        let outcomes = [
            ("loaded", status.loadCount), ("unchanged", status.unchangedCount),
            ("failed", status.failureCount - status.recoveredCount), ("recovered", status.recoveredCount),
        ]
        for (outcome, count) in outcomes { text += "shunt_rules_reloads_total{outcome=\"\(outcome)\"} \(count)\n" }
    }

    /// The hits of rules by an identifier that stays the same when lines move, and the place of each.
    private static func hits(_ rules: ServedRules, _ text: inout String) {
        let ruleSet = rules.store.snapshot.ruleSet
        let totals = rules.counters.counters(of: ruleSet).totals()
        var shown: [(row: RuleTable.Row, hits: UInt64)] = rules.table(of: ruleSet).rows
            .compactMap { row in
                guard let counter = row.counter, counter < totals.count, totals[counter].hits > 0 else { return nil }
                return (row, totals[counter].hits)
            }
        shown.sort { $0.hits > $1.hits }
        shown.removeLast(max(0, shown.count - ruleLimit))
        family(
            "shunt_rule_hits_total",
            type: "counter",
            help: "Decisions by rule: the \(ruleLimit) rules with the most.",
            to: &text
        )
        for (row, hits) in shown { text += "shunt_rule_hits_total{rule=\"\(row.id)\"} \(hits)\n" }
        family(
            "shunt_rule_info",
            type: "gauge",
            help: "1 for each rule with hits: its place and the name in its note.",
            to: &text
        )
        for (row, _) in shown {
            let labels = "rule=\"\(row.id)\",place=\"\(escaped(row.place.description))\""
            text += "shunt_rule_info{\(labels),name=\"\(escaped(row.note?["name"] ?? ""))\"} 1\n"
        }
    }

    private static func family(_ name: String, type: String, help: String, to text: inout String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private static func single(_ name: String, type: String, help: String, value: Int, to text: inout String) {
        family(name, type: type, help: help, to: &text)
        text += "\(name) \(value)\n"
    }

    private static func single(_ name: String, type: String, help: String, value: Bool, to text: inout String) {
        single(name, type: type, help: help, value: value ? 1 : 0, to: &text)
    }

    /// Microseconds as a decimal number of seconds, without rounding.
    private static func seconds(_ microseconds: Int) -> String {
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.utf8.count))\(fraction)"
    }

    private static func escaped(_ label: String) -> String {
        var result = ""
        for scalar in label.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
#endif
