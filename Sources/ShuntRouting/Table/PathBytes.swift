import ShuntCore

/// The bytes of a URL while a lookup reads them, and the hash of components.
///
/// Why the unsafe code is sound: `base` comes from a span that outlives the lookup and has `count` bytes. Words are
/// loaded only where all eight of their bytes are inside, and single bytes only below an `end` that is at most `count`;
/// debug builds check both.
@safe struct PathBytes {
    private let base: UnsafePointer<UInt8>
    let count: Int

    @inline(__always) init(_ base: UnsafePointer<UInt8>, count: Int) {
        unsafe self.base = base
        self.count = count
    }

    /// Views all bytes of `span`, which must outlive the value.
    @inline(__always) init(_ span: Span<UInt8>) {
        unsafe base = span.withUnsafeBufferPointer { unsafe $0.baseAddress ?? Self.nowhere }
        count = span.count
    }

    /// An address for a span of no bytes; nothing is ever read from it.
    private static var nowhere: UnsafePointer<UInt8> {
        let nothing: StaticString = ""
        return unsafe nothing.utf8Start
    }

    @inline(__always) subscript(_ index: Int) -> UInt8 {
        assert(index >= 0 && index < count, "byte outside the URL")
        return unsafe base[index]
    }

    /// The eight bytes at `index`, the first of them lowest.
    @inline(__always) private func word(at index: Int) -> UInt64 {
        assert(index >= 0 && index <= count - 8, "word outside the URL")
        return unsafe UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
    }

    /// Up to eight bytes of `index..<end`, zeros after the last; `index` is less than `end`.
    @inline(__always) func word(at index: Int, end: Int) -> UInt64 {
        let available = end &- index
        if available >= 8 { return word(at: index) }
        if end >= 8 { return word(at: end &- 8) >> UInt64(truncatingIfNeeded: 64 &- 8 &* available) }
        return shortWord(at: index, end: end)
    }

    private func shortWord(at index: Int, end: Int) -> UInt64 {
        var word: UInt64 = 0
        var position = end
        while position > index {
            position &-= 1
            word = word << 8 | UInt64(self[position])
        }
        return word
    }

    /// A view of `range` that must not outlive the lookup.
    @inline(__always) func withSpan<Result>(_ range: ByteRange, _ body: (Span<UInt8>) -> Result) -> Result {
        assert(range.start >= 0 && Int(range.end) <= count, "range outside the URL")
        let bytes = unsafe UnsafeBufferPointer(start: base + Int(range.start), count: range.count)
        return unsafe body(bytes.span)
    }

    /// The result of one pass over a component.
    struct Component {
        /// The place where it ends: at the next `/` or the end of the path.
        var end: Int = 0
        /// Its bytes with zeros after the last if there are at most eight, else its hash.
        var key: UInt64 = 0
        var hash: UInt64 = 0
    }

    /// Reads the component at `start`, which is less than `end`.
    @inline(__always) func component(at start: Int, end: Int) -> Component {
        let available = end &- start
        // What follows the path in the URL does no harm: the mark below leaves it out.
        var word = start <= count &- 8 ? self.word(at: start) : self.word(at: start, end: end)
        var marks = Self.zeroBytes(word ^ 0x2F2F_2F2F_2F2F_2F2F)
        // The end of the path ends the component like a slash.
        if available < 8 { marks |= 0x80 &<< UInt64(truncatingIfNeeded: available &<< 3) }
        guard marks != 0 else { return longComponent(word, at: start, end: end) }
        // The bits below the lowest mark, but for the byte that it marks.
        word &= ((marks &- 1) ^ marks) &>> 8
        return Component(end: start &+ marks.trailingZeroBitCount &>> 3, key: word, hash: Self.mix(0, word))
    }

    /// Returns true if there is a `%` in a component that begins at `start`.
    @inline(__always) func hasEscapes(_ component: Component, from start: Int) -> Bool {
        guard component.end &- start <= 8 else { return hasEscapes(start, component.end) }
        return Self.zeroBytes(component.key ^ 0x2525_2525_2525_2525) != 0
    }

