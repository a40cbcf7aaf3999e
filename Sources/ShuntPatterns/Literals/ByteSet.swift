/// A set of byte values.
struct ByteSet: Hashable, Sendable {
    private(set) var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// Whether the set is exactly what the pattern says; otherwise it only contains all that the pattern allows.
    var isExact = true

    init() {}

    init(_ range: ClosedRange<UInt8>) {
        insert(range)
    }

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { insert(byte) }
    }

    static let all = ByteSet(0...255)

    /// Every byte, for a class whose members are not known.
    static var unknown: ByteSet {
        var set = all
        set.isExact = false
        return set
    }

    mutating func insert(_ byte: UInt8) {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    mutating func insert(_ range: ClosedRange<UInt8>) {
        for byte in range { insert(byte) }
    }

    mutating func formUnion(_ other: ByteSet) {
        words.0 |= other.words.0
        words.1 |= other.words.1
        words.2 |= other.words.2
        words.3 |= other.words.3
        isExact = isExact && other.isExact
    }

    /// The bytes of both sets.
    func union(_ other: ByteSet) -> ByteSet {
        var result = self
        result.formUnion(other)
        return result
    }

    /// All bytes that are not in this set; of a set that is not exact nothing is known but that.
    var complement: ByteSet {
        guard isExact else { return .unknown }
        var result = ByteSet()
        result.words = (~words.0, ~words.1, ~words.2, ~words.3)
        return result
    }

    func contains(_ byte: UInt8) -> Bool {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: return words.0 & bit != 0
        case 1: return words.1 & bit != 0
        case 2: return words.2 & bit != 0
        default: return words.3 & bit != 0
        }
    }

    var count: Int {
        words.0.nonzeroBitCount + words.1.nonzeroBitCount + words.2.nonzeroBitCount + words.3.nonzeroBitCount
    }

    /// The members, ascending.
    var members: [UInt8] {
        var members: [UInt8] = []
        members.reserveCapacity(count)
        for (word, base) in [(words.0, 0), (words.1, 64), (words.2, 128), (words.3, 192)] {
            var rest = word
            while rest != 0 {
                members.append(UInt8(base + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return members
    }

    func isDisjoint(with other: ByteSet) -> Bool {
        words.0 & other.words.0 == 0 && words.1 & other.words.1 == 0 && words.2 & other.words.2 == 0
            && words.3 & other.words.3 == 0
    }

    /// The set with both cases of each ASCII letter of which it has one.
    var closedUnderCase: ByteSet {
        var result = self
        // Letters lie in the second word: capitals are bits 1-26, small letters 33-58.
        let letters: UInt64 = 0x07FF_FFFE
        let both = (words.1 | words.1 >> 32) & letters
        result.words.1 |= both | both << 32
        return result
    }

    /// The set with each ASCII capital replaced by its small letter.
    var folded: ByteSet {
        var result = self
        let capitals = words.1 & 0x07FF_FFFE
        result.words.1 = (words.1 & ~capitals) | capitals << 32
        return result
    }

    static func == (left: ByteSet, right: ByteSet) -> Bool {
        left.words == right.words && left.isExact == right.isExact
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

extension ByteSet {
    /// `\d` without Unicode properties.
    static let digits = ByteSet(UInt8(ascii: "0")...UInt8(ascii: "9"))
    /// `\w` without Unicode properties.
    static let word = ByteSet(Array("0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8))
    /// `\s` without Unicode properties.
    static let space = ByteSet([9, 10, 11, 12, 13, 32])
    /// `\h` on bytes.
    static let horizontalSpace = ByteSet([9, 32, 0xA0])
    /// `\v` on bytes.
    static let verticalSpace = ByteSet([10, 11, 12, 13, 0x85])
    /// `.` without `(?s)`.
    static let notLineFeed = ByteSet([10]).complement
}
