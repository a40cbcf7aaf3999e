/// A set of what may come next: letters of an alphabet, and the end of the subject.
struct LetterSet: Hashable {
    private var word0: UInt64 = 0
    private var word1: UInt64 = 0
    private var word2: UInt64 = 0
    private var word3: UInt64 = 0
    /// True if the end of the subject is in the set.
    var hasEnd = false

    /// The empty set.
    init() {}

    /// The end of the subject alone.
    static let end: LetterSet = {
        var set = LetterSet()
        set.hasEnd = true
        return set
    }()

    /// Everything that may come next, with or without the end.
    static let all = LetterSet().inverted

    mutating func insert(_ letter: Int) {
        let bit: UInt64 = 1 << UInt64(letter & 63)
        switch letter >> 6 {
        case 0: word0 |= bit
        case 1: word1 |= bit
        case 2: word2 |= bit
        default: word3 |= bit
        }
    }

    /// The letters outside the set; above the last letter that is every letter.
    var inverted: LetterSet {
        var result = LetterSet()
        result.word0 = ~word0
        result.word1 = ~word1
        result.word2 = ~word2
        result.word3 = ~word3
        result.hasEnd = !hasEnd
        return result
    }

    mutating func formIntersection(_ other: LetterSet) {
        word0 &= other.word0
        word1 &= other.word1
        word2 &= other.word2
        word3 &= other.word3
        hasEnd = hasEnd && other.hasEnd
    }

    mutating func formUnion(_ other: LetterSet) {
        word0 |= other.word0
        word1 |= other.word1
        word2 |= other.word2
        word3 |= other.word3
        hasEnd = hasEnd || other.hasEnd
    }

    var isEmpty: Bool { word0 | word1 | word2 | word3 == 0 && !hasEnd }

    /// Calls `body` with each letter below `count`, ascending.
    @inline(__always)
    func forEachLetter(below count: Int, _ body: (Int) -> Void) {
        Self.forEachBit(word0 & Self.mask(count), base: 0, body)
        guard count > 64 else { return }
        Self.forEachBit(word1 & Self.mask(count - 64), base: 64, body)
        guard count > 128 else { return }
        Self.forEachBit(word2 & Self.mask(count - 128), base: 128, body)
        guard count > 192 else { return }
        Self.forEachBit(word3 & Self.mask(count - 192), base: 192, body)
    }

    private static func mask(_ count: Int) -> UInt64 { count >= 64 ? ~0 : (1 << UInt64(max(0, count))) - 1 }

    @inline(__always)
    static func forEachBit(_ word: UInt64, base: Int, _ body: (Int) -> Void) {
        var rest = word
        while rest != 0 {
            body(base &+ rest.trailingZeroBitCount)
            rest &= rest &- 1
        }
    }
}
