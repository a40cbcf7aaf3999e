import ShuntCore

struct ByteTrieBuilder {
    private struct Edge {
        var word: UInt64
        var edge: UInt32
        /// The node at its end for eight bytes; for fewer, nothing.
        var target: UInt32
        /// The node at its end for fewer than eight bytes.
        var leaf: ByteTrie.Node
    }

    private var nodes = [ByteTrie.Node()]
    private var edges: [Edge] = []
    /// Numbers of edges plus one, by hash; 0 is empty.
    private var table = [UInt32](repeating: 0, count: 16)

    /// The marks of what the keys begin with.
    private(set) var beginnings = ByteSet()

    /// The node all keys begin at.
    var root: ByteTrie.Node { nodes[0] }

    /// Adds `bytes[starts[n]..<starts[n + 1]]` with `values[n]` for each `n`.
    init(bytes: [UInt8], starts: [Int], values: some Collection<Int32>) {
        for ((start, end), value) in zip(zip(starts, starts.dropFirst()), values) {
            add(bytes.span.extracting(start..<end), value)
            markBeginning(bytes.span.extracting(start..<end))
        }
        for (start, end) in zip(starts, starts.dropFirst()) { markExtension(bytes.span.extracting(start..<end)) }
    }

    private mutating func add(_ bytes: Span<UInt8>, _ value: Int32) {
        var node = 0
        var position = 0
        while bytes.count - position >= 8 {
            nodes[node].lengths |= ByteTrie.Node.goesOn
            node = child(of: node, bytes.word(at: position))
            position += 8
        }
        let rest = bytes.count - position
        if rest == 0 {
            nodes[node].value = value
            return
        }
        let word = bytes.word(at: position, end: bytes.count)
        nodes[node].lengths |= 1 << UInt32(rest) | ByteTrie.endKind(word, rest)
        insert(Edge(word: word, edge: Self.edge(node, rest), target: 0, leaf: ByteTrie.Node(value: value)))
    }

    private mutating func markBeginning(_ bytes: Span<UInt8>) {
        if bytes.isEmpty {
            beginnings = .all
        } else if bytes.count == 1 {
            for second in UInt8.min...UInt8.max { beginnings.insert(ByteTrie.beginning(bytes[0], second)) }
        } else {
            beginnings.insert(ByteTrie.beginning(bytes[0], bytes[1]))
        }
    }

    /// Notes of a key that was added whether it begins with another.
    private mutating func markExtension(_ bytes: Span<UInt8>) {
        var node = 0
        var position = 0
        var extends = false
        while bytes.count > position {
            let rest = bytes.count - position
            let word = bytes.word(at: position, end: bytes.count)
            extends = extends || nodes[node].value >= 0 || hasKey(at: node, word, shorterThan: rest)
            guard let number = find(Self.edge(node, min(8, rest)), word) else { return }
            if rest < 8 {
                if extends { edges[number].leaf.lengths |= ByteTrie.Node.extendsKey }
                return
            }
            node = Int(edges[number].target)
            position += 8
        }
        if extends { nodes[node].lengths |= ByteTrie.Node.extendsKey }
    }

    /// Returns true if a key ends with some of the first bytes of `word`, fewer than `limit` and fewer than eight.
    private func hasKey(at node: Int, _ word: UInt64, shorterThan limit: Int) -> Bool {
        (1..<8)
            .contains { length in
                length < limit && nodes[node].lengths & 1 << UInt32(length) != 0
                    && find(Self.edge(node, length), word & UInt64.lowBytes(length)) != nil
            }
    }

    private static func edge(_ node: Int, _ length: Int) -> UInt32 { UInt32(node) << 4 | UInt32(length) }

    private func find(_ edge: UInt32, _ word: UInt64) -> Int? {
        var slot = Int(truncatingIfNeeded: ByteTrie.hash(edge, word)) & (table.count - 1)
        while table[slot] != 0 {
            let number = Int(table[slot]) - 1
            if edges[number].edge == edge, edges[number].word == word { return number }
            slot = (slot + 1) & (table.count - 1)
        }
        return nil
    }

    /// The node that `word` leads to from `node`, made if need be.
    private mutating func child(of node: Int, _ word: UInt64) -> Int {
        let edge = Self.edge(node, 8)
        if let number = find(edge, word) { return Int(edges[number].target) }
        nodes.append(ByteTrie.Node())
        insert(Edge(word: word, edge: edge, target: UInt32(nodes.count - 1), leaf: ByteTrie.Node()))
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

    func freeze() -> [ByteTrie.Slot] {
        let unused = ByteTrie.Slot(word: 0, edge: ByteTrie.Slot.unused, target: 0, node: ByteTrie.Node())
        if edges.isEmpty { return [unused] }
        return table.map { number in
            guard number != 0 else { return unused }
            let edge = edges[Int(number) - 1]
            let node = edge.edge & 15 == 8 ? nodes[Int(edge.target)] : edge.leaf
            return ByteTrie.Slot(word: edge.word, edge: edge.edge, target: edge.target, node: node)
        }
    }
}
