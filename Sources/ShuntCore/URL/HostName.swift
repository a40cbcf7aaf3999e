/// The reason why a host is refused.
///
/// In HTTP each is a 400.
package enum HostNameError: Error, Sendable, Hashable {
    /// Nothing is left of it, as of `.` and of `:80`.
    case empty
    /// A byte that no host may have.
    case invalidByte(offset: Int32)
    /// Two dots next to each other.
    case adjacentDots(offset: Int32)
    case noRoom
}

extension HostNameError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "the host is empty"
        case .invalidByte(let offset): "invalid byte in the host at byte \(offset)"
        case .adjacentDots(let offset): "two dots in a row in the host at byte \(offset)"
        case .noRoom: "no room for the host"
        }
    }
}

/// Hosts as nginx compares them: lower case, no port, no trailing dot.
package enum HostName {
    /// Checks and normalises the value of a `Host` header, or the host of an absolute-form target.
    ///
    /// nginx 1.22 is lenient here and so is this: a byte up to 0x20, 0x7f, `/` and `..` anywhere are errors; the name ends
    /// at the first `:`, or after the `]` when it starts with `[`; what follows is not read. One trailing dot goes
    /// (and, as in nginx, stays when another dot follows the colon).
    ///
    /// - Returns: A part of `value` when it is in lower case already, otherwise a copy at the end of the arena.
    package static func normalise(_ value: ByteRange, in arena: ByteArena) throws(HostNameError) -> ByteRange {
        if isPlain(value, in: arena) { return value }
        let name = try arena.withBytes(value) { (bytes) throws(HostNameError) in try measure(bytes) }
        let range = ByteRange(start: value.start, end: value.start &+ Int32(truncatingIfNeeded: name.count))
        guard name.hasUppercase else { return range }
        return try lowercased(range, in: arena)
    }

    /// Returns true if a host consists of small letters, digits and dashes, and of dots that no dot follows and that do
    /// not end it.
    private static func isPlain(_ value: ByteRange, in arena: ByteArena) -> Bool {
        let isPlain = arena.withPaddedBytes(value) { bytes -> Bool? in
            let count = bytes.count &- ByteArena.padding
            guard count > 0, bytes[count &- 1] != UInt8(ascii: ".") else { return false }
            return SixteenBytes.firstMark(in: bytes, before: count) { SixteenBytes.oddHostMarks($0, next: $1) } == count
        }
        return isPlain ?? false
    }

    private static func measure(_ bytes: Span<UInt8>) throws(HostNameError) -> (count: Int, hasUppercase: Bool) {
        var count = bytes.count
        var lastDot = -2
        var hasUppercase = false
        var isLiteral = false
        var ended = false
        var next = 0
        while next < bytes.count {
            let index = next
            let byte = bytes[index]
            next &+= 1
            // Small letters, digits, dashes and whatever else means nothing.
            if byte > UInt8(ascii: "]") ? byte != 0x7f : byte &- UInt8(ascii: "0") < 10 { continue }
            switch byte {
            case UInt8(ascii: "."):
                if lastDot == index - 1 { throw .adjacentDots(offset: Int32(truncatingIfNeeded: index)) }
                lastDot = index
            case UInt8(ascii: ":"):
                if !isLiteral, !ended {
                    count = index
                    ended = true
                }
            case UInt8(ascii: "["):
                if index == 0 { isLiteral = true }
            case UInt8(ascii: "]"):
                if isLiteral, !ended {
                    count = index + 1
                    ended = true
                }
            default:
                if byte <= 0x20 || byte == 0x7f || byte == UInt8(ascii: "/") {
                    throw .invalidByte(offset: Int32(truncatingIfNeeded: index))
                }
                if byte.isASCIIUppercase, !ended { hasUppercase = true }
            }
        }
        if lastDot == count - 1 { count -= 1 }
        guard count > 0 else { throw .empty }
        return (count, hasUppercase)
    }

    /// Normalises the host of a URL that `URLParser` accepted: decodes `%XX`, lower-cases ASCII, removes one trailing dot.
    ///
    /// Without the decoding, `ads%2eexample.com` would slip through a rule for `ads.example.com`. What decodes to a byte
    /// that would end or split a host is an error. An empty host stays empty. Names that are not ASCII are compared as
    /// bytes; they are not converted to Punycode.
    package static func normaliseURLHost(_ host: ByteRange, in arena: ByteArena) throws(HostNameError) -> ByteRange {
        var hasUppercase = false
        var hasEscape = false
        arena.withBytes(host) { bytes in
            for index in bytes.indices {
                if bytes[index].isASCIIUppercase { hasUppercase = true }
                // The `%25` of an address's zone is not an escape to resolve.
                if bytes[index] == UInt8(ascii: "%"), bytes[0] != UInt8(ascii: "[") { hasEscape = true }
            }
        }
        var result = host
        if hasEscape {
            result = try decoded(host, in: arena)
        } else if hasUppercase {
            result = try lowercased(host, in: arena)
        }
        if result.count > 1, arena[result.end &- 1] == UInt8(ascii: ".") { result.end &-= 1 }
        return result
    }

    /// Splits `host:port` at the colon that is not inside brackets.
    ///
    /// - Returns: The host with its brackets, and what follows the colon, or nil without one.
    package static func split(_ value: ByteRange, in bytes: Span<UInt8>) -> (host: ByteRange, port: ByteRange?) {
        var isLiteral = false
        for index in value.indices {
            switch bytes[index] {
            case UInt8(ascii: "[") where index == Int(value.start): isLiteral = true
            case UInt8(ascii: "]"): isLiteral = false
            case UInt8(ascii: ":") where !isLiteral:
                return (ByteRange(Int(value.start), index), ByteRange(index + 1, Int(value.end)))
            default: break
            }
        }
        return (value, nil)
    }

    /// Splits `host:port` at the colon that is not inside brackets.
    package static func split(_ value: ByteRange, in arena: ByteArena) -> (host: ByteRange, port: ByteRange?) {
        arena.withBytes(ByteRange(0, arena.count)) { split(value, in: $0) }
    }

    private static func lowercased(_ range: ByteRange, in arena: ByteArena) throws(HostNameError) -> ByteRange {
        let mark = arena.mark
        for offset in range.start..<range.end { arena.append(arena[offset].asciiLowercased) }
        guard arena.mark - mark == range.count else { throw .noRoom }
        return arena.range(from: mark)
    }

    private static func decoded(_ host: ByteRange, in arena: ByteArena) throws(HostNameError) -> ByteRange {
        let mark = arena.mark
        var offset = host.start
        while offset < host.end {
            var byte = arena[offset]
            if byte == UInt8(ascii: "%") {
                guard host.end &- offset > 2, let high = arena[offset &+ 1].hexadecimalValue,
                    let low = arena[offset &+ 2].hexadecimalValue
                else { throw .invalidByte(offset: offset &- host.start) }
                byte = high &<< 4 | low
                if byte <= 0x20 || byte == 0x7f || isDelimiter(byte) {
                    throw .invalidByte(offset: offset &- host.start)
                }
                offset &+= 2
            }
            let before = arena.mark
            arena.append(byte.asciiLowercased)
            guard arena.mark > before else { throw .noRoom }
            offset &+= 1
        }
        return arena.range(from: mark)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"),
            UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}
