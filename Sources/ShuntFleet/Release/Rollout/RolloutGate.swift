/// Compares what requests meet at the nodes that have a release with what they meet at the others.
public struct RolloutGate: Sendable, Hashable {
    /// So many requests have to be seen on both sides before shares are compared.
    public var leastRequests = 100
    /// The largest ratio of a share to the share of the other nodes.
    public var factor = 1.5
    /// A share has to be at least so much above that of the others, in requests of a hundred.
    public var leastPercent = 0.5
    /// The largest ratio of the 99th percentile of decisions to that of the other nodes.
    public var slownessFactor = 2.0
    /// Decisions below so many microseconds are never too slow.
    public var leastSlowness = 20

    /// Makes the usual gate.
    public init() {}

    /// Returns the problem of the nodes with the release; nil for none.
    public func problem(_ cohort: [NodeStatus.Counters], against others: [NodeStatus.Counters]) -> String? {
        problem(cohort.lazy, against: others.lazy)
    }

    /// The same, of counters that need not lie in an array.
    func problem(
        _ cohort: some Sequence<NodeStatus.Counters>,
        against others: some Sequence<NodeStatus.Counters>
    ) -> String? {
        let mine = Self.sum(cohort)
        let theirs = Self.sum(others)
        guard mine.requests >= Double(leastRequests), theirs.requests >= Double(leastRequests) else { return nil }
        for (what, index) in [
            ("failed", 0), ("were answered with 4xx", 1), ("were answered with 5xx", 2), ("reached a limit", 3),
        ] {
            let share = mine.counts[index] / mine.requests * 100
            let usual = theirs.counts[index] / theirs.requests * 100
            if share >= usual * factor, share - usual >= leastPercent {
                return "\(Self.shown(share)) % of the requests \(what), elsewhere \(Self.shown(usual)) %"
            }
        }
        if mine.slowness >= Double(leastSlowness), theirs.slowness > 0,
            mine.slowness >= theirs.slowness * slownessFactor
        {
            return
                "a decision takes \(Int(mine.slowness)) µs at the 99th percentile, elsewhere \(Int(theirs.slowness)) µs"
        }
        return nil
    }

    private static func sum(
        _ nodes: some Sequence<NodeStatus.Counters>
    ) -> (requests: Double, counts: SIMD4<Double>, slowness: Double) {
        // In floating point: nodes may report any numbers, and their sum must not trap.
        var requests = 0.0
        var counts = SIMD4<Double>.zero
        var slowness = 0.0
        for node in nodes {
            requests += Double(node.requests)
            counts += SIMD4(Double(node.fail), Double(node.clientErrors), Double(node.serverErrors), Double(node.limit))
            slowness += Double(node.slowMicroseconds) * Double(node.requests)
        }
        return (requests, counts, requests > 0 ? min(slowness / requests, 1e15) : 0)
    }

    private static func shown(_ percent: Double) -> String {
        let tenths = Int((min(percent, 1e6) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
