/// URLs of `http` and `https` with nothing but a name between `//` and the path, as most are.
enum PlainURL {
    /// The longest name whose labels need not be read.
    private static let maximumName = 63

    /// Splits the bytes of `range` as `URLParser` does; nil for all other URLs, be they good or bad.
    @inline(__always) static func split(_ range: ByteRange, in arena: ByteArena) -> URLParser.Split? {
        arena.withPaddedBytes(range) { bytes in
            let count = bytes.count &- ByteArena.padding
            guard count <= URLParser.maximumLength, let schemeEnd = URLParser.endOfWebScheme(bytes) else { return nil }
            let hostStart = schemeEnd &+ 3
            let hostEnd = SixteenBytes.firstMark(in: bytes, from: hostStart, before: count) {
                SixteenBytes.oddHostMarks($0, next: $1)
            }
            guard hostEnd < count, hostEnd > hostStart, hostEnd &- hostStart <= maximumName,
                bytes[hostEnd] == UInt8(ascii: "/"), bytes[hostEnd &- 1] != UInt8(ascii: "."),
                !WebHost.endsInNumber(hostStart, hostEnd, of: bytes)
            else { return nil }
            let pathEnd = SixteenBytes.firstMark(in: bytes, from: hostEnd, before: count) { block, _ in
                SixteenBytes.queryMarks(block)
            }
            guard pathEnd == count || isPlainQuery(bytes, from: pathEnd, before: count) else { return nil }

            let start = range.start
            var parts = URLParts(
                scheme: ByteRange(start: start, end: start &+ Int32(truncatingIfNeeded: schemeEnd)),
                path: ByteRange(hostEnd, pathEnd).moved(by: start)
            )
            parts.host = ByteRange(hostStart, hostEnd).moved(by: start)
            if pathEnd < count { parts.query = ByteRange(pathEnd &+ 1, count).moved(by: start) }
            return URLParser.Split(parts: parts, isWeb: true, hasNormalHost: true)
        }
    }

    /// Returns true if there is a query at `start`, and nothing in it that ends it or that it must not hold.
    @inline(never) private static func isPlainQuery(_ bytes: Span<UInt8>, from start: Int, before count: Int) -> Bool {
        var index = start
        while index < count {
            guard bytes[index] == UInt8(ascii: "?") else { return false }
            index = SixteenBytes.firstMark(in: bytes, from: index &+ 1, before: count) { block, _ in
                SixteenBytes.queryMarks(block)
            }
        }
        return true
    }
}
