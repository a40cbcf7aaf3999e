/// nginx's one-pass decoding and normalising of a path, written to the end of an arena.
///
/// A byte acts the same whether it came raw or escaped, except that an escaped `%`, `#` or `?` is plain data. Each
/// byte is decoded once, so `%2525` becomes `%25`.
struct PathNormaliser {
    private enum Segment {
        case other
        case empty
        case dot
        case dotDot
    }

    /// True if runs of slashes become one.
    let mergeSlashes: Bool
    /// The place where the result begins in the arena.
    let mark: Int
    /// True if a `+` was seen, raw or escaped.
    private(set) var sawPlus = false
    private var segment = Segment.other

    init(mergeSlashes: Bool, mark: Int) {
        self.mergeSlashes = mergeSlashes
        self.mark = mark
    }

    /// Appends the normal form of `path` to `arena`; `start` is where the target begins, for the offsets of errors.
    mutating func run(over path: ByteRange, start: Int32, in arena: ByteArena) throws(RequestTargetError) {
        var offset = path.start
        while offset < path.end {
            let run = PathNormaliser.plainRun(ByteRange(start: offset, end: path.end), in: arena)
            if run > 0 {
                let end = offset &+ Int32(truncatingIfNeeded: run)
                arena.append(copyOf: ByteRange(start: offset, end: end))
                segment = .other
                offset = end
                continue
            }
            var byte = arena[offset]
            var isData = false
            if byte == UInt8(ascii: "%") {
                guard path.end &- offset > 2, let high = arena[offset &+ 1].hexadecimalValue,
                    let low = arena[offset &+ 2].hexadecimalValue
                else { throw .invalidEscape(offset: offset &- start) }
                byte = high &<< 4 | low
                if byte == 0 { throw .nulEscape(offset: offset &- start) }
                isData = byte == UInt8(ascii: "%") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "?")
                offset &+= 2
            }
            offset &+= 1
            if isData {
                arena.append(byte)
                segment = .other
            } else {
                try take(byte, into: arena)
            }
        }
        switch segment {
        case .dot: arena.truncate(to: arena.mark - 1)
        case .dotDot: try climb(in: arena)
        case .other, .empty: break
        }
        // A refused append leaves a shorter result, but nothing outside the arena is touched; it is dropped here.
        if arena.overflowed { throw .noRoom }
    }

    /// Returns the number of bytes at the start of `range` that are plain data.
    private static func plainRun(_ range: ByteRange, in arena: ByteArena) -> Int {
        arena.withBytes(range) { bytes in
            for index in bytes.indices {
                switch bytes[index] {
                case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "%"), UInt8(ascii: "+"): return index
                default: break
                }
            }
            return bytes.count
        }
    }

    private mutating func take(_ byte: UInt8, into arena: ByteArena) throws(RequestTargetError) {
        if byte == UInt8(ascii: "/") {
            switch segment {
            case .other: arena.append(byte)
            case .empty: if !mergeSlashes { arena.append(byte) }
            case .dot: arena.truncate(to: max(mark, arena.mark - 1))
            case .dotDot: try climb(in: arena)
            }
            segment = .empty
            return
        }
        if byte == UInt8(ascii: "+") { sawPlus = true }
        arena.append(byte)
        guard byte == UInt8(ascii: ".") else {
            segment = .other
            return
        }
        switch segment {
        case .empty: segment = .dot
        case .dot: segment = .dotDot
        case .dotDot, .other: segment = .other
        }
    }

    /// Takes back `..`, the slash before it and the segment before that.
    private func climb(in arena: ByteArena) throws(RequestTargetError) {
        if arena.overflowed { throw .noRoom }
        var offset = arena.mark - 4
        while offset >= mark {
            if arena[Int32(truncatingIfNeeded: offset)] == UInt8(ascii: "/") {
                arena.truncate(to: offset + 1)
                return
            }
            offset -= 1
        }
        throw .aboveRoot
    }
}
