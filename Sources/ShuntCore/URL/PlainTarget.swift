/// The parts of a target that begins with a slash and of which nothing has to be decoded or removed, as of most.
///
/// `RequestTarget.parse` gives the same parts, and says that nothing has to be escaped.
package struct PlainTarget: Sendable, Hashable {
    /// The path, as it was sent and as rules see it.
    package let path: ByteRange
    /// What follows the first `?`; empty when there is none.
    package let arguments: ByteRange

    /// The parts of `source`, which is a part of `arena`; nil for any other target, be it good or bad.
    package static func read(_ source: ByteRange, in arena: ByteArena) -> PlainTarget? {
        arena.withPaddedBytes(source) { bytes -> PlainTarget? in
            let count = bytes.count &- ByteArena.padding
            guard count > 0, bytes[0] == UInt8(ascii: "/") else { return nil }
            let end = SixteenBytes.firstMark(in: bytes, before: count) { SixteenBytes.oddPathMarks($0, next: $1) }
            let pathEnd = source.start &+ Int32(truncatingIfNeeded: end)
            let path = ByteRange(start: source.start, end: pathEnd)
            if end == count { return PlainTarget(path: path, arguments: .empty) }
            guard bytes[end] == UInt8(ascii: "?"), isPlainQuery(bytes, from: end, to: count) else { return nil }
            return PlainTarget(path: path, arguments: ByteRange(start: pathEnd &+ 1, end: source.end))
        }
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
