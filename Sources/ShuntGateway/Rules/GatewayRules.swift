#if Gateway
import ServiceLifecycle
public import Shunt

/// The place where a gateway has its rules from, if not from files: releases of a fleet.
public protocol GatewayRules: Sendable {
    /// Opens the store with the rules.
    ///
    /// - Throws: Where there are none.
    func open(_ options: RuleStore.Options) async throws -> RuleStore

    /// Follows what changes until the task is cancelled.
    ///
    /// - Parameter totals: The counts of requests since the gateway started.
    func run(_ totals: @escaping @Sendable () -> GatewayTotals) async

    /// Reads once whether something has changed.
    func look() async

    /// Returns the release that serves; nil if it is not known yet.
    func release() async -> GatewayRelease?

    /// Returns the release of each node of the fleet, as the JSON of `shunt fleet status`.
    ///
    /// - Throws: Where the place that the releases come from does not answer.
    func fleet() async throws -> [UInt8]
}

/// The counts of requests since a gateway started.
public struct GatewayTotals: Sendable, Hashable {
    /// All decisions.
    public var requests = 0
    /// Those that failed.
    public var failures = 0
    /// Answers from 400 to 499.
    public var clientErrors = 0
    /// Answers from 500 on.
    public var serverErrors = 0
    /// The numbers of requests that took no longer than each bound of the gateway's histogram; the last is for longer
    /// ones.
    public var durations: [Int] = []

    /// So many requests have to be seen before a time means something.
    private static let leastRequests = 100

    /// Nothing so far.
    public init() {}

    init(_ loops: [LoopMetrics]) {
        for loop in loops {
            for kind in Decision.Kind.allCases { requests &+= loop.decisions(kind) }
            failures &+= loop.decisions(.fail)
            clientErrors &+= loop.responses[3].value
            serverErrors &+= loop.responses[4].value
        }
        durations = LoopMetrics.bounds.indices.map { index in loops.reduce(0) { $0 &+ $1.durations[index].value } }
        durations.append(loops.reduce(0) { $0 &+ $1.durations[LoopMetrics.bounds.count].value })
    }

    /// The time within which 99 of a hundred requests since an earlier moment were answered, in microseconds.
    ///
    /// Within a bucket of the histogram requests are taken to lie evenly, and none longer than its last bound.
    ///
    /// - Parameter earlier: The counts at that time.
    /// - Returns: The time; 0 where they were too few.
    public func slowMicroseconds(since earlier: GatewayTotals) -> Int {
        let counts = durations.enumerated()
            .map { index, count in
                max(0, count - (earlier.durations.indices.contains(index) ? earlier.durations[index] : 0))
            }
        let bounds = LoopMetrics.bounds
        guard counts.reduce(0, +) >= Self.leastRequests else { return 0 }
        guard let end = LoopMetrics.end(of: 0.99, in: counts) else { return 0 }
        guard end.bucket < bounds.count else { return bounds.last ?? 0 }
        let lower = end.bucket == 0 ? 0 : bounds[end.bucket - 1]
        return lower + Int(Double(bounds[end.bucket] - lower) * end.part)
    }
}

/// The release that a gateway serves.
public struct GatewayRelease: Sendable, Hashable {
    /// The name of the node.
    public var node: String
    /// The number of the release that decides requests; 0 for none.
    public var serving: Int
    /// The number of the release that the state is about.
    public var sequence: Int
    /// The result.
    public var state: String
    /// The reason, in words.
    public var error: String?
    /// The reason why the releases are not followed; nil where they are.
    public var condition: String?
    /// The time since it was known which release is the newest.
    public var contactAge: Duration

    /// Makes a note of a release.
    public init(
        node: String,
        serving: Int,
        sequence: Int,
        state: String,
        error: String? = nil,
        condition: String? = nil,
        contactAge: Duration
    ) {
        self.node = node
        self.serving = serving
        self.sequence = sequence
        self.state = state
        self.error = error
        self.condition = condition
        self.contactAge = contactAge
    }
}

/// Follows the releases that a gateway serves until it is shut down.
struct ReleaseService: Service {
    let source: any GatewayRules
    let core: GatewayCore

    func run() async throws {
        let metrics = core.metrics
        await cancelWhenGracefulShutdown { await source.run { GatewayTotals(metrics) } }
        // A service that ends early would end the gateway.
        try await gracefulShutdown()
    }
}
#endif
