import ShuntFleet

/// The reports of the nodes, as a carrier keeps them: the last word of those that live, and of all about the release
/// that is rolled out.
struct StatusBoard {
    /// In the order of the names.
    private(set) var living: [NodeStatus] = []
    /// Stays where a node is heard of no more: one that was lost while it loaded is seen by it.
    private(set) var acknowledged: [String: NodeStatus.State] = [:]
    /// The index of each node's name in their order, and which of them live.
    private let ranks: [Int]
    private var alive: [Bool]

    init(_ names: [String]) {
        let order = names.indices.sorted { names[$0] < names[$1] }
        var ranks = names.map { _ in 0 }
        for (rank, index) in order.enumerated() { ranks[index] = rank }
        self.ranks = ranks
        alive = names.map { _ in false }
    }

    private func place(_ index: Int) -> Int { alive[..<ranks[index]].count { $0 } }

    mutating func hear(_ index: Int, _ status: NodeStatus, about sequence: Int) {
        let place = place(index)
        if alive[ranks[index]] { living[place] = status } else { living.insert(status, at: place) }
        alive[ranks[index]] = true
        if status.sequence == sequence { acknowledged[status.node] = status.state }
    }

    mutating func silence(_ index: Int) {
        guard alive[ranks[index]] else { return }
        living.remove(at: place(index))
        alive[ranks[index]] = false
    }

    /// Another release is rolled out.
    mutating func begin() { acknowledged = [:] }
}
