import Shunt

/// A rule that requests met, and the time of these requests.
struct RuleShare {
    let location: SourceLocation
    let text: String
    /// The number of requests that it applied to, or that its test was run for.
    let requests: Int
    /// The time of these requests, in nanoseconds, and its share of the time of all requests.
    let nanoseconds: Int
    let share: Double

    private static let limit = 30
    /// The most requests that are traced.
    private static let traced = 20_000

    /// Lists at most 30 rules that requests met, those with the most time first; a request counts for each rule that it
    /// met.
    static func all(_ requests: [RuleRequest], _ shortest: [UInt32], of engine: Engine) -> [RuleShare] {
        var found: [SourceLocation: (text: String, requests: Int, nanoseconds: Int)] = [:]
        var sum = 0
        for (request, time) in zip(requests, shortest).prefix(traced) where time != .max {
            sum += Int(time)
            for rule in SlowRequest.rules(of: request, engine) {
                found[rule.location, default: (rule.text, 0, 0)].requests += 1
                found[rule.location]?.nanoseconds += Int(time)
            }
        }
        return
            found.map { location, met in
                RuleShare(
                    location: location,
                    text: met.text,
                    requests: met.requests,
                    nanoseconds: met.nanoseconds,
                    share: Double(met.nanoseconds) / Double(max(1, sum))
                )
            }
            .sorted { one, other in
                (other.nanoseconds, one.location.file, one.location.line)
                    < (one.nanoseconds, other.location.file, other.location.line)
            }
            .prefix(limit).map { $0 }
    }

    private var mean: Double { Double(nanoseconds) / Double(max(1, requests)) }

    var line: String {
        let count = "\(requests) \(requests == 1 ? "request" : "requests")"
        let times = "\(BenchResult.decimal(share * 100, 1)) %: \(count), \(BenchResult.decimal(mean, 0)) ns each"
        return "\(times): \(location): \(ShownBytes.text(text))"
    }

    var members: JSONObject {
        location.members.adding(["rule": text, "requests": requests, "ns_per_request": mean, "share": share])
    }
}
