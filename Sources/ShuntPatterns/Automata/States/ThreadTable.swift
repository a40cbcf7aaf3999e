/// The threads of a search: a node that was reached, and what must still come true for it to count.
///
/// A thread without obligations is its node's number; the others are numbered after the nodes. An obligation is a state
/// that must accept in the end, as after a lookahead, or one that must not: twice the state's number, plus one if it
/// must not.
struct ThreadTable {
    private let nodeCount: Int
    /// Node, then the number of its set of obligations.
    private var pairs = SequenceTable()
    /// Sets of obligations, ascending; number 0 is the empty one.
    private var obligations = SequenceTable()

    init(nodeCount: Int) {
        self.nodeCount = nodeCount
        _ = obligations.insert([])
    }

    mutating func thread(at node: UInt32, obliged: UInt32) -> UInt32 {
        if obliged == 0 { return node }
        return UInt32(nodeCount) + pairs.insert([node, obliged]).number
    }

    /// The node of a thread, and the number of its obligations.
    func parts(of thread: UInt32) -> (node: UInt32, obliged: UInt32) {
        if Int(thread) < nodeCount { return (thread, 0) }
        let pair = pairs[thread - UInt32(nodeCount)]
        return (pair[pair.startIndex], pair[pair.startIndex + 1])
    }

    func obligations(_ number: UInt32) -> ArraySlice<UInt32> { obligations[number] }

    /// The number of a set of obligations, in any order.
    mutating func number(of set: [UInt32]) -> UInt32 {
        if set.isEmpty { return 0 }
        var sorted: [UInt32] = []
        for obligation in set.sorted() where sorted.last != obligation { sorted.append(obligation) }
        return obligations.insert(sorted).number
    }

    mutating func number(of set: UInt32, adding obligation: UInt32) -> UInt32 {
        number(of: Array(obligations[set]) + [obligation])
    }

    /// Leaves out the threads that ask for all that another one at the same node asks for, and more.
    func withoutCovered(_ threads: [UInt32]) -> [UInt32] {
        guard let last = threads.last, Int(last) >= nodeCount else { return threads }
        return threads.filter { thread in
            let (node, obliged) = parts(of: thread)
            guard obliged != 0 else { return true }
            return !threads.contains { other in
                let (otherNode, otherObliged) = parts(of: other)
                guard other != thread, otherNode == node else { return false }
                return obligations[otherObliged].allSatisfy { obligations[obliged].contains($0) }
            }
        }
    }
}
