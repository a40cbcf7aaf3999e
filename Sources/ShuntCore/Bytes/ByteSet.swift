/// A set of byte values: 256 bits, tested without a branch on the value or a table in memory.
package struct ByteSet: Sendable, Hashable {
    @usableFromInline var word0: UInt64
    @usableFromInline var word1: UInt64
    @usableFromInline var word2: UInt64
    @usableFromInline var word3: UInt64

    /// Makes the empty set.
    @inlinable
    package init() {
        word0 = 0
        word1 = 0
        word2 = 0
        word3 = 0
    }

    /// Makes the set of the ASCII characters of `text`.
    package init(ascii text: StaticString) {
        self.init()
        for byte in text.description.utf8 { insert(byte) }
    }

    /// Makes the set of the bytes of `range`.
    package init(_ range: ClosedRange<UInt8>) {
        self.init()
        for byte in range { insert(byte) }
    }

    /// Whether `byte` is in the set.
    @inlinable
    package func contains(_ byte: UInt8) -> Bool {
        let lower = byte & 0x40 == 0 ? word0 : word1
        let upper = byte & 0x40 == 0 ? word2 : word3
        let word = byte & 0x80 == 0 ? lower : upper
        return (word &>> UInt64(byte & 63)) & 1 == 1
    }

    /// Adds `byte`.
    @inlinable
    package mutating func insert(_ byte: UInt8) {
        let bit = UInt64(1) &<< UInt64(byte & 63)
        switch byte &>> 6 {
        case 0: word0 |= bit
        case 1: word1 |= bit
        case 2: word2 |= bit
        default: word3 |= bit
        }
    }

    /// The bytes that are in either set.
    package func union(_ other: ByteSet) -> ByteSet {
        var result = self
        result.word0 |= other.word0
        result.word1 |= other.word1
        result.word2 |= other.word2
        result.word3 |= other.word3
        return result
    }

    /// The bytes that are not in the set.
    package var inverted: ByteSet {
        var result = self
        result.word0 = ~word0
        result.word1 = ~word1
        result.word2 = ~word2
        result.word3 = ~word3
        return result
    }

    /// The ASCII letters and digits.
    package static let alphanumerics = ByteSet(0x30...0x39).union(ByteSet(0x41...0x5a)).union(ByteSet(0x61...0x7a))
}
