#if Fleet
/// The members of a cluster, and which one is asked next.
package struct EtcdEndpoints: Sendable {
    /// The URLs, without a slash at the end.
    package let urls: [String]
    private var current = 0
    private var leaderless: [Int: Duration] = [:]

    /// The time during which an endpoint without a majority is tried last.
    package static let penalty = Duration.seconds(60)

    /// Begins at the member `first`, so that not all nodes begin at the same one.
    package init(_ urls: [String], first: Int = 0) {
        self.urls = urls
        if !urls.isEmpty { current = first % urls.count }
    }

    /// The members in the order in which they are to be asked.
    package func order(at now: Duration) -> [Int] {
        let round = urls.indices.map { (current + $0) % urls.count }
        func isLast(_ index: Int) -> Bool { leaderless[index].map { now < $0 + Self.penalty } ?? false }
        return round.filter { !isLast($0) } + round.filter(isLast)
    }

    /// One has answered.
    package mutating func succeeded(_ index: Int) {
        current = index
        leaderless[index] = nil
    }

    /// One has failed; the next time another one comes first.
    package mutating func failed(_ index: Int, _ reason: EtcdError.Reason, at now: Duration) {
        if current == index { current = (index + 1) % urls.count }
        if reason == .noLeader { leaderless[index] = now }
    }
}
#endif
