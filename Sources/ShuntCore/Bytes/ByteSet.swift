/// A set of byte values: 256 bits, tested without a branch on the value or a table in memory.
package struct ByteSet: Sendable, Hashable {
    /// The bits of the bytes 0-63, 64-127, 128-191 and 192-255, lowest first.
    @usableFromInline package var word0: UInt64
    @usableFromInline package var word1: UInt64
    @usableFromInline package var word2: UInt64
    @usableFromInline package var word3: UInt64

    @inlinable package init() {
        word0 = 0
        word1 = 0
        word2 = 0
        word3 = 0
    }

    package init(ascii text: StaticString) { self.init(text.description.utf8) }

    package init(_ range: ClosedRange<UInt8>) {
        self.init()
        insert(range)
    }

    @inlinable package init(_ bytes: some Sequence<UInt8>) {
        self.init()
        for byte in bytes { insert(byte) }
    }

    package static let all = ByteSet(0...255)

    /// The ASCII letters and digits.
    package static let alphanumerics = ByteSet(0x30...0x39).union(ByteSet(0x41...0x5a)).union(ByteSet(0x61...0x7a))

    // MARK: Members

    @inlinable @inline(__always) package func contains(_ byte: UInt8) -> Bool {
        let lower = byte & 0x40 == 0 ? word0 : word1
        let upper = byte & 0x40 == 0 ? word2 : word3
        let word = byte & 0x80 == 0 ? lower : upper
        return (word &>> UInt64(byte & 63)) & 1 == 1
    }

    @inlinable package var count: Int {
        word0.nonzeroBitCount + word1.nonzeroBitCount + word2.nonzeroBitCount + word3.nonzeroBitCount
    }

    /// The bytes of the set, ascending.
    package var members: [UInt8] {
        var members: [UInt8] = []
        members.reserveCapacity(count)
        forEachMember { members.append($0) }
        return members
    }

    /// Calls `body` with each byte of the set below `count`, ascending.
    @inlinable @inline(__always) package func forEachMember(below count: Int = 256, _ body: (UInt8) -> Void) {
        Self.forEachBit(word0 & Self.mask(count), base: 0, body)
        guard count > 64 else { return }
        Self.forEachBit(word1 & Self.mask(count - 64), base: 64, body)
        guard count > 128 else { return }
        Self.forEachBit(word2 & Self.mask(count - 128), base: 128, body)
        guard count > 192 else { return }
        Self.forEachBit(word3 & Self.mask(count - 192), base: 192, body)
    }

    @inlinable static func mask(_ count: Int) -> UInt64 { count >= 64 ? ~0 : (1 << UInt64(max(0, count))) - 1 }

    @inlinable @inline(__always) static func forEachBit(_ word: UInt64, base: UInt8, _ body: (UInt8) -> Void) {
        var rest = word
        while rest != 0 {
            body(base &+ UInt8(truncatingIfNeeded: rest.trailingZeroBitCount))
            rest &= rest &- 1
        }
    }

    // MARK: Changes

    @inlinable package mutating func insert(_ byte: UInt8) {
        let bit = UInt64(1) &<< UInt64(byte & 63)
        switch byte &>> 6 {
        case 0: word0 |= bit
        case 1: word1 |= bit
        case 2: word2 |= bit
        default: word3 |= bit
        }
    }

    @inlinable package mutating func insert(_ range: ClosedRange<UInt8>) { for byte in range { insert(byte) } }

    @inlinable package mutating func formUnion(_ other: ByteSet) {
        word0 |= other.word0
        word1 |= other.word1
        word2 |= other.word2
        word3 |= other.word3
    }

    @inlinable package mutating func formIntersection(_ other: ByteSet) {
        word0 &= other.word0
        word1 &= other.word1
        word2 &= other.word2
        word3 &= other.word3
    }

    // MARK: Sets from sets

    package func union(_ other: ByteSet) -> ByteSet {
        var result = self
        result.formUnion(other)
        return result
    }

    package var inverted: ByteSet {
        var result = self
        result.word0 = ~word0
        result.word1 = ~word1
        result.word2 = ~word2
        result.word3 = ~word3
        return result
    }

    @inlinable package func isDisjoint(with other: ByteSet) -> Bool {
        word0 & other.word0 == 0 && word1 & other.word1 == 0 && word2 & other.word2 == 0 && word3 & other.word3 == 0
    }

    /// The set with both cases of each ASCII letter of which it has one.
    package var closedUnderCase: ByteSet {
        var result = self
        // Letters lie in the second word: capitals are bits 1-26, small letters 33-58.
        let letters: UInt64 = 0x07FF_FFFE
        let both = (word1 | word1 >> 32) & letters
        result.word1 |= both | both << 32
        return result
    }

    /// The set with each ASCII capital replaced by its small letter.
    package var folded: ByteSet {
        var result = self
        let capitals = word1 & 0x07FF_FFFE
        result.word1 = (word1 & ~capitals) | capitals << 32
        return result
    }
}
