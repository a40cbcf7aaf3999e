/// In which order nodes come in a rollout: another one for each release, the same for everybody who computes it.
public enum NodeRank {
    /// The rank of a node: the first 8 bytes of the SHA-256 of namespace, sequence and name, with NUL bytes between.
    public static func of(_ node: String, namespace: String, sequence: Int) -> UInt64 {
        let name = ContentName(of: Array("\(namespace)\0\(sequence)\0\(node)".utf8))
        return UInt64(name.hexadecimal.prefix(16), radix: 16) ?? .max
    }

    /// The greatest rank of the first of the living nodes; of all the greatest possible, for nodes that come later.
    public static func threshold(first count: Int, of nodes: [String], namespace: String, sequence: Int) -> UInt64 {
        threshold(first: count, of: nodes.map { of($0, namespace: namespace, sequence: sequence) })
    }

    /// The same, of ranks.
    static func threshold(first count: Int, of ranks: [UInt64]) -> UInt64 {
        guard count < ranks.count else { return .max }
        guard count > 0 else { return 0 }
        return ranks.sorted()[count - 1]
    }

    /// A number from 0 to 1 that spreads nodes evenly in time, apart from their rank.
    static func spread(of node: String, _ release: Release) -> Double {
        let rank = of(node, namespace: release.namespace + "\0spread", sequence: release.sequence)
        return Double(rank >> 11) / Double(1 << 53)
    }
}

/// The rank of one node for the release that it was asked about last, which is asked for with every event.
struct OwnRank: Sendable {
    private var last: (namespace: String, sequence: Int, rank: UInt64)?

    mutating func of(_ node: String, _ release: Release) -> UInt64 {
        if let last, last.sequence == release.sequence, last.namespace == release.namespace { return last.rank }
        let rank = NodeRank.of(node, namespace: release.namespace, sequence: release.sequence)
        last = (release.namespace, release.sequence, rank)
        return rank
    }
}
