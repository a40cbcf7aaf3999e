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

        family("shunt_decisions_total", "counter", "Decisions by what was decided.", &text)
        for action in Decision.Kind.allCases {
            let count = loops.reduce(0) { $0 &+ $1.decisions(action) }
            text += "shunt_decisions_total{decision=\"\(action.rawValue)\"} \(count)\n"
        }
        family("shunt_responses_total", "counter", "Responses by class of status; none is closed unanswered.", &text)
        for (index, label) in ["1xx", "2xx", "3xx", "4xx", "5xx", "none"].enumerated() {
            text += "shunt_responses_total{status=\"\(label)\"} \(sum { $0.responses[index] })\n"
        }
        family(
            "shunt_request_duration_seconds",
            "histogram",
            "From the head of a request to the end of its answer.",
            &text
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

        single("shunt_connections_total", "counter", "Connections of clients.", sum { $0.connectionsOpened }, &text)
        let open = sum { $0.connectionsOpened } - sum { $0.connectionsClosed }
        single("shunt_connections_open", "gauge", "Connections of clients that are open.", open, &text)
        single(
            "shunt_malformed_requests_total",
            "counter",
            "Requests that are not valid HTTP.",
            sum { $0.malformedRequests },
            &text
        )
        single(
            "shunt_slow_decisions_total",
            "counter",
            "Requests that a separate thread decided.",
            sum { $0.slowDecisions },
            &text
        )
        single(
            "shunt_upstream_failures_total",
            "counter",
            "Requests answered with 502.",
            sum { $0.upstreamFailures },
            &text
        )
        single(
            "shunt_upstream_timeouts_total",
            "counter",
            "Requests answered with 504.",
            sum { $0.upstreamTimeouts },
            &text
        )
        single("shunt_request_body_bytes_total", "counter", "Bytes of request bodies.", sum { $0.requestBytes }, &text)
        single(
            "shunt_response_body_bytes_total",
            "counter",
            "Bytes of response bodies.",
            sum { $0.responseBytes },
            &text
        )
        let lost = core.lostFromLogs
        single("shunt_access_log_lost_bytes_total", "counter", "Bytes not written.", lost.bytes, &text)
        family("shunt_log_lost_lines_total", "counter", "Lines not written, by the log.", &text)
        text += "shunt_log_lost_lines_total{log=\"access\"} \(lost.lines)\n"
        text += "shunt_log_lost_lines_total{log=\"program\"} \(ProgramLog.lostLines.value)\n"
        self.rules(core, &text)
        hits(rules, &text)
        let certificates = core.tls.expirations
        if !certificates.isEmpty {
            family("shunt_tls_not_after_seconds", "gauge", "The end of a certificate in use, in Unix time.", &text)
        }
        for (path, end) in certificates.sorted(by: { $0.key < $1.key }) {
            text += "shunt_tls_not_after_seconds{certificate=\"\(escaped(path))\"} \(end)\n"
        }
        if let release { self.release(release, &text) }
        return text
    }

    private static func release(_ release: GatewayRelease, _ text: inout String) {
        let age = Int(release.contactAge.components.seconds)
        single("shunt_fleet_release", "gauge", "The number of the release that serves.", release.serving, &text)
        single("shunt_fleet_contact_age_seconds", "gauge", "How long ago the pointer could be read.", age, &text)
        single("shunt_fleet_followed", "gauge", "1 while the pointer is followed.", release.condition == nil, &text)
        let isApplied = release.state == "applied" && release.sequence == release.serving
        single("shunt_fleet_applied", "gauge", "1 while the release that is wanted serves.", isApplied, &text)
    }

    /// The most rules with a series of their own: a scraper keeps each for ever.
    ///
    /// `/rules` has them all.
    private static let ruleLimit = 1_000

    private static func rules(_ core: GatewayCore, _ text: inout String) {
        let status = core.store.status
        single("shunt_rules_version", "gauge", "The version of the rules that serves.", status.version, &text)
        single("shunt_rules_count", "gauge", "The number of rules.", status.ruleCount, &text)
        single("shunt_rules_sets", "gauge", "The number of rule sets in memory.", core.counters.setCount, &text)
        let age = Int(status.age.components.seconds)
        single("shunt_rules_age_seconds", "gauge", "The time since the rules came into use.", age, &text)
        single("shunt_rules_stale", "gauge", "1 while the rules differ from the source.", status.isStale, &text)
        single("shunt_rules_last_known_good", "gauge", "1 while an old copy serves.", status.isLastKnownGood, &text)
        let hasNoCopy = status.copyFailure != nil
        single(
            "shunt_rules_copy_failed",
            "gauge",
            "1 while the last-known-good copy cannot be written.",
            hasNoCopy,
            &text
        )
        family("shunt_rules_held", "gauge", "1 while changes are held back, by the reason.", &text)
        text += "shunt_rules_held{reason=\"flapping\"} \(status.isDamped ? 1 : 0)\n"
        text += "shunt_rules_held{reason=\"gate\"} \(core.gate?.held == nil ? 0 : 1)\n"
        single("shunt_rules_polling", "gauge", "1 while changes are only polled.", status.sourceCondition != nil, &text)
        family("shunt_rules_reloads_total", "counter", "Attempts to load rules by outcome.", &text)
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
        family("shunt_rule_hits_total", "counter", "Decisions by rule: the \(ruleLimit) rules with the most.", &text)
        for (row, hits) in shown { text += "shunt_rule_hits_total{rule=\"\(row.id)\"} \(hits)\n" }
        family("shunt_rule_info", "gauge", "1 for each rule with hits: its place and the name in its note.", &text)
        for (row, _) in shown {
            let labels = "rule=\"\(row.id)\",place=\"\(escaped(row.place.description))\""
            text += "shunt_rule_info{\(labels),name=\"\(escaped(row.note?["name"] ?? ""))\"} 1\n"
        }
    }

    private static func family(_ name: String, _ type: String, _ help: String, _ text: inout String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private static func single(_ name: String, _ type: String, _ help: String, _ value: Int, _ text: inout String) {
        family(name, type, help, &text)
        text += "\(name) \(value)\n"
    }

    private static func single(_ name: String, _ type: String, _ help: String, _ value: Bool, _ text: inout String) {
        single(name, type, help, value ? 1 : 0, &text)
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
