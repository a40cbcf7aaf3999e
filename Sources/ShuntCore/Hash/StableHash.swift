/// A fast 64-bit hash of bytes that is the same in every process and on every machine.
///
/// It multiplies 64-bit words to 128 bits and folds the halves together, sixteen bytes a step; the tail is read with
/// words that overlap what was read before, so no byte is looked at alone once there are four. It is for tables
/// whose keys come from rule files and for telling contents apart. It resists no attacker who chooses many keys.
package enum StableHash {
    /// The hash of `bytes`; another `seed` gives an unrelated hash.
    ///
    /// Soundness of the unchecked loads: each reads 4 or 8 bytes at an offset that the branch around it has shown to be
    /// at least that many bytes before the end of the span.
    @inlinable
    package static func hash(_ bytes: Span<UInt8>, seed: UInt64 = 0) -> UInt64 {
        let raw = unsafe bytes.bytes
        let count = raw.byteCount
        var state = seed ^ 0x9e37_79b9_7f4a_7c15
        let first: UInt64
        let second: UInt64
        if count >= 16 {
            var offset = 0
            while count &- offset > 16 {
                state = unsafe fold(word(raw, offset) ^ 0xd1b5_4a32_d192_ed03, word(raw, offset &+ 8) ^ state)
                offset = offset &+ 16
            }
            first = unsafe word(raw, count &- 16)
            second = unsafe word(raw, count &- 8)
        } else if count >= 8 {
            first = unsafe word(raw, 0)
            second = unsafe word(raw, count &- 8)
        } else if count >= 4 {
            first = unsafe halfWord(raw, 0)
            second = unsafe halfWord(raw, count &- 4)
        } else if count > 0 {
            first = UInt64(bytes[0]) &<< 16 | UInt64(bytes[count &>> 1]) &<< 8 | UInt64(bytes[count &- 1])
            second = 0
        } else {
            first = 0
            second = 0
        }
        let mixed = fold(first ^ 0xaef1_7502_108e_f2d9, second ^ state)
        return fold(mixed ^ 0xe703_7ed1_a0b4_28db, UInt64(truncatingIfNeeded: count) ^ 0x8ebc_6af0_9c88_c6e3)
    }

    /// The high half of the 128-bit product, mixed with the low half.
    @inlinable
    package static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    @inlinable
    @unsafe
    package static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
        unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    @inlinable
    @unsafe
    package static func halfWord(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
        unsafe UInt64(UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self)))
    }
}
