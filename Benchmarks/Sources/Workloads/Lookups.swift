public import Shunt

/// A rule set and requests for it, ready to be decided.
public struct Lookups: Sendable {
    /// The engine.
    public let engine: Engine
    /// The number of requests.
    public var count: Int { requests.held.count }
    private let requests: Requests

    /// Requests that are borrowed where they lie: one taken out of an array is a copy, and making that takes as long as
    /// some decisions.
    private final class Requests: @unchecked Sendable {
        struct Held: ~Copyable {
            let request: RuleRequest
        }

        let held: UnsafeMutableBufferPointer<Held>

        init(_ requests: [RuleRequest]) {
            held = .allocate(capacity: requests.count)
            for (index, request) in requests.enumerated() {
                held.initializeElement(at: index, to: Held(request: request))
            }
        }

        deinit {
            held.deinitialize()
            held.deallocate()
        }
    }

    /// Makes lookups.
    public init(engine: Engine, requests: [RuleRequest]) {
        self.engine = engine
        self.requests = Requests(requests)
    }

    /// Decides about one request.
    ///
    /// - Parameter index: Which one.
    /// - Returns: Whether a rule or a route had a part in the decision.
    @inline(never)
    public func decide(at index: Int) -> Bool {
        decide(requests.held[index])
    }

    /// Decides about requests in turn, and reads each decision where the engine made it.
    ///
    /// - Parameters:
    ///   - first: The number of lookups that were done before, so that rounds continue where the last one ended.
    ///   - count: The number of lookups.
    /// - Returns: The number of decisions that a rule or a route had a part in.
    @inline(never)
    public func run(from first: Int, count: Int) -> Int {
        var matches = 0
        let number = self.count
        var index = first % number
        for _ in 0..<count {
            if decide(requests.held[index]) { matches += 1 }
            index += 1
            if index == number { index = 0 }
        }
        return matches
    }

    private func decide(_ held: borrowing Requests.Held) -> Bool {
        engine.withDecision(for: held.request, Self.look)
    }

    private func copy(of held: borrowing Requests.Held) -> Decision {
        engine.decide(held.request)
    }

    /// Reads what a caller needs to continue: the result of the rules, or the route.
    private static func look(at decision: borrowing DecisionView) -> Bool {
        guard decision.isDecidedByRule else { return decision.route != nil }
        let length =
            decision.kind == .forward && !decision.isUpstream
            ? decision.withURI { $0.count } : decision.withURL { $0.count }
        return length != 0
    }

    /// Reads the same of a decision that is a separate value.
    private static func look(at decision: Decision) -> Bool {
        guard decision.isDecidedByRule else { return decision.route != nil }
        let length = decision.withURL { $0.count }
        return length != 0
    }

    /// Does the same with decisions that are their own values.
    ///
    /// - Parameters:
    ///   - first: As for `run`.
    ///   - count: As for `run`.
    /// - Returns: As for `run`.
    @inline(never)
    public func runCopying(from first: Int, count: Int) -> Int {
        var matches = 0
        let number = self.count
        var index = first % number
        for _ in 0..<count {
            if Self.look(at: copy(of: requests.held[index])) { matches += 1 }
            index += 1
            if index == number { index = 0 }
        }
        return matches
    }

    /// Paths as requests of a server of one site.
    public static func requests(paths: [String]) -> [RuleRequest] {
        paths.map { RuleRequest(target: $0, host: "www.example.com") }
    }

    /// URLs as requests.
    public static func requests(urls: [String]) -> [RuleRequest] {
        urls.map { RuleRequest(url: $0) }
    }

    /// The whole way: parse a URL, try the mixed rewrites of a server, look the route up.
    ///
    /// - Parameter workload: The rewrites. None of their results is a route of GitHub's.
    /// - Returns: An engine with these rules and the routes of GitHub, and for each of those routes a URL.
    /// - Throws: What is wrong with the rules.
    public static func dispatch(_ workload: RewriteWorkload) throws -> Lookups {
        let engine = Engine(try RuleSet(text: GitHubRoutes.directives + workload.serverText()))
        return Lookups(
            engine: engine,
            requests: GitHubRoutes.all.map {
                var request = RuleRequest(url: "https://www.example.com\($0.path)")
                request.method = $0.method
                return request
            }
        )
    }
}
