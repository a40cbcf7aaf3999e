/// The one spelling of a URL that stands for all spellings of the same page.
///
/// RFC 3986, section 6.2, and what servers make of a path: the scheme in lower case, no user, no dots at the end of the
/// host, the port as a number; the path decoded, without dot segments and with single slashes, and what must be encoded
/// in it encoded in one way; the query with unreserved bytes decoded; the fragment unchanged. In URLs of `http` and
/// `https` also the host in lower case, no default port, a path of at least `/`, and `\` in the path is `/`, as in
/// browsers. With other schemes the host keeps its case.
package enum NormalForm {
    /// The bytes that a path can have unescaped, except for slashes: unreserved bytes, sub-delimiters, `:` and `@`.
    static let pathBytes = URLComponentCoding.segmentBytes
    static let queryBytes = URLComponentCoding.queryBytes
    static let unreserved = URLComponentCoding.unreservedBytes

    /// The normal form of a URL, or, for the beginning of one, of whatever of it the rest cannot change.
    ///
    /// A text that is not a URL is returned unchanged.
    package static func of(_ bytes: [UInt8], isWhole: Bool) -> [UInt8] {
        let arena = ByteArena(capacity: 4 * bytes.count + 64, limit: 1 << 20)
        arena.append(bytes)
        let range = ByteRange(0, bytes.count)
        guard let parts = try? URLParser.split(range, in: arena).parts else { return bytes }
        let mark = arena.mark
        if isWhole {
            append(range, parts, to: arena)
        } else {
            appendBeginning(range, parts, to: arena)
        }
        return arena.overflowed ? bytes : arena.array(arena.range(from: mark))
    }

    /// The ways in which programs read a path otherwise than browsers do.
    package struct Reading: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A `\` is a byte, as for nginx and files.
        package static let backslashIsByte = Reading(rawValue: 1)
        /// An empty segment is one that `..` removes (RFC 3986, section 5.2.4); slashes are merged after that.
        package static let keepsEmptySegments = Reading(rawValue: 2)
        package static let all: [Reading] = [
            [], .backslashIsByte, .keepsEmptySegments, [.backslashIsByte, .keepsEmptySegments],
        ]
    }

    /// Appends the normal form of a URL that was taken apart.
    package static func append(_ url: ByteRange, _ parts: URLParts, reading: Reading = [], to arena: ByteArena) {
        let isWeb = isWeb(parts, in: arena)
        appendOrigin(parts, isWeb: isWeb, to: arena)
        if isWeb, parts.path.isEmpty {
            arena.append(UInt8(ascii: "/"))
        } else {
            var path = PathSpelling(isWeb: isWeb, mark: arena.mark, reading: reading)
            path.append(parts.path, to: arena)
            path.end(in: arena)
        }
        appendTail(parts, to: arena)
    }

    /// Appends the normal form of the beginning of a URL: its last segment may continue, and so may a host without a
    /// path.
    private static func appendBeginning(_ url: ByteRange, _ parts: URLParts, to arena: ByteArena) {
        let isWeb = isWeb(parts, in: arena)
        if parts.path.isEmpty, parts.query == nil, parts.fragment == nil {
            for offset in url.start..<url.end {
                let isLowered = isWeb || offset < parts.scheme.end
                arena.append(isLowered ? arena[offset].asciiLowercased : arena[offset])
            }
            return
        }
        guard parts.query == nil, parts.fragment == nil else { return append(url, parts, to: arena) }
        appendOrigin(parts, isWeb: isWeb, to: arena)
        var path = PathSpelling(isWeb: isWeb, mark: arena.mark)
        path.append(parts.path, to: arena)
    }

    /// Returns true if the scheme is `http` or `https`.
    private static func isWeb(_ parts: URLParts, in arena: ByteArena) -> Bool {
        let scheme = parts.scheme
        guard scheme.count == 4 || scheme.count == 5 else { return false }
        for (index, byte) in "https".utf8.prefix(scheme.count).enumerated()
        where arena[scheme.start &+ Int32(truncatingIfNeeded: index)] | 0x20 != byte { return false }
        return true
    }

    private static func appendOrigin(_ parts: URLParts, isWeb: Bool, to arena: ByteArena) {
        for offset in parts.scheme.start..<parts.scheme.end { arena.append(arena[offset].asciiLowercased) }
        arena.append(UInt8(ascii: ":"))
        guard let host = parts.host else { return }
        arena.append("//")
        if !host.isEmpty, arena[host.start] == UInt8(ascii: "[") {
            arena.append(InternetAddress.canonicalHost(arena.array(host)))
        } else {
            let mark = arena.mark
            var offset = host.start
            while offset < host.end {
                let unit = Unit(at: offset, before: host.end, in: arena)
                if isWeb {
                    arena.append(unit.byte.asciiLowercased)
                } else {
                    unit.append(keeping: unreserved, rawKeeping: .all, to: arena)
                }
                offset &+= unit.length
            }
            while arena.mark - mark > 1, arena[Int32(truncatingIfNeeded: arena.mark - 1)] == UInt8(ascii: ".") {
                arena.truncate(to: arena.mark - 1)
            }
        }
        guard let port = parts.portNumber, !isWeb || port != (parts.scheme.count == 5 ? 443 : 80) else { return }
        arena.append(UInt8(ascii: ":"))
        arena.append(decimal: Int(port))
    }

    private static func appendTail(_ parts: URLParts, to arena: ByteArena) {
        if let query = parts.query {
            arena.append(UInt8(ascii: "?"))
            var offset = query.start
            while offset < query.end {
                let unit = Unit(at: offset, before: query.end, in: arena)
                unit.append(keeping: unreserved, rawKeeping: queryBytes, to: arena)
                offset &+= unit.length
            }
        }
        if let fragment = parts.fragment {
            arena.append(UInt8(ascii: "#"))
            arena.append(copyOf: fragment)
        }
    }

    /// One byte of a URL, raw or escaped.
    package struct Unit {
        package var byte: UInt8
        /// True if it was `%XX`.
        package var isEscaped = false
        package var length: Int32 = 1

        /// Reads the byte at `offset`, which is before `end`.
        package init(at offset: Int32, before end: Int32, in arena: ByteArena) {
            byte = arena[offset]
            guard byte == UInt8(ascii: "%"), end &- offset > 2, let high = arena[offset &+ 1].hexadecimalValue,
                let low = arena[offset &+ 2].hexadecimalValue
            else { return }
            byte = high &<< 4 | low
            isEscaped = true
            length = 3
        }

        /// Appends the byte, as it is if it is in the set for bytes of its kind; a `%` that begins no escape stays one.
        func append(keeping kept: ByteSet, rawKeeping rawKept: ByteSet, to arena: ByteArena) {
            if isEscaped ? kept.contains(byte) : rawKept.contains(byte) || byte == UInt8(ascii: "%") {
                arena.append(byte)
                return
            }
            arena.append(UInt8(ascii: "%"))
            arena.append((byte &>> 4).upperHexadecimalDigit)
            arena.append(byte.upperHexadecimalDigit)
        }
    }
}

/// A path in its normal form, as far as it has been appended.
private struct PathSpelling {
    let isWeb: Bool
    /// The place where the path begins.
    let mark: Int
    let reading: NormalForm.Reading
    /// The place where its last segment begins.
    var segment: Int
    /// True if it begins with a slash, so that it has segments.
    var isRooted = false

    init(isWeb: Bool, mark: Int, reading: NormalForm.Reading = []) {
        self.isWeb = isWeb
        self.mark = mark
        self.reading = reading
        segment = mark
    }

    mutating func append(_ path: ByteRange, to arena: ByteArena) {
        isRooted = !path.isEmpty && isSlash(NormalForm.Unit(at: path.start, before: path.end, in: arena))
        var offset = path.start
        while offset < path.end {
            let unit = NormalForm.Unit(at: offset, before: path.end, in: arena)
            offset &+= unit.length
            if isRooted, isSlash(unit) {
                takeSlash(in: arena)
            } else if unit.byte == UInt8(ascii: "/"), !unit.isEscaped {
                arena.append(unit.byte)
            } else {
                unit.append(keeping: NormalForm.pathBytes, rawKeeping: NormalForm.pathBytes, to: arena)
            }
        }
    }

    private func isSlash(_ unit: NormalForm.Unit) -> Bool {
        if unit.byte == UInt8(ascii: "/") { return true }
        return isWeb && unit.byte == UInt8(ascii: "\\") && !unit.isEscaped && !reading.contains(.backslashIsByte)
    }

    private mutating func takeSlash(in arena: ByteArena) {
        if arena.mark > mark {
            let isEmpty = arena.mark == segment
            if isEmpty ? !reading.contains(.keepsEmptySegments) : resolve(in: arena) { return }
        }
        arena.append(UInt8(ascii: "/"))
        segment = arena.mark
    }

    /// Takes a last segment that is `.` or `..` back, with what it takes back.
    mutating func end(in arena: ByteArena) {
        if isRooted { _ = resolve(in: arena) }
        if reading.contains(.keepsEmptySegments) { mergeSlashes(in: arena) }
    }

    private func mergeSlashes(in arena: ByteArena) {
        let path = arena.array(arena.range(from: mark))
        arena.truncate(to: mark)
        var last: UInt8 = 0
        for byte in path {
            if byte != UInt8(ascii: "/") || last != byte { arena.append(byte) }
            last = byte
        }
    }

    private mutating func resolve(in arena: ByteArena) -> Bool {
        let length = arena.mark - segment
        guard length == 1 || length == 2 else { return false }
        for offset in segment..<arena.mark
        where arena[Int32(truncatingIfNeeded: offset)] != UInt8(ascii: ".") { return false }
        if length == 2, segment - 1 > mark {
            segment -= 1
            while segment > mark, arena[Int32(truncatingIfNeeded: segment - 1)] != UInt8(ascii: "/") { segment -= 1 }
        }
        arena.truncate(to: segment)
        return true
    }
}
