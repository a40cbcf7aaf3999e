/// The parts of a target that begins with a slash and of which nothing has to be decoded or removed, as of most.
///
/// `RequestTarget.parse` returns the same parts, with nothing to be escaped.
package struct PlainTarget: Sendable, Hashable {
    /// The path, as it was sent and as rules see it.
    package let path: ByteRange
    /// The bytes after the first `?`; empty without one.
    package let arguments: ByteRange

    /// The parts of `source`, which is a part of `arena`; nil for any other target, be it good or bad.
    package static func read(_ source: ByteRange, in arena: ByteArena) -> PlainTarget? {
        guard !source.isEmpty, arena[source.start] == UInt8(ascii: "/") else { return nil }
        let end = arena.withPaddedBytes(source) { bytes -> Int? in
            let count = bytes.count &- ByteArena.padding
            return SixteenBytes.firstMark(in: bytes, before: count) { SixteenBytes.oddPathMarks($0, next: $1) }
        }
        guard let end else { return nil }
        if end == source.count { return PlainTarget(path: source, arguments: .empty) }
        let path = ByteRange(start: source.start, end: source.start &+ Int32(truncatingIfNeeded: end))
        guard arena[path.end] == UInt8(ascii: "?"), isPlainQuery(source, from: end, in: arena) else { return nil }
        return PlainTarget(path: path, arguments: ByteRange(start: path.end &+ 1, end: source.end))
    }

    private static func isPlainQuery(_ source: ByteRange, from start: Int, in arena: ByteArena) -> Bool {
        let isPlain = arena.withPaddedBytes(source) { bytes -> Bool? in
            isPlainQuery(bytes, from: start, to: bytes.count &- ByteArena.padding)
        }
        return isPlain ?? false
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
