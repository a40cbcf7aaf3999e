/// Tests on eight bytes at once, held in one integer with the first byte lowest.
///
/// Each test sets the top bit of the bytes that pass. It never misses one; a byte *above* one that passes may be marked
/// wrongly, so only "none" and the lowest mark can be relied on, or the marks are taken as "look closer".
enum EightBytes {
    @inline(__always) static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// The eight bytes from `offset` on; they must be within `bytes`.
    ///
    /// Sound: the precondition keeps the eight bytes that are read inside the span.
    @inline(__always) static func load(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset <= bytes.count &- 8, "fewer than eight bytes are left")
        return unsafe UInt64(
            littleEndian: bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
        )
    }

    /// Returns true if two runs of bytes are the same.
    @inline(__always) static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        guard left.count >= 8 else {
            for index in left.indices where left[index] != right[index] { return false }
            return true
        }
        let last = left.count &- 8
        var index = 0
        while index < last {
            if load(left, at: index) != load(right, at: index) { return false }
            index &+= 8
        }
        // The last block may overlap the one before it.
        return load(left, at: last) == load(right, at: last)
    }

    /// Marks the bytes that are 0.
    @inline(__always) static func zero(_ word: UInt64) -> UInt64 { (word &- each(0x01)) & ~word & each(0x80) }

    /// Marks the bytes that equal `byte`.
    @inline(__always) static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 { zero(word ^ each(byte)) }

    /// Marks the bytes that are below `limit`, which is at most 0x80.
    @inline(__always)
    static func below(_ word: UInt64, _ limit: UInt8) -> UInt64 { (word &- each(limit)) & ~word & each(0x80) }

    /// Marks the bytes that no part of a URL may hold: up to 0x20, and 0x7f; and also `?`, which differs from 0x7f in one
    /// bit and is looked for in the same places.
    @inline(__always)
    static func forbiddenOrQuestionMark(_ word: UInt64) -> UInt64 { below(word, 0x21) | equal(word | each(0x40), 0x7f) }
    /// Returns the number of bytes before the first mark; 8 without one.
    @inline(__always) static func countBeforeFirst(_ marks: UInt64) -> Int { marks.trailingZeroBitCount &>> 3 }

    /// Marks those of the eight bytes from `offset` on that end a query, or that it must not hold, and `?`.
    @inline(__always) static func queryMarks(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
        let word = load(bytes, at: offset)
        return forbiddenOrQuestionMark(word) | equal(word, UInt8(ascii: "#"))
    }
}
