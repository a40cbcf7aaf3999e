/// An immutable compressed trie over byte strings, walked from their start or from their end.
///
/// Keys are numbered by the caller. A walk finds the longest key that the subject begins (or ends) with; the shorter
/// ones follow from it, because they are the prefixes of that key. Nodes lie level by level in one block, the children
/// of a node side by side; the bytes that lead to them are compared eight at a time, and so are labels.
final class ByteTrie: Sendable {
    struct Node: BitwiseCopyable, Sendable {
        /// The first eight bytes of the label, zeros after its end.
        var label: UInt64
        var labelLength: UInt32
        /// Where the label's bytes from the ninth on are.
        var restOffset: UInt32
        var firstChild: UInt32
        var childCount: UInt32
        /// The key that ends here, or -1.
        var key: Int32
    }

    private let nodes: FrozenBuffer<Node>
    /// For each node the byte that leads to it from its parent; eight bytes of padding at the end.
    private let leadingBytes: FrozenBuffer<UInt8>
    private let labelRests: FrozenBuffer<UInt8>
    /// For each key the longest shorter key that it begins with, or -1.
    private let shorterKeys: FrozenBuffer<Int32>

    init(_ builder: ByteTrieBuilder) {
        nodes = FrozenBuffer(builder.nodes)
        leadingBytes = FrozenBuffer(builder.leadingBytes + [UInt8](repeating: 0, count: 8))
        labelRests = FrozenBuffer(builder.labelRests + [UInt8](repeating: 0, count: 8))
        shorterKeys = FrozenBuffer(builder.shorterKeys)
    }

    /// The memory this takes, in bytes.
    var byteCount: Int { nodes.byteCount + leadingBytes.byteCount + labelRests.byteCount + shorterKeys.byteCount }

    /// The longest key that is a prefix of `key` and shorter, or -1.
    @inline(__always)
    func shorter(than key: Int32) -> Int32 { shorterKeys[Int(key)] }

    /// The longest key that `subject` begins with, or -1.
    ///
    /// The subject ends at `end` for this walk. Where `folding`, its capitals count as small letters and the keys are
    /// folded. Where `fromEnd`, keys and subject are read from their last byte to their first.
    @inline(__always)
    func longest(_ subject: Span<UInt8>, end: Int, folding: Bool, fromEnd: Bool) -> Int32 {
        var found: Int32 = -1
        var index = 0
        var position = 0
        while true {
            let node = nodes[index]
            let length = Int(node.labelLength)
            if length != 0 {
                guard length <= end &- position,
                    matches(node, subject, at: position, end: end, folding: folding, fromEnd: fromEnd)
                else { return found }
                position &+= length
            }
            if node.key >= 0 { found = node.key }
            guard node.childCount != 0, position < end else { return found }
            var byte = fromEnd ? subject[end &- 1 &- position] : subject[position]
            if folding { byte = byte.folded }
            let child = self.child(of: node, byte)
            if child < 0 { return found }
            index = child
            position &+= 1
        }
    }

    @inline(__always)
    private func matches(
        _ node: Node,
        _ subject: Span<UInt8>,
        at position: Int,
        end: Int,
        folding: Bool,
        fromEnd: Bool
    ) -> Bool {
        let length = Int(node.labelLength)
        let word = Self.word(subject, at: position, end: end, folding: folding, fromEnd: fromEnd)
        if (word ^ node.label) & UInt64.lowBytes(min(8, length)) != 0 { return false }
        if length <= 8 { return true }
        var offset = 8
        while offset < length {
            let word = Self.word(subject, at: position &+ offset, end: end, folding: folding, fromEnd: fromEnd)
            let wanted = labelRests.word(at: Int(node.restOffset) &+ offset &- 8)
            if (word ^ wanted) & UInt64.lowBytes(min(8, length &- offset)) != 0 { return false }
            offset &+= 8
        }
        return true
    }

    @inline(__always)
    private static func word(
        _ subject: Span<UInt8>,
        at position: Int,
        end: Int,
        folding: Bool,
        fromEnd: Bool
    ) -> UInt64 {
        let word = fromEnd ? subject.reversedWord(before: end &- position) : subject.word(at: position, end: end)
        return folding ? word.folded : word
    }

    /// The child that `byte` leads to, or -1.
    @inline(__always)
    private func child(of node: Node, _ byte: UInt8) -> Int {
        let pattern = UInt64(byte) &* 0x0101_0101_0101_0101
        var index = Int(node.firstChild)
        var left = Int(node.childCount)
        while left > 0 {
            // The lowest set bit marks the lowest zero byte; what is above it may be wrong, what is below is not.
            let different = leadingBytes.word(at: index) ^ pattern
            let equal = (different &- 0x0101_0101_0101_0101) & ~different & 0x8080_8080_8080_8080
            if equal != 0 {
                let offset = equal.trailingZeroBitCount / 8
                return offset < left ? index &+ offset : -1
            }
            index &+= 8
            left &-= 8
        }
        return -1
    }
}
