public import Shunt

/// A rule set and requests for it, ready to be decided.
public struct Lookups: Sendable {
    /// The engine.
    public let engine: Engine
    /// The number of requests.
    public var count: Int { requests.count }
    private let requests: [Sample]

    /// A request that is borrowed where it lies: one taken out of an array is a copy, and making that takes as long as
    /// some decisions.
    private final class Sample: Sendable {
        struct Held: ~Copyable {
            let request: Request
        }

        let held: Held

        init(_ request: Request) {
            held = Held(request: request)
        }
    }

    /// Makes lookups.
    public init(engine: Engine, requests: [Request]) {
        self.engine = engine
        self.requests = requests.map { Sample($0) }
    }

    /// Decides about requests in turn, and looks at each decision where the engine made it.
    ///
    /// - Parameters:
    ///   - first: The number of lookups that were done before, so that rounds go on where the last one ended.
    ///   - count: The number of lookups.
    /// - Returns: The number of decisions that a rule or a route had a part in.
    @inline(never)
    public func run(from first: Int, count: Int) -> Int {
        var matches = 0
        var index = first % requests.count
        for _ in 0..<count {
            if decide(requests[index].held) { matches += 1 }
            index += 1
            if index == requests.count { index = 0 }
        }
        return matches
    }

    private func decide(_ held: borrowing Sample.Held) -> Bool {
        engine.decide(held.request, Self.look)
    }

    private func copy(of held: borrowing Sample.Held) -> Decision {
        engine.decide(held.request)
    }

    /// Reads what a caller needs to go on: the result of the rules, or the route.
    private static func look(at decision: borrowing DecisionView) -> Bool {
        guard decision.isDecidedByRule else { return decision.route != nil }
        let length =
            decision.action == .forward && !decision.isUpstream
            ? decision.withURI { $0.count } : decision.withURL { $0.count }
        return length != 0
    }

    /// Does the same with decisions that are values of their own.
    ///
    /// - Parameters:
    ///   - first: As for `run`.
    ///   - count: As for `run`.
    /// - Returns: As for `run`.
    @inline(never)
    public func runCopying(from first: Int, count: Int) -> Int {
        var matches = 0
        var index = first % requests.count
        for _ in 0..<count {
            let decision = copy(of: requests[index].held)
            if decision.rule != nil || decision.route != nil { matches += 1 }
            index += 1
            if index == requests.count { index = 0 }
        }
        return matches
    }

    /// Paths as requests of a server of one site.
    public static func requests(paths: [String]) -> [Request] {
        paths.map { Request(target: $0, host: "www.example.com") }
    }

    /// URLs as requests.
    public static func requests(urls: [String]) -> [Request] {
        urls.map { Request(url: $0) }
    }

    /// The whole way: parse a URL, try the mixed rewrites of a server, look the route up.
    ///
    /// - Parameter workload: The rewrites. None of their results is a route of GitHub's.
    /// - Returns: An engine with these rules and the routes of GitHub, and for each of those routes a URL.
    /// - Throws: What is wrong with the rules.
    public static func dispatch(_ workload: RewriteWorkload) throws -> Lookups {
        let engine = Engine(try RuleSet.load(text: GitHubRoutes.directives + workload.serverText()))
        return Lookups(
            engine: engine,
            requests: GitHubRoutes.all.map {
                var request = Request(url: "https://www.example.com\($0.path)")
                request.method = Array($0.method.utf8)
                return request
            }
        )
    }
}
