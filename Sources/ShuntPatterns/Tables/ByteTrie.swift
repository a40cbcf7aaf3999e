import ShuntCore

/// An immutable trie over byte strings that takes eight bytes a step, walked from their start or from their end.
///
/// Each key has a value. A walk finds the longest key that the subject begins (or ends) with, and whether that key itself
/// begins with another, so that a second walk is only made where it finds something. All edges lie in one hash table. An
/// edge is a node and eight bytes, which lead to another node, or fewer, with which a key ends. So the cost is a few
/// look-ups, however many keys there are and wherever they part.
struct ByteTrie: ~Copyable, Sendable {
    struct Node: BitwiseCopyable, Sendable {
        /// The value of the key that ends here, or -1.
        var value: Int32 = -1
        /// Bit `n`, 1 through 7: some key ends `n` bytes on.
        ///
        /// Bit 8: some key continues for eight bytes or more. Bit 9: the key that ends here begins with another.
        ///
        /// Bits 16 through 31: the kinds of the last bytes of the keys that end so; see `endKind`.
        var lengths: UInt32 = 0

        static let goesOn: UInt32 = 1 << 8
        static let extendsKey: UInt32 = 1 << 9
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

    /// The longest key that a subject begins with.
    struct Match {
        /// The value of the key; -1 if there is no such key.
        var value: Int32
        /// The number of bytes of the key.
        var length: Int
        /// True if the key begins with a shorter one.
        var extendsKey: Bool
    }

    private let slots: FrozenBuffer<Slot>
    private let root: Node
    /// The marks of what the keys begin with: most subjects that end with none of many suffixes end with other bytes.
    private let beginnings: ByteSet

    /// Builds a trie of different keys; key `n` is `bytes[starts[n]..<starts[n + 1]]`, folded and reversed by the caller
    /// as the walk will read the subject, and has `values[n]`, which is not negative.
    init(bytes: [UInt8], starts: [Int], values: some Collection<Int32>) {
        let builder = ByteTrieBuilder(bytes: bytes, starts: starts, values: values)
        root = builder.root
        beginnings = builder.beginnings
        slots = FrozenBuffer(builder.freeze())
    }

    var isEmpty: Bool { root.value < 0 && root.lengths == 0 }

    /// Returns true if some key may begin with two bytes, or be only the first of them.
    @inline(__always)
    func mayBegin(with first: UInt8, _ second: UInt8) -> Bool { beginnings.contains(Self.beginning(first, second)) }

    /// The mark of two bytes, the same whatever the case; others may have it, too.
    @inline(__always)
    static func beginning(_ first: UInt8, _ second: UInt8) -> UInt8 { (first | 0x20) &* 29 &+ (second | 0x20) }

    /// The next shorter key after `match`, which begins with one; the other arguments are those of the match.
    ///
    /// Few keys begin with another, so this is not made part of each walk.
    @inline(never)
    func shorter(than match: Match, _ subject: Span<UInt8>, end: Int, folding: Bool, fromEnd: Bool) -> Match {
        longest(subject, end: end, limit: match.length - 1, folding: folding, fromEnd: fromEnd)
    }

    /// The longest key of at most `limit` bytes that `subject` begins with.
    ///
    /// The subject ends at `end` for this walk. Where `folding`, its capitals count as small letters and the keys are
    /// folded. Where `fromEnd`, keys and subject are read from their last byte to their first.
    @inline(__always)
    func longest(_ subject: Span<UInt8>, end: Int, limit: Int, folding: Bool, fromEnd: Bool) -> Match {
        let mask = slots.count &- 1
        var found = Node()
        var foundLength = 0
        var node = root
        var number: UInt32 = 0
        var position = 0
        while true {
            if node.value >= 0 {
                found = node
                foundLength = position
            }
            let available = limit &- position
            if node.lengths == 0 || available == 0 { break }
            var word = fromEnd ? subject.reversedWord(before: end &- position) : subject.word(at: position, end: end)
            if folding, word.mayHaveCapitals { word = word.folded }
            // Key ends that are within reach, the longest first.
            var ends = node.lengths & 0xFE
            if available < 8 { ends &= (2 << UInt32(truncatingIfNeeded: available)) &- 1 }
            while ends != 0 {
                let length = 31 &- ends.leadingZeroBitCount
                ends &= ~(1 << UInt32(truncatingIfNeeded: length))
                if node.lengths & Self.endKind(word, length) == 0 { continue }
                let slot = find(number, word: word & UInt64.lowBytes(length), length: length, mask: mask)
                if slot >= 0 {
                    found = slots[slot].node
                    foundLength = position &+ length
                    break
                }
            }
            if node.lengths & Node.goesOn == 0 || available < 8 { break }
            let slot = find(number, word: word, length: 8, mask: mask)
            if slot < 0 { break }
            let next = slots[slot]
            number = next.target
            node = next.node
            position &+= 8
        }
        return Match(value: found.value, length: foundLength, extendsKey: found.lengths & Node.extendsKey != 0)
    }

    /// The bit of a key's last byte, when it ends with the lowest `length` bytes of `word`.
    ///
    /// Most literals of a rule set end with one of a few bytes, such as a slash, and a look-up that only this bit prevents
    /// would have waited for memory.
    @inline(__always) static func endKind(_ word: UInt64, _ length: Int) -> UInt32 {
        let byte = word &>> UInt64(truncatingIfNeeded: 8 &* (length &- 1)) & 0xFF
        return 1 &<< (16 | UInt32(truncatingIfNeeded: (byte ^ byte &>> 4) & 15))
    }

    /// The slot of an edge, or -1.
    @inline(__always) private func find(_ node: UInt32, word: UInt64, length: Int, mask: Int) -> Int {
        let edge = node << 4 | UInt32(truncatingIfNeeded: length)
        var position = Int(truncatingIfNeeded: Self.hash(edge, word)) & mask
        while true {
            let slot = slots[position]
            if slot.word == word, slot.edge == edge { return position }
            if slot.edge == Slot.unused { return -1 }
            position = (position &+ 1) & mask
        }
    }

    @inline(__always) static func hash(_ edge: UInt32, _ word: UInt64) -> UInt64 {
        let mixed = (word ^ UInt64(edge) &* 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return mixed.high ^ mixed.low
    }
}
