/// Builds the nodes of a `ByteTrie` from keys that are all known.
struct ByteTrieBuilder {
    private(set) var nodes: [ByteTrie.Node] = []
    private(set) var leadingBytes: [UInt8] = []
    private(set) var labelRests: [UInt8] = []
    private(set) var shorterKeys: [Int32]

    /// A stretch of the sorted keys that share their first `depth` bytes and hang below one node.
    private struct Work {
        var node: Int
        var keys: Range<Int>
        var depth: Int
        var shorter: Int32
    }

    /// Builds a trie of `count` different keys; key `n` is `bytes[starts[n]..<starts[n + 1]]`, folded and reversed by
    /// the caller as the walk will read the subject.
    init(bytes: [UInt8], starts: [Int]) {
        let count = max(0, starts.count - 1)
        shorterKeys = [Int32](repeating: -1, count: count)
        let order = Self.sorted(bytes: bytes, starts: starts)
        nodes.append(Self.emptyNode)
        leadingBytes.append(0)
        guard count > 0 else { return }
        var queue = [Work(node: 0, keys: 0..<count, depth: 0, shorter: -1)]
        var next = 0
        while next < queue.count {
            let work = queue[next]
            next += 1
            build(work, order: order, bytes: bytes, starts: starts, queue: &queue)
            if next > 4096, next * 2 > queue.count {
                queue.removeFirst(next)
                next = 0
            }
        }
    }

    private static let emptyNode = ByteTrie.Node(
        label: 0,
        labelLength: 0,
        restOffset: 0,
        firstChild: 0,
        childCount: 0,
        key: -1
    )

    private mutating func build(
        _ work: Work,
        order: [Int],
        bytes: [UInt8],
        starts: [Int],
        queue: inout [Work]
    ) {
        let first = order[work.keys.lowerBound]
        let last = order[work.keys.upperBound - 1]
        let firstKey = starts[first]..<starts[first + 1]
        let lastKey = starts[last]..<starts[last + 1]
        // Sorted keys share what their first and last share.
        var end = work.depth
        while end < firstKey.count, end < lastKey.count,
            bytes[firstKey.lowerBound + end] == bytes[lastKey.lowerBound + end]
        { end += 1 }
        var node = Self.emptyNode
        node.labelLength = UInt32(end - work.depth)
        let labelStart = firstKey.lowerBound + work.depth
        for offset in 0..<min(8, end - work.depth) {
            node.label |= UInt64(bytes[labelStart + offset]) << UInt64(8 * offset)
        }
        if end - work.depth > 8 {
            node.restOffset = UInt32(labelRests.count)
            labelRests += bytes[(labelStart + 8)..<(firstKey.lowerBound + end)]
        }
        var keys = work.keys
        var shorter = work.shorter
        if firstKey.count == end {
            node.key = Int32(first)
            shorterKeys[first] = shorter
            shorter = Int32(first)
            keys = (keys.lowerBound + 1)..<keys.upperBound
        }
        node.firstChild = UInt32(nodes.count)
        var start = keys.lowerBound
        while start < keys.upperBound {
            let byte = bytes[starts[order[start]] + end]
            var stop = start + 1
            while stop < keys.upperBound, bytes[starts[order[stop]] + end] == byte { stop += 1 }
            queue.append(Work(node: nodes.count, keys: start..<stop, depth: end + 1, shorter: shorter))
            nodes.append(Self.emptyNode)
            leadingBytes.append(byte)
            node.childCount += 1
            start = stop
        }
        nodes[work.node] = node
    }

    /// The numbers of the keys in byte order.
    private static func sorted(bytes: [UInt8], starts: [Int]) -> [Int] {
        struct Item {
            var head: UInt64
            var key: Int
        }
        let count = max(0, starts.count - 1)
        var items = (0..<count)
            .map { key in
                var head: UInt64 = 0
                for offset in 0..<8 {
                    let index = starts[key] + offset
                    head = head << 8 | (index < starts[key + 1] ? UInt64(bytes[index]) : 0)
                }
                return Item(head: head, key: key)
            }
        items.sort { left, right in
            if left.head != right.head { return left.head < right.head }
            var leftIndex = min(starts[left.key] + 8, starts[left.key + 1])
            var rightIndex = min(starts[right.key] + 8, starts[right.key + 1])
            while leftIndex < starts[left.key + 1], rightIndex < starts[right.key + 1] {
                if bytes[leftIndex] != bytes[rightIndex] { return bytes[leftIndex] < bytes[rightIndex] }
                leftIndex += 1
                rightIndex += 1
            }
            // Equal so far: a key that ended comes before one that goes on (zero bytes may have padded its head).
            return starts[left.key + 1] - starts[left.key] < starts[right.key + 1] - starts[right.key]
        }
        return items.map(\.key)
    }
}
