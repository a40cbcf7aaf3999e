/// The parts of a target that begins with a slash and of which nothing has to be decoded or removed, as of most.
///
/// `RequestTarget.parse` gives the same parts, and says that nothing has to be escaped.
package struct PlainTarget: Sendable, Hashable {
    /// The path, as it was sent and as rules see it.
    package let path: ByteRange
    /// What follows the first `?`; empty when there is none.
    package let arguments: ByteRange

    /// Reads `source`, which is a part of `arena`; nil for any other target, be it good or bad.
    @inline(__always)
    package init?(_ source: ByteRange, in arena: ByteArena) {
        guard let ends = arena.withPaddedBytes(source, { Self.ends(of: $0) }) else { return nil }
        path = ByteRange(start: source.start, end: source.start &+ ends.path)
        // Without a question mark there is none to go past.
        arguments = ends.path < ends.query ? ByteRange(start: path.end &+ 1, end: source.end) : .empty
    }

    /// Where the path and the query of the bytes before the padding end, counted from their start.
    private static func ends(of bytes: Span<UInt8>) -> (path: Int32, query: Int32)? {
        let count = bytes.count &- ByteArena.padding
        guard count > 0, bytes[0] == UInt8(ascii: "/") else { return nil }
        let length = Int32(truncatingIfNeeded: count)
        var index = 0
        // What is found behind the end is of the padding.
        while index < count {
            // Sound: `index` is before the end, and the padding is longer than two blocks.
            let block = unsafe SixteenBytes.loadPadded(bytes, at: index)
            let next = unsafe SixteenBytes.loadPadded(bytes, at: index &+ 1)
            let skipped = SixteenBytes.countBeforeFirst(SixteenBytes.oddPathMarks(block, next: next))
            index &+= skipped
            if skipped < 16 { break }
        }
        guard index < count else { return (length, length) }
        return bytes[index] == UInt8(ascii: "?") && isPlainQuery(bytes, from: index, to: count)
            ? (Int32(truncatingIfNeeded: index), length) : nil
    }

    private static func isPlainQuery(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        var index = start
        while index < end {
            let skipped = SixteenBytes.countBeforeFirst(SixteenBytes.queryMarks(bytes, at: index))
            index &+= skipped
            if skipped == 16 { continue }
            guard index >= end || bytes[index] == UInt8(ascii: "?") else { return false }
            index &+= 1
        }
        return true
    }
}
