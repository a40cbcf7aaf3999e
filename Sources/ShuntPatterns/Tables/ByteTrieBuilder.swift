/// Collects the edges of a `ByteTrie`.
struct ByteTrieBuilder {
    private struct Edge {
        var word: UInt64
        var edge: UInt32
        /// The node at its end for eight bytes; for fewer, nothing.
        var target: UInt32
        /// The key that ends with it for fewer than eight bytes.
        var key: Int32
    }

    private var nodes = [ByteTrie.Node()]
    private var edges: [Edge] = []
    /// Numbers of edges plus one, by hash; 0 is empty.
    private var table = [UInt32](repeating: 0, count: 16)

    /// The node all keys begin at.
    var root: ByteTrie.Node { nodes[0] }

    /// Adds key `n` for each `bytes[starts[n]..<starts[n + 1]]`.
    init(bytes: [UInt8], starts: [Int]) {
        for (key, (start, end)) in zip(starts, starts.dropFirst()).enumerated() {
            add(bytes.span.extracting(start..<end), key: Int32(key))
        }
    }

    private mutating func add(_ bytes: Span<UInt8>, key: Int32) {
        var node = 0
        var position = 0
        while bytes.count - position >= 8 {
            nodes[node].lengths |= 0x100
            node = child(of: UInt32(node), bytes.word(at: position))
            position += 8
        }
        let rest = bytes.count - position
        if rest == 0 {
            nodes[node].key = key
            return
        }
        let word = bytes.word(at: position, end: bytes.count)
        nodes[node].lengths |= 1 << UInt32(rest) | ByteTrie.endKind(word, rest)
        insert(Edge(word: word, edge: UInt32(node) << 4 | UInt32(rest), target: 0, key: key))
    }

    /// The node that `word` leads to from `node`, made if need be.
    private mutating func child(of node: UInt32, _ word: UInt64) -> Int {
        let edge = node << 4 | 8
        var slot = Int(truncatingIfNeeded: ByteTrie.hash(edge, word)) & (table.count - 1)
        while table[slot] != 0 {
            let existing = edges[Int(table[slot]) - 1]
            if existing.edge == edge, existing.word == word { return Int(existing.target) }
            slot = (slot + 1) & (table.count - 1)
        }
        nodes.append(ByteTrie.Node())
        insert(Edge(word: word, edge: edge, target: UInt32(nodes.count - 1), key: -1))
        return nodes.count - 1
    }

    private mutating func insert(_ edge: Edge) {
        edges.append(edge)
        if edges.count * 2 > table.count {
            table = [UInt32](repeating: 0, count: table.count * 2)
            for index in edges.indices { place(index) }
        } else {
            place(edges.count - 1)
        }
    }

    private mutating func place(_ index: Int) {
        let edge = edges[index]
        var slot = Int(truncatingIfNeeded: ByteTrie.hash(edge.edge, edge.word)) & (table.count - 1)
        while table[slot] != 0 { slot = (slot + 1) & (table.count - 1) }
        table[slot] = UInt32(index + 1)
    }

    /// The slots of the frozen trie.
    func freeze() -> [ByteTrie.Slot] {
        let unused = ByteTrie.Slot(word: 0, edge: ByteTrie.Slot.unused, target: 0, node: ByteTrie.Node())
        if edges.isEmpty { return [unused] }
        return table.map { number in
            guard number != 0 else { return unused }
            let edge = edges[Int(number) - 1]
            let node = edge.edge & 15 == 8 ? nodes[Int(edge.target)] : ByteTrie.Node(key: edge.key)
            return ByteTrie.Slot(word: edge.word, edge: edge.edge, target: edge.target, node: node)
        }
    }
}
