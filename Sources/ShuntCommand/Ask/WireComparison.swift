#if Command
import Dispatch
import Shunt
import ShuntTools
import Synchronization

/// Servers on the wire, which get the requests of tests, examples and a log, and are compared with the rules.
struct WireComparison: Sendable {
    struct Item: Sendable {
        var place: String
        var request: RequestDescription
        /// True if the scheme may be another one.
        var isExample = false
    }

    private enum Outcome: Sendable {
        case same, unseen
        case different(rules: String, server: String)
        case notSent(String)
        case failed(String)
    }

    let ruleSet: RuleSet
    let servers: [ServerAddress]
    /// The Host of requests that name none.
    let host: String
    let time: Timestamp
    private var outcomes: [(item: Item, outcome: Outcome)] = []

    init(_ ruleSet: RuleSet, servers: [ServerAddress], host: String?, time: Timestamp) {
        self.ruleSet = ruleSet
        self.servers = servers
        self.host = host ?? servers.first?.host ?? "localhost"
        self.time = time
    }

    /// Examples of all rules, and requests that they just do not match.
    static func examples(_ ruleSet: RuleSet, time: Timestamp) -> [Item] {
        var options = ExampleSearch.Options()
        options.misses = 4
        return ExampleSearch(ruleSet, options: options, asOf: time).examples()
            .flatMap { entry in
                (entry.hits + entry.misses).map { Item(place: "\(entry.rule)", request: $0.request, isExample: true) }
            }
    }

    /// Sends the requests, so many at once.
    mutating func run(_ items: [Item], jobs: Int) {
        let engine = Engine(ruleSet)
        let next = Atomic(0)
        let found = Mutex<[Int: Outcome]>([:])
        let items = items.map { Self.item($0, for: servers) }
        let asking = self
        DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, items.count))) { _ in
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < items.count else { return }
                let outcome = asking.outcome(of: items[index].request, engine)
                found.withLock { $0[index] = outcome }
            }
        }
        let all = found.withLock { $0 }
        outcomes += items.enumerated().compactMap { index, item in all[index].map { (item, $0) } }
    }

    /// An example with the scheme of the only server; other requests as they are written.
    private static func item(_ item: Item, for servers: [ServerAddress]) -> Item {
        guard item.isExample, servers.count == 1, case .url(let url) = item.request.request.subject,
            let colon = url.firstIndex(of: UInt8(ascii: ":")),
            ["http", "https"].contains(where: { url[..<colon].elementsEqual($0.utf8) })
        else { return item }
        var item = item
        item.request.request.subject = .url(Array((servers[0].isSecure ? "https" : "http").utf8) + url[colon...])
        return item
    }

    private func outcome(of description: RequestDescription, _ engine: Engine) -> Outcome {
        var request = description.request
        guard request.inputs.isEmpty else { return .notSent("has inputs") }
        guard request.time == nil else { return .notSent("is for another time") }
        guard request.remoteAddress == RuleRequest.usualAddress else { return .notSent("has another client's address") }
        guard description.files.isEmpty else { return .notSent("names files") }
        guard let asked = WireRequest(request, host: host) else { return .notSent("is not a request of HTTP") }
        guard let server = servers.first(where: { $0.isSecure == asked.isSecure }) else {
            return .notSent("is for \(asked.isSecure ? "https" : "http"), and --against names no such server")
        }
        if case .target(let target, nil) = request.subject { request.subject = .target(target, host: asked.host) }
        request.time = time
        let decision = engine.decide(request)
        do {
            let answer = try server.answer(asked)
            switch AnswerComparison.compare(decision, answer, url: asked.url) {
            case .same: return .same
            case .unseen: return .unseen
            case .different: return .different(rules: ExampleText.decision(decision), server: answer.shown)
            }
        } catch {
            return .failed("\(error)")
        }
    }

    // MARK: Reports

    private func count(_ isWanted: (Outcome) -> Bool) -> Int { outcomes.count { isWanted($0.outcome) } }

    private var sameCount: Int { count { if case .same = $0 { true } else { false } } }
    private var unseenCount: Int { count { if case .unseen = $0 { true } else { false } } }
    var differenceCount: Int { count { if case .different = $0 { true } else { false } } }
    var sentCount: Int { count { if case .notSent = $0 { false } else { true } } }
    var failureCount: Int { count { if case .failed = $0 { true } else { false } } }

    var text: String {
        var lines: [String] = []
        var reasons: [String: Int] = [:]
        for (item, outcome) in outcomes {
            switch outcome {
            case .different(let rules, let server):
                lines.append("differs  \(ShownBytes.text(item.place))  \(RequestText.shown(item.request))")
                lines.append("         rules   \(rules)")
                lines.append("         server  \(server)")
            case .failed(let problem):
                lines.append("failed   \(ShownBytes.text(item.place))  \(RequestText.shown(item.request)): \(problem)")
            case .notSent(let reason): reasons[reason, default: 0] += 1
            case .same, .unseen: continue
            }
        }
        for (reason, count) in reasons.sorted(by: { $0.key < $1.key }) {
            lines.append("not sent: \(count), as each \(reason)")
        }
        var sum = "\(outcomes.count) requests: \(sameCount) agree, \(differenceCount) differ"
        if unseenCount > 0 { sum += ", \(unseenCount) are forwarded by the rules and cannot be compared" }
        if failureCount > 0 { sum += ", \(failureCount) have no answer" }
        return (lines + [sum]).joined(separator: "\n") + "\n"
    }

    var json: JSONObject {
        let rows = outcomes.compactMap { item, outcome -> JSONObject? in
            switch outcome {
            case .different(let rules, let server):
                ["result": "different", "place": item.place, "request": item.request, "rules": rules, "server": server]
            case .failed(let problem):
                ["result": "failed", "place": item.place, "request": item.request, "problem": problem]
            case .notSent(let reason):
                ["result": "not-sent", "place": item.place, "request": item.request, "problem": reason]
            case .same, .unseen: nil
            }
        }
        return [
            "schema": "shunt-test-against/1", "requests": outcomes.count, "same": sameCount, "unseen": unseenCount,
            "different": differenceCount, "failed": failureCount, "outcomes": rows,
        ]
    }
}
#endif
