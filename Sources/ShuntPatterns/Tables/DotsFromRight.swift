/// Finds the dots of a host from its end, eight bytes at a time.
struct DotsFromRight {
    /// The place where the bytes that were not read yet end.
    private var end: Int
    /// The high bit of each byte of the current chunk that is a dot not yet given.
    private var pending: UInt64 = 0
    private var labels: UInt64 = 0

    init(end: Int) { self.end = end }

    /// The offset of the next dot to the left.
    @inline(__always) mutating func next(in host: Span<UInt8>) -> Int? {
        while pending == 0 {
            if end == 0 { return nil }
            // The byte next to `end` is lowest, so the lowest set bit is the rightmost dot.
            let different = host.reversedWord(before: end) ^ 0x2E2E_2E2E_2E2E_2E2E
            let sevenBits = (different & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F
            pending = ~(sevenBits | different) & 0x8080_8080_8080_8080
            chunkEnd = end
            end = max(0, end &- 8)
        }
        let offset = chunkEnd &- 1 &- pending.trailingZeroBitCount / 8
        pending &= pending &- 1
        labels &+= 1
        return offset
    }

    private var chunkEnd: Int = 0

    /// One bit for the number of labels to the right of the dot that `next` returned last (63 stands for more, too).
    var labelBit: UInt64 {
        @inline(__always) get { 1 &<< min(63, labels) }
    }
}
