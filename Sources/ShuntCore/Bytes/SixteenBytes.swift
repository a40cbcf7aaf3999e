/// Tests on sixteen bytes at once: each byte of a result is 0xFF where the byte passes, else 0.
enum SixteenBytes {
    typealias Marks = SIMD16<UInt8>

    /// The sixteen bytes from `offset` on; they must be within `bytes`.
    ///
    /// Sound: the precondition keeps the sixteen bytes that are read inside the span.
    @inline(__always) static func load(_ bytes: Span<UInt8>, at offset: Int) -> SIMD16<UInt8> {
        precondition(offset >= 0 && offset <= bytes.count &- 16, "fewer than sixteen bytes are left")
        return unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<UInt8>.self)
    }

    /// Marks the bytes that equal `byte`.
    @inline(__always) static func equal(_ block: SIMD16<UInt8>, _ byte: UInt8) -> Marks {
        marks(block .== SIMD16<UInt8>(repeating: byte))
    }

    /// Marks the bytes that are no more than `bound`.
    ///
    /// Both sides have a separate type: where the compiler has to infer one it may compare byte after byte.
    @inline(__always) static func atMost(_ bound: UInt8, _ block: SIMD16<UInt8>) -> Marks {
        let bounds = SIMD16<UInt8>(repeating: bound)
        return marks(block .<= bounds)
    }

    /// Marks the bytes that no part of a URL may hold: up to 0x20, and 0x7f; and also `?`, which differs from 0x7f in one
    /// bit and is looked for in the same places.
    @inline(__always) static func forbiddenOrQuestionMark(_ block: SIMD16<UInt8>) -> Marks {
        atMost(0x20, block) | equal(block | SIMD16(repeating: 0x40), 0x7f)
    }

    /// Marks the bytes that are ASCII letters, digits or one of `-./_`.
    @inline(__always) static func plain(_ block: SIMD16<UInt8>) -> Marks {
        let letters = atMost(25, (block | SIMD16(repeating: 0x20)) &- SIMD16(repeating: 0x61))
        // The dash, the dot, the slash and the digits follow each other.
        let digits = atMost(0x39 - 0x2d, block &- SIMD16(repeating: 0x2d))
        return letters | digits | equal(block, UInt8(ascii: "_"))
    }

    /// Marks those of the sixteen bytes from `offset` on that end a query, or that it must not hold, and `?`.
    @inline(__always)
    static func queryMarks(_ bytes: Span<UInt8>, at offset: Int) -> Marks { queryMarks(load(bytes, at: offset)) }

    /// Marks the bytes that end a query, or that it must not hold, and `?`.
    @inline(__always) static func queryMarks(_ block: SIMD16<UInt8>) -> Marks {
        forbiddenOrQuestionMark(block) | equal(block, UInt8(ascii: "#"))
    }

    /// Marks those of the sixteen bytes from `offset` on that are ASCII capitals.
    @inline(__always) static func capitals(_ bytes: Span<UInt8>, at offset: Int) -> Marks {
        atMost(25, load(bytes, at: offset) &- SIMD16(repeating: 0x41))
    }

    /// Marks those of the sixteen bytes from `offset` on that a path or query has in one spelling of several.
    ///
    /// These are what is to be encoded, `%`, brackets, and a slash or a dot that follows a slash; also `~`, which has
    /// to be read. A byte must be before `offset`.
    @inline(__always) static func spellingMarks(_ bytes: Span<UInt8>, at offset: Int) -> Marks {
        let block = load(bytes, at: offset)
        let before = load(bytes, at: offset &- 1)
        // From `[` to `^` and from `{` to `~`; `<` and `>`.
        let brackets = atMost(3, (block | SIMD16(repeating: 0x20)) &- SIMD16(repeating: 0x7b))
        let others =
            equal(block | SIMD16(repeating: 2), UInt8(ascii: ">")) | equal(block, UInt8(ascii: "\""))
            | equal(block, UInt8(ascii: "%")) | equal(block, UInt8(ascii: "`"))
        let slashes =
            equal(before, UInt8(ascii: "/")) & (equal(block, UInt8(ascii: "/")) | equal(block, UInt8(ascii: ".")))
        return atMost(0x20, block) | ~atMost(0x7e, block) | brackets | others | slashes
    }

    /// Marks those of the sixteen bytes from `offset` on that mean something in the path of a target, a slash only where a slash or a
    /// dot follows it; there must be one more byte after them.
    @inline(__always) static func pathMarks(_ bytes: Span<UInt8>, at offset: Int) -> Marks {
        let block = load(bytes, at: offset)
        let next = load(bytes, at: offset &+ 1)
        // `#` and `+` differ in one bit, and so do `.` and `/`.
        var marks = forbiddenOrQuestionMark(block)
        marks |= equal(block & SIMD16(repeating: ~0x08), UInt8(ascii: "#"))
        marks |= equal(block, UInt8(ascii: "%"))
        let slashes = equal(block, UInt8(ascii: "/"))
        return marks | slashes & equal(next | SIMD16(repeating: 0x01), UInt8(ascii: "/"))
    }

    /// The same as `load`, for a place of which it is known that sixteen bytes follow.
    ///
    /// Sound: the callers read places before the end of a range after which `ByteArena.padding` bytes can be read.
    @unsafe @inline(__always) static func loadPadded(_ bytes: Span<UInt8>, at offset: Int) -> SIMD16<UInt8> {
        unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<UInt8>.self)
    }

    /// Marks the bytes that a path may not have unchanged, or that may mean something, and some that do not: those up
    /// to `+`, `?`, 0x7f, and a slash where a slash or a dot follows it.
    @inline(__always) static func oddPathMarks(_ block: SIMD16<UInt8>, next: SIMD16<UInt8>) -> Marks {
        let marks = atMost(UInt8(ascii: "+"), block) | equal(block | SIMD16(repeating: 0x40), 0x7f)
        let slashes = equal(block, UInt8(ascii: "/"))
        return marks | slashes & equal(next | SIMD16(repeating: 0x01), UInt8(ascii: "/"))
    }

    /// Marks the bytes that are neither a small letter, a digit, a dash nor a dot, and a dot where a dot follows it.
    @inline(__always) static func oddHostMarks(_ block: SIMD16<UInt8>, next: SIMD16<UInt8>) -> Marks {
        let letters = atMost(25, block &- SIMD16(repeating: 0x61))
        // The dash, the dot, the slash and the digits follow each other.
        let digits = atMost(0x39 - 0x2d, block &- SIMD16(repeating: 0x2d))
        let dots = equal(block, UInt8(ascii: "."))
        return ~(letters | digits) | equal(block, UInt8(ascii: "/")) | dots & equal(next, UInt8(ascii: "."))
    }

    /// The first place from `start` on and before `count` whose byte is marked; `count` where there is none.
    ///
    /// `marks` gets sixteen bytes and the sixteen that begin one place further on. After `count` there must be
    /// `ByteArena.padding` bytes, of which what is found does not count.
    @inline(__always) static func firstMark(
        in bytes: Span<UInt8>,
        from start: Int = 0,
        before count: Int,
        _ marks: (SIMD16<UInt8>, SIMD16<UInt8>) -> Marks
    ) -> Int {
        var index = start
        while index < count {
            // Sound: `index` is before the end, and the padding is longer than two blocks.
            let found = unsafe marks(loadPadded(bytes, at: index), loadPadded(bytes, at: index &+ 1))
            if hasMark(found) { return min(count, index &+ countBeforeFirst(found)) }
            index &+= 16
        }
        return count
    }

    @inline(__always) private static func hasMark(_ marks: Marks) -> Bool {
        let words = unsafe unsafeBitCast(marks, to: SIMD2<UInt64>.self)
        return words[0] | words[1] != 0
    }

    /// The same for the sixteen bytes from `offset` on, which one more byte must follow.
    @inline(__always) static func oddHostMarks(_ bytes: Span<UInt8>, at offset: Int) -> Marks {
        oddHostMarks(load(bytes, at: offset), next: load(bytes, at: offset &+ 1))
    }

    /// Returns the number of bytes before the first mark at or after `first`; 16 without one.
    @inline(__always) static func countBeforeFirst(_ marks: Marks, from first: Int = 0) -> Int {
        let words = unsafe unsafeBitCast(marks, to: SIMD2<UInt64>.self)
        var low = UInt64(littleEndian: words[0])
        var high = UInt64(littleEndian: words[1])
        // A shift by 64 or more leaves nothing.
        low &= ~0 << UInt64(truncatingIfNeeded: 8 &* first)
        if low != 0 { return low.trailingZeroBitCount &>> 3 }
        high &= first <= 8 ? ~0 : ~0 << UInt64(truncatingIfNeeded: 8 &* (first &- 8))
        return 8 &+ high.trailingZeroBitCount &>> 3
    }

    @inline(__always) private static func marks(_ mask: SIMDMask<SIMD16<Int8>>) -> Marks {
        SIMD16(repeating: 0).replacing(with: SIMD16(repeating: 0xFF), where: mask)
    }
}
