/// Reading bytes eight at a time.
///
/// Why the unsafe code is sound: each load is of an integer, for which every bit pattern is valid, and
/// `unsafeLoadUnaligned` checks that its bytes are inside the span.
extension Span<UInt8> {
    /// The eight bytes at `index`, the first of them lowest.
    @inline(__always) func word(at index: Int) -> UInt64 {
        unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The four bytes at `index`, the first of them lowest.
    @inline(__always) func halfWord(at index: Int) -> UInt64 {
        unsafe UInt64(UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self)))
    }

    /// The two bytes at `index`, the first of them lowest.
    @inline(__always) func quarterWord(at index: Int) -> UInt64 {
        unsafe UInt64(UInt16(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt16.self)))
    }

    /// Up to eight bytes of `index..<end`, the first of them lowest, zeros after the last.
    @inline(__always) func word(at index: Int, end: Int) -> UInt64 {
        let available = end &- index
        if available >= 8 { return word(at: index) }
        // Load the eight bytes that end at `end` and drop those before `index`.
        if end >= 8 { return word(at: end &- 8) >> UInt64(truncatingIfNeeded: 64 &- 8 &* available) }
        return shortWord(at: index, end: end)
    }

    /// Up to eight bytes before `index`, the nearest of them lowest, zeros after the one at `start`.
    @inline(__always) func reversedWord(before index: Int, start: Int = 0) -> UInt64 {
        let available = index &- start
        if available >= 8 { return word(at: index &- 8).byteSwapped }
        if count &- start >= 8 {
            return (word(at: start) << UInt64(truncatingIfNeeded: 64 &- 8 &* available)).byteSwapped
        }
        return available == 0
            ? 0 : (shortWord(at: start, end: index) << UInt64(truncatingIfNeeded: 64 &- 8 &* available)).byteSwapped
    }

    /// The first place of `byte` in `start..<end`, or `end`.
    @inline(__always) func firstIndex(of byte: UInt8, from start: Int, to end: Int) -> Int {
        let pattern = UInt64(byte) &* 0x0101_0101_0101_0101
        var index = start
        while index &+ 8 <= end {
            let different = word(at: index) ^ pattern
            // The lowest set bit marks the lowest zero byte; what is above it may be wrong, what is below is not.
            let equal = (different &- 0x0101_0101_0101_0101) & ~different & 0x8080_8080_8080_8080
            if equal != 0 { return index &+ equal.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < end, self[index] != byte { index &+= 1 }
        return index
    }

    private func shortWord(at index: Int, end: Int) -> UInt64 {
        let available = end &- index
        // Two reads that may overlap.
        if available >= 4 {
            return halfWord(at: index) | halfWord(at: end &- 4) << UInt64(truncatingIfNeeded: 8 &* (available &- 4))
        }
        if available >= 2 {
            return quarterWord(at: index)
                | quarterWord(at: end &- 2) << UInt64(truncatingIfNeeded: 8 &* (available &- 2))
        }
        return available == 1 ? UInt64(self[index]) : 0
    }
}

extension UInt64 {
    /// The eight bytes with ASCII capitals made small.
    @inline(__always) var folded: UInt64 {
        let sevenBits = self & 0x7F7F_7F7F_7F7F_7F7F
        let fromA = sevenBits &+ 0x3F3F_3F3F_3F3F_3F3F
        let pastZ = sevenBits &+ 0x2525_2525_2525_2525
        let capitals = (fromA ^ pastZ) & ~self & 0x8080_8080_8080_8080
        return self | (capitals >> 2)
    }

    /// True if `folded` may be another word: some byte is a capital or one of those that differ from them in other bits
    /// only.
    @inline(__always) var mayHaveCapitals: Bool { self & ~(self &<< 1) & 0x4040_4040_4040_4040 != 0 }

    /// A mask for the lowest `count` bytes, 0 through 8.
    @inline(__always)
    static func lowBytes(_ count: Int) -> UInt64 { ~(UInt64.max << UInt64(truncatingIfNeeded: 8 &* count)) }
}

extension UInt8 {
    /// The byte with an ASCII capital made small.
    @inline(__always) var folded: UInt8 { self &- 65 < 26 ? self | 32 : self }
}

/// A fast hash of bytes for tables in memory; not for secrets.
struct ByteHash {
    var state: UInt64

    @inline(__always) init(seed: UInt64) { state = seed }

    @inline(__always) mutating func mix(_ word: UInt64) {
        let product = (state ^ word ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        state = product.high ^ product.low
    }

    /// The hash of `bytes[start..<end]`, folded where `folding`.
    @inline(__always)
    static func hash(_ bytes: Span<UInt8>, from start: Int, to end: Int, folding: Bool, seed: UInt64) -> UInt64 {
        var hash = ByteHash(seed: seed &+ UInt64(truncatingIfNeeded: end &- start))
        var index = start
        while index < end {
            let word = bytes.word(at: index, end: end)
            hash.mix(folding ? word.folded : word)
            index &+= 8
        }
        hash.mix(0xA076_1D64_78BD_642F)
        return hash.state
    }
}
