#if Gateway
import Shunt
import ShuntTools

/// The metrics in Prometheus' text format.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/
struct MetricsText {
    private var text = ""

    static func render(_ core: GatewayCore, _ rules: ServedRules, release: GatewayRelease?) -> String {
        var metrics = MetricsText()
        metrics.add(core)
        metrics.addRules(core)
        metrics.addHits(rules)
        metrics.addCertificates(core)
        if let release { metrics.add(release) }
        return metrics.text
    }

    private mutating func add(_ core: GatewayCore) {
        let loops = core.metrics
        func sum(_ counter: (LoopMetrics) -> Counter) -> Int { loops.reduce(0) { $0 &+ counter($1).value } }

        family("shunt_decisions_total", type: "counter", help: "Decisions by what was decided.")
        for action in Decision.Kind.allCases {
            let count = loops.reduce(0) { $0 &+ $1.decisions(action) }
            text += "shunt_decisions_total{decision=\"\(action.rawValue)\"} \(count)\n"
        }
        family(
            "shunt_responses_total",
            type: "counter",
            help: "Responses by class of status; none is closed unanswered."
        )
        for (index, label) in ["1xx", "2xx", "3xx", "4xx", "5xx", "none"].enumerated() {
            text += "shunt_responses_total{status=\"\(label)\"} \(sum { $0.responses[index] })\n"
        }
        family(
            "shunt_request_duration_seconds",
            type: "histogram",
            help: "From the head of a request to the end of its answer."
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

        counter("shunt_connections_total", sum { $0.connectionsOpened }, help: "Connections of clients.")
        let open = sum { $0.connectionsOpened } - sum { $0.connectionsClosed }
        gauge("shunt_connections_open", open, help: "Connections of clients that are open.")
        let malformed = sum { $0.malformedRequests }
        counter("shunt_malformed_requests_total", malformed, help: "Requests that are not valid HTTP.")
        let slow = sum { $0.slowDecisions }
        counter("shunt_slow_decisions_total", slow, help: "Requests that a separate thread decided.")
        let failures = "Failed attempts to get an answer of an upstream, except for timeouts."
        counter("shunt_upstream_failures_total", sum { $0.upstreamFailures }, help: failures)
        let timeouts = "Attempts to get an answer of an upstream that took too long."
        counter("shunt_upstream_timeouts_total", sum { $0.upstreamTimeouts }, help: timeouts)
        counter("shunt_request_body_bytes_total", sum { $0.requestBytes }, help: "Bytes of request bodies.")
        counter("shunt_response_body_bytes_total", sum { $0.responseBytes }, help: "Bytes of response bodies.")
        let lost = core.lostFromLogs
        counter("shunt_access_log_lost_bytes_total", lost.bytes, help: "Bytes not written.")
        family("shunt_log_lost_lines_total", type: "counter", help: "Lines not written, by the log.")
        text += "shunt_log_lost_lines_total{log=\"access\"} \(lost.lines)\n"
        text += "shunt_log_lost_lines_total{log=\"program\"} \(ProgramLog.lostLines.value)\n"
    }

    private mutating func addCertificates(_ core: GatewayCore) {
        let certificates = core.tls.expirations
        if !certificates.isEmpty {
            family("shunt_tls_not_after_seconds", type: "gauge", help: "The end of a certificate in use, in Unix time.")
        }
        for (path, end) in certificates.sorted(by: { $0.key < $1.key }) {
            text += "shunt_tls_not_after_seconds{certificate=\"\(escaped(path))\"} \(end)\n"
        }
    }

    private mutating func add(_ release: GatewayRelease) {
        let age = Int(release.contactAge.components.seconds)
        gauge("shunt_fleet_release", release.serving, help: "The number of the release that serves.")
        gauge("shunt_fleet_contact_age_seconds", age, help: "The time since the pointer was read.")
        gauge("shunt_fleet_followed", release.condition == nil, help: "1 while the pointer is followed.")
        let isApplied = release.state == "applied" && release.sequence == release.serving
        gauge("shunt_fleet_applied", isApplied, help: "1 while the release that is wanted serves.")
    }

    /// The most rules with a separate series: a scraper keeps each for ever.
    ///
    /// `/rules` has them all.
    private static let ruleLimit = 1_000

    private mutating func addRules(_ core: GatewayCore) {
        let status = core.store.status
        gauge("shunt_rules_version", status.version, help: "The version of the rules that serves.")
        gauge("shunt_rules_count", status.ruleCount, help: "The number of rules.")
        gauge("shunt_rules_sets", core.counters.setCount, help: "The number of rule sets in memory.")
        let age = Int(status.age.components.seconds)
        gauge("shunt_rules_age_seconds", age, help: "The time since the rules came into use.")
        gauge("shunt_rules_stale", status.isStale, help: "1 while the rules differ from the source.")
        gauge("shunt_rules_last_known_good", status.isLastKnownGood, help: "1 while an old copy serves.")
        let hasNoCopy = status.copyFailure != nil
        gauge("shunt_rules_copy_failed", hasNoCopy, help: "1 while the last-known-good copy cannot be written.")
        family("shunt_rules_held", type: "gauge", help: "1 while changes are held back, by the reason.")
        text += "shunt_rules_held{reason=\"flapping\"} \(status.isDamped ? 1 : 0)\n"
        text += "shunt_rules_held{reason=\"gate\"} \(core.gate?.held == nil ? 0 : 1)\n"
        gauge("shunt_rules_polling", status.sourceCondition != nil, help: "1 while changes are only polled.")
        family("shunt_rules_reloads_total", type: "counter", help: "Attempts to load rules by outcome.")
        let outcomes = [
            ("loaded", status.loadCount), ("unchanged", status.unchangedCount),
            ("failed", status.failureCount - status.recoveredCount), ("recovered", status.recoveredCount),
        ]
        for (outcome, count) in outcomes { text += "shunt_rules_reloads_total{outcome=\"\(outcome)\"} \(count)\n" }
    }

    /// The hits of rules by an identifier that stays the same when lines move, and the place of each.
    private mutating func addHits(_ rules: ServedRules) {
        let ruleSet = rules.store.snapshot.ruleSet
        let totals = rules.counters.counters(of: ruleSet).totals()
        var shown: [(row: RuleTable.Row, hits: UInt64)] = rules.table(of: ruleSet).rows
            .compactMap { row in
                guard let counter = row.counter, counter < totals.count, totals[counter].hits > 0 else { return nil }
                return (row, totals[counter].hits)
            }
        shown.sort { $0.hits > $1.hits }
        shown.removeLast(max(0, shown.count - Self.ruleLimit))
        family(
            "shunt_rule_hits_total",
            type: "counter",
            help: "Decisions by rule: the \(Self.ruleLimit) rules with the most."
        )
        for (row, hits) in shown { text += "shunt_rule_hits_total{rule=\"\(row.id)\"} \(hits)\n" }
        family("shunt_rule_info", type: "gauge", help: "1 for each rule with hits: its place and the name in its note.")
        for (row, _) in shown {
            let labels = "rule=\"\(row.id)\",place=\"\(escaped(row.place.description))\""
            text += "shunt_rule_info{\(labels),name=\"\(escaped(row.note?["name"] ?? ""))\"} 1\n"
        }
    }

    private mutating func family(_ name: String, type: String, help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func counter(_ name: String, _ value: Int, help: String) {
        family(name, type: "counter", help: help)
        text += "\(name) \(value)\n"
    }

    private mutating func gauge(_ name: String, _ value: Int, help: String) {
        family(name, type: "gauge", help: help)
        text += "\(name) \(value)\n"
    }

    private mutating func gauge(_ name: String, _ value: Bool, help: String) {
        gauge(name, value ? 1 : 0, help: help)
    }

    /// Microseconds as a decimal number of seconds, without rounding.
    private func seconds(_ microseconds: Int) -> String {
        "\(microseconds / 1_000_000)." + String(microseconds % 1_000_000).paddedWithZeros(to: 6)
    }

    private func escaped(_ label: String) -> String {
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
