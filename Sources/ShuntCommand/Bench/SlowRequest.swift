import Shunt
import ShuntTools

/// A request that takes longer than others, and the rules it met.
struct SlowRequest {
    /// The URL, or the method, the target and the host.
    let text: String
    /// The shortest time of a decision about it: what disturbs the machine now and then is not in it.
    let nanoseconds: Int
    /// The rules that applied to it and the tests before those, in order.
    let rules: [(location: SourceLocation, text: String)]

    private static let limit = 5

    /// The slowest of the requests, for each of which `shortest` has its shortest time.
    static func slowest(_ requests: [RuleRequest], _ shortest: [UInt32], of engine: Engine) -> [SlowRequest] {
        var slowest: [Int] = []
        for index in requests.indices where shortest[index] != .max {
            if slowest.count == limit, shortest[slowest[limit - 1]] >= shortest[index] { continue }
            // Of equal requests one will do.
            if slowest.contains(where: { requests[$0].bytes == requests[index].bytes }) { continue }
            let place = slowest.firstIndex { shortest[$0] < shortest[index] } ?? slowest.count
            slowest.insert(index, at: place)
            if slowest.count > limit { slowest.removeLast() }
        }
        return slowest.map { SlowRequest(requests[$0], Int(shortest[$0]), of: engine) }
    }

    private init(_ request: RuleRequest, _ nanoseconds: Int, of engine: Engine) {
        let host = request.host.map { " \(ShownBytes.text($0))" } ?? ""
        let method = request.isForURL ? "" : "\(ShownBytes.text(request.methodBytes)) "
        text = method + ShownBytes.text(request.bytes) + host
        self.nanoseconds = nanoseconds
        rules = Self.rules(of: request, engine)
    }

    /// Returns the rules that applied to a request and the tests before those, each once in a row.
    static func rules(of request: RuleRequest, _ engine: Engine) -> [(location: SourceLocation, text: String)] {
        var rules: [(location: SourceLocation, text: String)] = []
        for step in engine.explain(request).trace.steps {
            guard let location = step.rule, step.kind == .condition || step.kind == .rule || step.kind == .assignment,
                step.kind == .condition || step.result != .skipped, rules.last?.location != location
            else { continue }
            rules.append((location, step.text))
        }
        return rules
    }
}

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
        let times = "\(ReportNumbers.decimal(share * 100, 1)) %: \(count), \(ReportNumbers.decimal(mean, 0)) ns each"
        return "\(times): \(location): \(ShownBytes.text(text))"
    }

    var members: JSONObject {
        location.members.adding(["rule": text, "requests": requests, "ns_per_request": mean, "share": share])
    }
}
