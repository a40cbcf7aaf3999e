import Shunt
import ShuntTools

struct BenchResult {
    /// The number of decisions in the whole rounds, their time and their allocations.
    var requestCount = 0
    var nanoseconds = 0
    var allocations = 0
    /// The median of single decisions, in nanoseconds.
    private(set) var median = 0
    private(set) var percentile99 = 0
    private(set) var longest = 0
    var loadNanoseconds = 0
    var ruleCount = 0
    var memoryBytes = 0
    var costlyRules: [CostlyRule] = []
    var slowRequests: [SlowRequest] = []
    /// The shortest time of a decision about each request.
    var shortest: [UInt32] = []
    /// The rules that requests met; nil if they are not wanted.
    var shares: [RuleShare]?
    /// The measurements of older rules; nil without any.
    var compared: ComparedResult?
    /// The sum of all statuses.
    var checksum = 0

    var mean: Double { Double(nanoseconds) / Double(max(1, requestCount)) }

    private var allocationsPerRequest: Double { Double(allocations) / Double(max(1, requestCount)) }

    /// Takes the percentiles of single decisions, which are in rising order.
    mutating func take(_ samples: [UInt32]) {
        guard let last = samples.last else { return }
        median = Int(samples[samples.count / 2])
        percentile99 = Int(samples[samples.count * 99 / 100])
        longest = Int(last)
    }

    var text: String {
        var lines = [
            "rules        \(ruleCount), loaded in \(ReportNumbers.decimal(Double(loadNanoseconds) / 1e6, 1)) ms, "
                + "\(ReportNumbers.decimal(Double(memoryBytes) / 1_048_576, 1)) MiB",
            "requests     \(requestCount) in \(ReportNumbers.decimal(Double(nanoseconds) / 1e9, 2)) s",
            "a request    mean \(ReportNumbers.decimal(mean, 0)) ns, median \(median) ns, 99 % within \(percentile99) ns, "
                + "longest \(longest) ns",
            "allocations  \(ReportNumbers.decimal(allocationsPerRequest, 2)) a request",
        ]
        let shown = 10
        if let compared { lines.append(compared.line(against: self)) }
        if let shares {
            lines.append("")
            lines.append("The rules that requests meet, and the time of these requests:")
            for share in shares { lines.append("  \(share.line)") }
        }
        if slowRequests.count > 1 {
            lines.append("")
            lines.append("The slowest requests, and the rules they met:")
            for request in slowRequests {
                lines.append("  \(request.nanoseconds) ns: \(request.text)")
                for rule in request.rules.prefix(shown) {
                    lines.append("      \(rule.location): \(ShownBytes.text(rule.text))")
                }
                if request.rules.count > shown { lines.append("      and \(request.rules.count - shown) more") }
            }
        }
        if !costlyRules.isEmpty {
            lines.append("")
            lines.append("These rules are tried on every request:")
        }
        for costly in costlyRules.prefix(shown) {
            let cost = costly.nanoseconds.map { "\(ReportNumbers.decimal($0, 0)) ns: " } ?? ""
            lines.append("  \(costly.rule.location): \(ShownBytes.text(costly.rule.text))")
            lines.append("      \(cost)\(costly.rule.reason)")
        }
        if costlyRules.count > shown { lines.append("  and \(costlyRules.count - shown) more") }
        return lines.joined(separator: "\n") + "\n"
    }

    var json: [UInt8] {
        let single: JSONObject = ["mean": mean, "p50": median, "p99": percentile99, "max": longest]
        let slowest = slowRequests.map { request -> JSONObject in
            let rules = request.rules.map { $0.location.members.adding(["rule": $0.text]) }
            return ["request": request.text, "ns": request.nanoseconds, "rules": rules]
        }
        let rules = costlyRules.map { costly in
            costly.rule.location.members.adding([
                "rule": costly.rule.text, "reason": costly.rule.reason, "ns_per_request": costly.nanoseconds,
            ])
        }
        let result: JSONObject = [
            "schema": "shunt-bench/1",
            "requests": requestCount,
            "seconds": Double(nanoseconds) / 1e9,
            "ns_per_request": single,
            "allocations_per_request": allocationsPerRequest,
            "load_seconds": Double(loadNanoseconds) / 1e9,
            "rules": ruleCount,
            "memory_bytes": memoryBytes,
            "slowest_requests": slowest,
            "costly_rules": rules,
            "compared": compared.map { $0.members(against: self) },
            "by_rule": shares.map { $0.map(\.members) },
        ]
        return result.line
    }
}

/// The measurements of older rules, next to those of newer ones.
struct ComparedResult {
    /// The path of the older rules.
    let name: String
    private let mean: Double
    private let median: Int
    private let percentile99: Int

    init(name: String, _ result: BenchResult) {
        (self.name, mean, median, percentile99) = (name, result.mean, result.median, result.percentile99)
    }

    /// The mean of the newer rules, divided by the mean of the older ones.
    private func ratio(_ newer: BenchResult) -> Double { newer.mean / max(mean, 1) }

    func line(against newer: BenchResult) -> String {
        "before       mean \(ReportNumbers.decimal(mean, 0)) ns, median \(median) ns, 99 % within \(percentile99) ns: "
            + "now \(ReportNumbers.decimal(ratio(newer), 2)) times, with \(name)"
    }

    func members(against newer: BenchResult) -> JSONObject {
        [
            "rules": name, "ns_per_request": ["mean": mean, "p50": median, "p99": percentile99] as JSONObject,
            "ratio": ratio(newer),
        ]
    }
}
