/// Percent-encoding as nginx does it, on ranges of an arena.
///
/// Results are appended to the arena. No set has a letter, a digit or one of `-./_` in it, which `firstIndex` relies on.
package enum PercentCoding {
    /// The bytes that nginx escapes in arguments: captures in a query or a redirect.
    package static let argumentBytes = uriBytes.union(ByteSet(ascii: "&+;"))

    /// The bytes that nginx escapes in a path.
    package static let uriBytes = ByteSet(0x00...0x20).union(ByteSet(0x7f...0xff))
        .union(ByteSet(ascii: "\"#%<>?\\^`{|}"))

    /// The bytes that never go into a header unchanged.
    package static let controlBytes = ByteSet(0x00...0x1f).union(ByteSet(0x7f...0x7f))

    package static func contains(_ set: ByteSet, in range: ByteRange, of arena: ByteArena) -> Bool {
        firstIndex(of: set, in: range, of: arena) < range.count
    }

    /// Returns true if `range` is a slash and then letters, digits and `-./_`, which no set has; false also where it cannot be
    /// seen at once.
    package static func isPlainPath(_ range: ByteRange, in arena: ByteArena) -> Bool {
        let isPlain = arena.withPaddedBytes(range) { bytes -> Bool? in
            let count = bytes.count &- ByteArena.padding
            guard count > 0, bytes[0] == UInt8(ascii: "/") else { return false }
            return SixteenBytes.firstMark(in: bytes, before: count) { block, _ in ~SixteenBytes.plain(block) } == count
        }
        return isPlain ?? false
    }

    /// Appends `range` with each byte of `set` written as `%XX`, in upper case.
    package static func appendEscaping(_ set: ByteSet, in range: ByteRange, to arena: ByteArena) {
        var rest = range
        while !rest.isEmpty {
            let run = firstIndex(of: set, in: rest, of: arena)
            let end = rest.start &+ Int32(truncatingIfNeeded: run)
            arena.append(copyOf: ByteRange(start: rest.start, end: end))
            guard end < rest.end else { return }
            let byte = arena[end]
            arena.append(UInt8(ascii: "%"))
            arena.append((byte &>> 4).upperHexadecimalDigit)
            arena.append(byte.upperHexadecimalDigit)
            rest.start = end &+ 1
        }
    }

    /// Returns the number of bytes of `range` before the first byte of `set`.
    private static func firstIndex(of set: ByteSet, in range: ByteRange, of arena: ByteArena) -> Int {
        let plain = arena.withPaddedBytes(range) { bytes -> Int? in
            let count = bytes.count &- ByteArena.padding
            var index = 0
            while index < count {
                // Sound: `index` is before the end, and the padding is longer than a block.
                let block = unsafe SixteenBytes.loadPadded(bytes, at: index)
                let skipped = SixteenBytes.countBeforeFirst(~SixteenBytes.plain(block))
                index &+= skipped
                if skipped == 16 { continue }
                // What is found after the end is of the padding.
                if index >= count { break }
                if set.contains(bytes[index]) { return index }
                index &+= 1
            }
            return count
        }
        return plain
            ?? arena.withBytes(range) { bytes in
                for index in bytes.indices where set.contains(bytes[index]) { return index }
                return bytes.count
            }
    }

    package static func appendEscapedArguments(_ range: ByteRange, to arena: ByteArena) {
        appendEscaping(argumentBytes, in: range, to: arena)
    }

    package static func appendEscapedURI(_ range: ByteRange, to arena: ByteArena) {
        appendEscaping(uriBytes, in: range, to: arena)
    }

    /// `range`, with control bytes written as `%XX` so that it can be in a header: the range itself when there are
    /// none, otherwise a copy at the end of the arena.
    package static func escapingControls(_ range: ByteRange, in arena: ByteArena) -> ByteRange {
        guard contains(controlBytes, in: range, of: arena) else { return range }
        let mark = arena.mark
        appendEscaping(controlBytes, in: range, to: arena)
        return arena.range(from: mark)
    }

    /// `range` with the escapes resolved that nginx resolves in the URL of a redirect.
    ///
    /// Up to the first `?`, raw or escaped: `%XX` of a visible byte above `%` becomes that byte, other escapes stay, a
    /// `%` before something else disappears (with one digit after it, if there is one), and so does an escape that the
    /// end cuts short. The result is the range itself when it has no `%` before a `?`, otherwise a copy at the end.
    package static func unescapingRedirect(_ range: ByteRange, in arena: ByteArena) -> ByteRange {
        var offset = range.start
        while offset < range.end, arena[offset] != UInt8(ascii: "%") {
            if arena[offset] == UInt8(ascii: "?") { return range }
            offset &+= 1
        }
        guard offset < range.end else { return range }
        let mark = arena.mark
        arena.append(copyOf: ByteRange(start: range.start, end: offset))
        while offset < range.end {
            let byte = arena[offset]
            guard byte == UInt8(ascii: "%") else {
                if byte == UInt8(ascii: "?") { break }
                arena.append(byte)
                offset &+= 1
                continue
            }
            guard range.end &- offset > 1 else { return arena.range(from: mark) }
            guard let high = arena[offset &+ 1].hexadecimalValue else {
                arena.append(arena[offset &+ 1])
                offset &+= 2
                continue
            }
            guard range.end &- offset > 2 else { return arena.range(from: mark) }
            if let low = arena[offset &+ 2].hexadecimalValue {
                let value = high &<< 4 | low
                if value == UInt8(ascii: "?") {
                    arena.append(value)
                    offset &+= 3
                    break
                }
                if value > UInt8(ascii: "%"), value < 0x7f {
                    arena.append(value)
                } else {
                    arena.append(copyOf: ByteRange(start: offset, end: offset &+ 3))
                }
            }
            offset &+= 3
        }
        arena.append(copyOf: ByteRange(start: offset, end: range.end))
        return arena.range(from: mark)
    }
}
