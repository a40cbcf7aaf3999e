/// One pair of a query, still encoded.
package struct QueryPair: Sendable, Hashable {
    /// The name: what is before the first `=`, or the whole pair without one.
    package var name: ByteRange
    /// The bytes after the first `=`; nil if there is no `=`.
    package var value: ByteRange?
}

/// Goes through the pairs of a query (`a=1&b`) in order, without allocating.
///
/// Empty pairs, as in `a&&b`, are left out.
package struct QueryIterator: Sendable {
    private var offset: Int
    private let end: Int

    /// Starts at the beginning of `query`, a range of the bytes that `next(in:)` gets.
    package init(_ query: ByteRange) {
        offset = Int(query.start)
        end = Int(query.end)
    }

    /// The next pair, or nil at the end; `bytes` must be the same each time.
    package mutating func next(in bytes: Span<UInt8>) -> QueryPair? {
        while offset < end {
            let start = offset
            var equals = -1
            while offset < end {
                let byte = bytes[offset]
                if byte == UInt8(ascii: "&") { break }
                if equals < 0, byte == UInt8(ascii: "=") { equals = offset }
                offset += 1
            }
            let pairEnd = offset
            offset += 1
            guard pairEnd > start else { continue }
            guard equals >= 0 else { return QueryPair(name: ByteRange(start, pairEnd), value: nil) }
            return QueryPair(name: ByteRange(start, equals), value: ByteRange(equals + 1, pairEnd))
        }
        return nil
    }

    /// The next pair of a query that is in `arena`, or nil at the end.
    package mutating func next(in arena: ByteArena) -> QueryPair? {
        var copy = self
        let pair = arena.withBytes(ByteRange(0, arena.count)) { copy.next(in: $0) }
        self = copy
        return pair
    }
}

/// nginx's look-ups by name in a query and in a `Cookie` header.
package enum Query {
    /// The value that `$arg_NAME` has: that of the first argument with the name, compared without regard to ASCII case,
    /// that has a `=` right after it.
    ///
    /// It is not decoded.
    package static func argument(_ name: Span<UInt8>, in query: ByteRange, of bytes: Span<UInt8>) -> ByteRange? {
        guard !name.isEmpty else { return nil }
        let end = Int(query.end)
        var start = Int(query.start)
        while end - start > name.count {
            if bytes[start + name.count] == UInt8(ascii: "="), hasPrefix(name, at: start, of: bytes) {
                let valueStart = start + name.count + 1
                return ByteRange(valueStart, find(UInt8(ascii: "&"), from: valueStart, to: end, in: bytes))
            }
            start = find(UInt8(ascii: "&"), from: start, to: end, in: bytes) + 1
        }
        return nil
    }

    /// The value that `$arg_NAME` has for a query that is in `arena`.
    package static func argument(_ name: Span<UInt8>, in query: ByteRange, of arena: ByteArena) -> ByteRange? {
        arena.withBytes(ByteRange(0, arena.count)) { argument(name, in: query, of: $0) }
    }

    /// The value that `$cookie_NAME` has in the `Cookie` header `header`.
    ///
    /// As in nginx 1.22 cookies begin after `;` and `,`, and a value runs to the `;`; since 1.23.0 nginx looks after `;`
    /// only. Names are compared without regard to ASCII case, and spaces around the `=` are skipped. A cookie
    /// that has the name but no `=` hides the one after it, in every version of nginx.
    package static func cookie(_ name: Span<UInt8>, in header: ByteRange, of bytes: Span<UInt8>) -> ByteRange? {
        guard !name.isEmpty else { return nil }
        let end = Int(header.end)
        var start = Int(header.start)
        while end - start > name.count {
            if hasPrefix(name, at: start, of: bytes) {
                let equals = skipSpaces(from: start + name.count, to: end, in: bytes)
                if equals < end, bytes[equals] == UInt8(ascii: "=") {
                    let valueStart = skipSpaces(from: equals + 1, to: end, in: bytes)
                    return ByteRange(valueStart, find(UInt8(ascii: ";"), from: valueStart, to: end, in: bytes))
                }
                // nginx has read the byte that is not a `=` before it looks for the next `;`.
                start = min(equals + 1, end)
            }
            while start < end, bytes[start] != UInt8(ascii: ";"), bytes[start] != UInt8(ascii: ",") { start += 1 }
            start = skipSpaces(from: start + 1, to: end, in: bytes)
        }
        return nil
    }

    /// The value that `$cookie_NAME` has in a header that is in `arena`.
    package static func cookie(_ name: Span<UInt8>, in header: ByteRange, of arena: ByteArena) -> ByteRange? {
        arena.withBytes(ByteRange(0, arena.count)) { cookie(name, in: header, of: $0) }
    }

    private static func hasPrefix(_ name: Span<UInt8>, at start: Int, of bytes: Span<UInt8>) -> Bool {
        for index in name.indices where bytes[start + index].asciiLowercased != name[index].asciiLowercased {
            return false
        }
        return true
    }

    private static func find(_ byte: UInt8, from start: Int, to end: Int, in bytes: Span<UInt8>) -> Int {
        var index = start
        while index < end, bytes[index] != byte { index += 1 }
        return index
    }

    private static func skipSpaces(from start: Int, to end: Int, in bytes: Span<UInt8>) -> Int {
        var index = start
        while index < end, bytes[index] == 0x20 { index += 1 }
        return index
    }
}
