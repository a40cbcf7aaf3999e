/// Looks through the lines of a message sixteen bytes at a time.
package enum LineScan {
    /// The place where the first line feed from `start` on is; the number of bytes where there is none.
    package static func end(in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index <= bytes.count &- 16 {
            let skipped = SixteenBytes.countBeforeFirst(SixteenBytes.equal(SixteenBytes.load(bytes, at: index), 0x0a))
            if skipped < 16 { return index &+ skipped }
            index &+= 16
        }
        while index < bytes.count, bytes[index] != 0x0a { index &+= 1 }
        return index
    }

    /// The place where the letters, digits and dashes end that begin at `start`; `end` where there is nothing else
    /// before it.
    package static func plainNameEnd(in bytes: Span<UInt8>, from start: Int, before end: Int) -> Int {
        var index = start
        while index < end, index <= bytes.count &- 16 {
            let block = SixteenBytes.load(bytes, at: index)
            let letters = SixteenBytes.atMost(25, (block | SIMD16(repeating: 0x20)) &- SIMD16(repeating: 0x61))
            let digits = SixteenBytes.atMost(9, block &- SIMD16(repeating: 0x30))
            let plain = letters | digits | SixteenBytes.equal(block, UInt8(ascii: "-"))
            let skipped = SixteenBytes.countBeforeFirst(~plain)
            if skipped < 16 { return min(end, index &+ skipped) }
            index &+= 16
        }
        while index < end, bytes[index].isASCIILetter || bytes[index].isASCIIDigit || bytes[index] == UInt8(ascii: "-")
        {
            index &+= 1
        }
        return min(index, end)
    }

    /// Returns true if all bytes of a range are ASCII, and none is a control byte but a tab.
    package static func isPlainText(_ range: Range<Int>, of bytes: Span<UInt8>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound, index <= bytes.count &- 16 {
            let block = SixteenBytes.load(bytes, at: index)
            let odd = SixteenBytes.atMost(0x1f, block) & ~SixteenBytes.equal(block, 0x09)
            let skipped = SixteenBytes.countBeforeFirst(odd | ~SixteenBytes.atMost(0x7e, block))
            if skipped < 16 { return index &+ skipped >= range.upperBound }
            index &+= 16
        }
        while index < range.upperBound {
            let byte = bytes[index]
            if byte < 0x20 && byte != 0x09 || byte >= 0x7f { return false }
            index &+= 1
        }
        return true
    }
}
