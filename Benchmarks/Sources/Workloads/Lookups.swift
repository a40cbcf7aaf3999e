public import Shunt

/// A rule set and requests for it, ready to be decided.
public struct Lookups: Sendable {
    /// The engine.
    public let engine: Engine
    /// The requests.
    public let requests: [Request]

    /// Makes lookups.
    public init(engine: Engine, requests: [Request]) {
        self.engine = engine
        self.requests = requests
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
        // A span lends its elements, where an array would hand out copies of them.
        let requests = requests.span
        var index = first % requests.count
        for _ in 0..<count {
            if engine.decide(requests[index], Self.look) { matches += 1 }
            index += 1
            if index == requests.count { index = 0 }
        }
        return matches
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
        let requests = requests.span
        var index = first % requests.count
        for _ in 0..<count {
            let decision = engine.decide(requests[index])
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
