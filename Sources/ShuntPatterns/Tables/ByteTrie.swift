/// An immutable trie over byte strings that takes eight bytes a step, walked from their start or from their end.
///
/// Keys are numbered by the caller. A walk finds the longest key that the subject begins (or ends) with; the shorter
/// ones follow from it, because they are the prefixes of that key. All edges lie in one hash table. An edge is a node
/// and eight bytes, which lead to another node, or fewer, with which a key ends. So the cost is a few look-ups, however
/// many keys there are and wherever they part.
struct ByteTrie: ~Copyable, Sendable {
    /// What is at a node.
    struct Node: BitwiseCopyable, Sendable {
        /// The key that ends here, or -1.
        var key: Int32 = -1
        /// Bit `n`, 1 through 7: some key ends `n` bytes on.
        ///
        /// Bit 8: some key goes on for eight bytes or more.
        ///
        /// Bits 16 through 31: the kinds of the last bytes of the keys that end so; see `endKind`.
        var lengths: UInt32 = 0
    }

    struct Slot: BitwiseCopyable, Sendable {
        var word: UInt64
        /// The node the edge begins at, and its length in the lowest four bits; `unused` in an empty slot.
        var edge: UInt32
        /// The node that eight bytes lead to.
        var target: UInt32
        var node: Node

        static let unused = UInt32.max
    }

    private let slots: FrozenBuffer<Slot>
    private let root: Node
    private let mask: Int
    /// For each key the longest shorter key that it begins with, or -1.
    private let shorterKeys: FrozenBuffer<Int32>
    /// A bit for each key that begins with a shorter one: few do, and the bits of all are in few cache lines.
    private let extendsKey: FrozenBuffer<UInt64>

    /// Builds a trie of different keys; key `n` is `bytes[starts[n]..<starts[n + 1]]`, folded and reversed by the caller
    /// as the walk will read the subject.
    init(bytes: [UInt8], starts: [Int]) {
        let builder = ByteTrieBuilder(bytes: bytes, starts: starts)
        let slots = builder.freeze()
        root = builder.root
        mask = slots.count - 1
        let frozen = FrozenBuffer(slots)
        var shorter: [Int32] = []
        shorter.reserveCapacity(starts.count)
        for (start, end) in zip(starts, starts.dropFirst()) {
            guard end > start else {
                shorter.append(-1)
                continue
            }
            let proper = bytes.span.extracting(start..<(end - 1))
            shorter.append(Self.longest(proper, end: proper.count, root, frozen, folding: false, fromEnd: false))
        }
        self.slots = frozen
        extendsKey = FrozenBuffer(repeating: 0, count: shorter.count / 64 + 1) { bits in
            for (key, shorter) in shorter.enumerated() where shorter >= 0 { bits[key / 64] |= 1 << UInt64(key % 64) }
        }
        shorterKeys = FrozenBuffer(shorter)
    }

    /// The memory this takes, in bytes.
    var byteCount: Int { slots.byteCount + shorterKeys.byteCount + extendsKey.byteCount }

    /// The longest key that is a prefix of `key` and shorter, or -1.
    @inline(__always)
    func shorter(than key: Int32) -> Int32 {
        let bits = extendsKey[Int(key) &>> 6]
        return bits &>> UInt64(truncatingIfNeeded: key) & 1 == 0 ? -1 : shorterKeys[Int(key)]
    }

    /// The longest key that `subject` begins with, or -1.
    ///
    /// The subject ends at `end` for this walk. Where `folding`, its capitals count as small letters and the keys are
    /// folded. Where `fromEnd`, keys and subject are read from their last byte to their first.
    @inline(__always)
    func longest(_ subject: Span<UInt8>, end: Int, folding: Bool, fromEnd: Bool) -> Int32 {
        Self.longest(subject, end: end, root, slots, folding: folding, fromEnd: fromEnd)
    }

    @inline(__always)
    private static func longest(
        _ subject: Span<UInt8>,
        end: Int,
        _ root: Node,
        _ slots: borrowing FrozenBuffer<Slot>,
        folding: Bool,
        fromEnd: Bool
    ) -> Int32 {
        let mask = slots.count &- 1
        var found: Int32 = -1
        var node = root
        var number: UInt32 = 0
        var position = 0
        while true {
            if node.key >= 0 { found = node.key }
            let available = end &- position
            if node.lengths == 0 || available == 0 { return found }
            var word = fromEnd ? subject.reversedWord(before: end &- position) : subject.word(at: position, end: end)
            if folding { word = word.folded }
            // Key ends that are within reach, the longest first.
            var ends = node.lengths & 0xFE
            if available < 8 { ends &= (2 << UInt32(truncatingIfNeeded: available)) &- 1 }
            while ends != 0 {
                let length = 31 &- ends.leadingZeroBitCount
                ends &= ~(1 << UInt32(truncatingIfNeeded: length))
                if node.lengths & endKind(word, length) == 0 { continue }
                let slot = find(number, word & UInt64.lowBytes(length), length, slots, mask)
                if slot >= 0 {
                    found = slots[slot].node.key
                    break
                }
            }
            if node.lengths & 0x100 == 0 || available < 8 { return found }
            let slot = find(number, word, 8, slots, mask)
            if slot < 0 { return found }
            let next = slots[slot]
            number = next.target
            node = next.node
            position &+= 8
        }
    }

    /// The bit of a key's last byte, when it ends with the lowest `length` bytes of `word`.
    ///
    /// Most literals of a rule set end with one of a few bytes, such as a slash, and a look-up that only this bit prevents
    /// would have waited for memory.
    @inline(__always)
    static func endKind(_ word: UInt64, _ length: Int) -> UInt32 {
        let byte = word &>> UInt64(truncatingIfNeeded: 8 &* (length &- 1)) & 0xFF
        return 1 &<< (16 | UInt32(truncatingIfNeeded: (byte ^ byte &>> 4) & 15))
    }

    /// The slot of an edge, or -1.
    @inline(__always)
    private static func find(
        _ node: UInt32,
        _ word: UInt64,
        _ length: Int,
        _ slots: borrowing FrozenBuffer<Slot>,
        _ mask: Int
    ) -> Int {
        let edge = node << 4 | UInt32(truncatingIfNeeded: length)
        var position = Int(truncatingIfNeeded: hash(edge, word)) & mask
        while true {
            let slot = slots[position]
            if slot.word == word, slot.edge == edge { return position }
            if slot.edge == Slot.unused { return -1 }
            position = (position &+ 1) & mask
        }
    }

    @inline(__always)
    static func hash(_ edge: UInt32, _ word: UInt64) -> UInt64 {
        let mixed = (word ^ UInt64(edge) &* 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return mixed.high ^ mixed.low
    }
}
