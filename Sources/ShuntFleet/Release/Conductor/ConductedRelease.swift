/// A release that is rolled out, with what a conductor would have to work out again each time that it looks.
struct ConductedRelease: Sendable {
    let release: Release
    private var known: [String: UInt64] = [:]
    /// The nodes of the last question, and their ranks: mostly the same nodes live.
    private var last: (names: [String], ranks: [UInt64]) = ([], [])

    init(_ release: Release) { self.release = release }

    /// The ranks of nodes, in their order.
    mutating func ranks(_ nodes: [NodeStatus]) -> [UInt64] {
        if last.names.count == nodes.count, nodes.indices.allSatisfy({ nodes[$0].node == last.names[$0] }) {
            return last.ranks
        }
        // Names that come and go must not pile up.
        if known.count > 2 * nodes.count + 64 { known = [:] }
        let names = nodes.map(\.node)
        let ranks = names.map { name in
            if let rank = known[name] { return rank }
            let rank = NodeRank.of(name, namespace: release.namespace, sequence: release.sequence)
            known[name] = rank
            return rank
        }
        last = (names, ranks)
        return ranks
    }
}