    @inline(never) private func hasEscapes(_ start: Int, _ end: Int) -> Bool {
        var index = start
        while index < end {
            if Self.zeroBytes(word(at: index, end: end) ^ 0x2525_2525_2525_2525) != 0 { return true }
            index &+= 8
        }
        return false
    }

    /// Continues after the first eight bytes of a component, which are `first`.
    @inline(__always) private func longComponent(_ first: UInt64, at start: Int, end: Int) -> Component {
        var hash = Self.mix(0, first)
        var index = start &+ 8
        while index < end {
            let available = end &- index
            var word = word(at: index, end: end)
            var marks = Self.zeroBytes(word ^ 0x2F2F_2F2F_2F2F_2F2F)
            if available < 8 { marks |= 0x80 &<< UInt64(truncatingIfNeeded: available &<< 3) }
            if marks != 0 { word &= ((marks &- 1) ^ marks) &>> 8 }
            // A slash right after the last word adds nothing to the hash.
            if marks & 0x80 == 0 { hash = Self.mix(hash, word) }
            if marks != 0 {
                index &+= marks.trailingZeroBitCount &>> 3
                break
            }
            index &+= 8
        }
        // Of exactly eight bytes nothing was mixed in, and they are the key.
        return Component(end: index, key: index &- start > 8 ? hash : first, hash: hash)
    }

    /// Reads `start..<end` as one component, whatever bytes are in it.
    func whole(_ start: Int, _ end: Int) -> Component {
        var result = Component(end: end, key: 0, hash: PathBytes.mix(0, 0))
        var index = start
        while index < end {
            let word = word(at: index, end: end)
            result.hash = Self.mix(index == start ? 0 : result.hash, word)
            if index == start { result.key = word }
            index &+= 8
        }
        if end &- start > 8 { result.key = result.hash }
        return result
    }

    /// The place where the path that begins at `start` ends: at the first `?` or `#`, or at `end`.
    @inline(__always) func endOfPath(from start: Int, to end: Int) -> Int {
        var index = start
        while index < end {
            let word = word(at: index, end: end)
            let marks = Self.zeroBytes(word ^ 0x3F3F_3F3F_3F3F_3F3F) | Self.zeroBytes(word ^ 0x2323_2323_2323_2323)
            if marks != 0 { return index &+ marks.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        return end
    }

    /// The high bit of each byte that is zero, and perhaps of bytes above the lowest of them.
    @inline(__always) private static func zeroBytes(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    @inline(__always) static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }

    /// Returns true if the bytes from `start` on equal those of a label of more than eight bytes.
    @inline(__always) func matches(_ label: UnsafePointer<UInt8>, at start: Int, length: Int) -> Bool {
        var offset = 0
        while offset < length {
            // The last word overlaps the one before it, so that nothing past the end is read.
            let at = min(offset, length &- 8)
            let expected = unsafe UnsafeRawPointer(label + at).loadUnaligned(as: UInt64.self)
            if word(at: start &+ at) != UInt64(littleEndian: expected) { return false }
            offset &+= 8
        }
        return true
    }

    /// The length of the escape `%XX` at `index` and the byte it stands for, or 1 and the byte itself.
    @inline(__always) func unit(at index: Int, end: Int) -> (byte: UInt8, length: Int) {
        let byte = self[index]
        guard byte == UInt8(ascii: "%"), end &- index > 2, let high = self[index &+ 1].hexadecimalValue,
            let low = self[index &+ 2].hexadecimalValue
        else { return (byte, 1) }
        return (high << 4 | low, 3)
    }
}

extension PathBytes.Component {
    /// The key and hash of a label with these bytes, as a lookup computes them.
    static func ofLabel(_ bytes: [UInt8]) -> (key: UInt64, hash: UInt64) {
        var key: UInt64 = 0
        var hash: UInt64 = 0
        var index = 0
        repeat {
            var word: UInt64 = 0
            for (shift, byte) in bytes[index...].prefix(8).enumerated() { word |= UInt64(byte) << UInt64(shift * 8) }
            if index == 0 { key = word }
            hash = PathBytes.mix(hash, word)
            index += 8
        } while index < bytes.count
        return (bytes.count > 8 ? hash : key, hash)
    }
}
