/// Splits URLs of any scheme into their parts.
///
/// The parser follows RFC 3986 with two liberties and one restriction. Bytes from 0x80 on are accepted everywhere but
/// in the scheme, so that raw UTF-8 works. Path, query and fragment may hold any visible character, also the few that
/// the RFC wants encoded, such as `|`; rules see them as they were sent. Relative references are refused: a rule always
/// works on a whole URL. Unlike the WHATWG parser it never repairs anything: a backslash is not a slash, control bytes,
/// and spaces before the path, are errors, and an authority that two parsers could read differently (`a@b@c`, `a\@b`)
/// is refused. With the schemes `http` and `https` this holds for hosts, too: they are there, they are ASCII without
/// escapes, one that ends in a number is an IPv4 address of four decimal numbers, and names have at most 253 bytes and
/// 63 a label.
public enum URLParser {
    /// The largest number of bytes a URL may have.
    public static let maximumLength = 65_536

    /// Splits `bytes`.
    ///
    /// Takes time in proportion to the length and allocates nothing.
    ///
    /// - Parameter bytes: The whole URL.
    /// - Returns: The parts, relative to the start of `bytes`.
    /// - Throws: `URLSyntaxError` for the first thing that is wrong.
    public static func parse(_ bytes: Span<UInt8>) throws(URLSyntaxError) -> URLParts {
        try split(bytes, allowsEmptyHost: false).parts
    }

    package struct Split {
        package var parts: URLParts
        /// True if the scheme is `http` or `https`, in whatever case.
        package var isWeb: Bool
        /// True if there is nothing but a host between `//` and the path, and it is written as hosts are compared.
        package var hasNormalHost: Bool
    }

    /// Splits `bytes`; the URL that is made of a request of HTTP/1.0 may lack a host.
    @inline(__always)
    private static func split(_ bytes: Span<UInt8>, allowsEmptyHost: Bool) throws(URLSyntaxError) -> Split {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= maximumLength else { throw .tooLong(limit: Int32(maximumLength)) }
        let schemeEnd: Int
        let isWeb: Bool
        if let end = endOfWebScheme(bytes) {
            schemeEnd = end
            isWeb = true
        } else {
            schemeEnd = try endOfScheme(bytes)
            isWeb = isWebScheme(bytes, until: schemeEnd)
        }

        // One pass finds the ends of the parts and refuses what no part may hold.
        var authorityStart = schemeEnd + 1
        var hasAuthority = false
        if bytes.count > schemeEnd + 2, bytes[schemeEnd + 1] == UInt8(ascii: "/"),
            bytes[schemeEnd + 2] == UInt8(ascii: "/")
        {
            hasAuthority = true
            authorityStart = schemeEnd + 3
        } else if isWeb {
            throw .missingAuthority(offset: Int32(authorityStart))
        }
        var pathStart = hasAuthority ? -1 : authorityStart
        var queryStart = -1
        var fragmentStart = -1
        var at = -1
        var index = authorityStart
        var hasNormalHost = false
        if hasAuthority {
            index = endOfNormalName(bytes, from: authorityStart)
            hasNormalHost =
                index > authorityStart && index < bytes.count && bytes[index] == UInt8(ascii: "/")
                && bytes[index - 1] != UInt8(ascii: ".")
            if hasNormalHost { pathStart = index }
        }
        while index < bytes.count {
            if pathStart >= 0 {
                index = nextMark(bytes, from: index)
                if index == bytes.count { break }
            }
            let byte = bytes[index]
            if byte <= 0x3f {
                if byte == UInt8(ascii: "/") {
                    if pathStart < 0 { pathStart = index }
                } else if byte == UInt8(ascii: "?") {
                    if fragmentStart < 0, queryStart < 0 {
                        queryStart = index + 1
                        if pathStart < 0 { pathStart = index }
                    }
                } else if byte == UInt8(ascii: "#") {
                    if fragmentStart < 0 {
                        fragmentStart = index + 1
                        if pathStart < 0 { pathStart = index }
                    }
                } else if byte < 0x20 {
                    throw .controlByte(offset: Int32(index))
                } else if byte == 0x20, pathStart < 0 {
                    // Real URLs have spaces after the authority; there they are data like any other.
                    throw .space(offset: Int32(index))
                }
            } else if byte == 0x7f {
                throw .controlByte(offset: Int32(index))
            } else if byte == UInt8(ascii: "@"), pathStart < 0 {
                if at >= 0 { throw .invalidUserinfo(offset: Int32(index)) }
                at = index
            }
            index += 1
        }
        let fragmentMark = fragmentStart < 0 ? bytes.count : fragmentStart - 1
        let queryMark = queryStart < 0 ? fragmentMark : queryStart - 1
        if pathStart < 0 { pathStart = bytes.count }

        var parts = URLParts(scheme: ByteRange(0, schemeEnd), path: ByteRange(pathStart, queryMark))
        if queryStart >= 0 { parts.query = ByteRange(queryStart, fragmentMark) }
        if fragmentStart >= 0 { parts.fragment = ByteRange(fragmentStart, bytes.count) }
        if hasNormalHost {
            parts.host = ByteRange(authorityStart, pathStart)
        } else if hasAuthority {
            try splitAuthority(authorityStart, pathStart, at: at, of: bytes, into: &parts)
        }
        if isWeb, let host = parts.host, !(host.isEmpty && allowsEmptyHost) {
            try WebHost.check(host, of: bytes, isPlain: hasNormalHost)
        }
        return Split(parts: parts, isWeb: isWeb, hasNormalHost: hasNormalHost)
    }

    /// Splits the bytes of `range`, with the parts as ranges of the arena.
    package static func split(
        _ range: ByteRange,
        in arena: ByteArena,
        allowsEmptyHost: Bool = false
    ) throws(URLSyntaxError) -> Split {
        if let plain = PlainURL.split(range, in: arena) { return plain }
        return try splitOther(range, in: arena, allowsEmptyHost: allowsEmptyHost)
    }

    @inline(never) private static func splitOther(
        _ range: ByteRange,
        in arena: ByteArena,
        allowsEmptyHost: Bool
    ) throws(URLSyntaxError) -> Split {
        var result = try arena.withBytes(range) { (bytes) throws(URLSyntaxError) in
            try split(bytes, allowsEmptyHost: allowsEmptyHost)
        }
        result.parts = result.parts.shifted(by: range.start)
        return result
    }

    /// The end of `http` or `https` in small letters before `://`, where most URLs have one of them; nil for all others.
    @inline(__always) static func endOfWebScheme(_ bytes: Span<UInt8>) -> Int? {
        guard bytes.count >= 8 else { return nil }
        let word = EightBytes.load(bytes, at: 0)
        // "https://", and the seven bytes "http://".
        if word == 0x2f2f_3a73_7074_7468 { return 5 }
        return word & 0x00ff_ffff_ffff_ffff == 0x002f_2f3a_7074_7468 ? 4 : nil
    }

    /// Returns true if the scheme that ends at `end` is `http` or `https`, in whatever case.
    private static func isWebScheme(_ bytes: Span<UInt8>, until end: Int) -> Bool {
        guard end == 4 || end == 5 && bytes[4] | 0x20 == UInt8(ascii: "s") else { return false }
        return bytes[0] | 0x20 == UInt8(ascii: "h") && bytes[1] | 0x20 == UInt8(ascii: "t")
            && bytes[2] | 0x20 == UInt8(ascii: "t") && bytes[3] | 0x20 == UInt8(ascii: "p")
    }

    /// The offset of the first byte from `start` on that is neither a small letter, a digit, a dash nor a dot, or is a
    /// dot that a dot follows; of a last byte, which nothing follows, that is not known.
    @inline(__always) private static func endOfNormalName(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while bytes.count &- index > 16 {
            let skipped = SixteenBytes.countBeforeFirst(SixteenBytes.oddHostMarks(bytes, at: index))
            index &+= skipped
            if skipped < 16 { return index }
        }
        guard index < bytes.count, bytes.count > 16 else { return index }
        // Blocks at the end overlap what was seen before.
        let block = bytes.count &- 17
        return block
            &+ SixteenBytes.countBeforeFirst(SixteenBytes.oddHostMarks(bytes, at: block), from: index &- block)
    }

    /// The offset of the first byte from `start` on that may end a path or a query, or that they must not hold.
    @inline(__always) private static func nextMark(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while bytes.count &- index >= 16 {
            let skipped = SixteenBytes.countBeforeFirst(SixteenBytes.queryMarks(bytes, at: index))
            index &+= skipped
            if skipped < 16 { return index }
        }
        guard index < bytes.count, bytes.count >= 16 else { return index }
        let block = bytes.count &- 16
        return block &+ SixteenBytes.countBeforeFirst(SixteenBytes.queryMarks(bytes, at: block), from: index &- block)
    }

    private static func endOfScheme(_ bytes: Span<UInt8>) throws(URLSyntaxError) -> Int {
        var firstInvalid = -1
        for index in bytes.indices {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: ":"):
                if index == 0 { throw .missingScheme }
                if firstInvalid >= 0 { throw .invalidScheme(offset: Int32(firstInvalid)) }
                return index
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): throw .missingScheme
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x30...0x39:
                if index == 0 { firstInvalid = 0 }
            default:
                if byte.isASCIIControl { throw .controlByte(offset: Int32(index)) }
                if byte == 0x20 { throw .space(offset: Int32(index)) }
                if !byte.isASCIILetter, firstInvalid < 0 { firstInvalid = index }
            }
        }
        throw .missingScheme
    }

    private static func splitAuthority(
        _ start: Int,
        _ end: Int,
        at: Int,
        of bytes: Span<UInt8>,
        into parts: inout URLParts
    ) throws(URLSyntaxError) {
        var hostStart = start
        if at >= 0 {
            try checkUserinfo(start, at, of: bytes)
            parts.userinfo = ByteRange(start, at)
            hostStart = at + 1
        }
        let hostEnd: Int
        if hostStart < end, bytes[hostStart] == UInt8(ascii: "[") {
            hostEnd = try endOfLiteral(hostStart, end, of: bytes)
        } else {
            hostEnd = try endOfName(hostStart, end, of: bytes)
        }
        parts.host = ByteRange(hostStart, hostEnd)
        guard hostEnd < end else { return }
        guard bytes[hostEnd] == UInt8(ascii: ":") else { throw .invalidHost(offset: Int32(hostEnd)) }
        parts.port = ByteRange(hostEnd + 1, end)
        parts.portNumber = try port(hostEnd + 1, end, of: bytes)
    }

    private static func checkUserinfo(_ start: Int, _ end: Int, of bytes: Span<UInt8>) throws(URLSyntaxError) {
        for index in start..<end {
            let byte = bytes[index]
            if byte == UInt8(ascii: ":") || isNameByte(byte) { continue }
            if byte == UInt8(ascii: "%"), isEscape(index, end, of: bytes) { continue }
            throw .invalidUserinfo(offset: Int32(index))
        }
    }

    /// The offset of the `:` or of the end; everything before it may be in a registered name.
    private static func endOfName(_ start: Int, _ end: Int, of bytes: Span<UInt8>) throws(URLSyntaxError) -> Int {
        for index in start..<end {
            let byte = bytes[index]
            if byte == UInt8(ascii: ":") { return index }
            if isNameByte(byte) { continue }
            if byte == UInt8(ascii: "%"), isEscape(index, end, of: bytes) { continue }
            throw .invalidHost(offset: Int32(index))
        }
        return end
    }

    /// The offset just past the `]` of an IPv6 address (with an optional `%25zone`, RFC 6874) or a future literal.
    private static func endOfLiteral(_ start: Int, _ end: Int, of bytes: Span<UInt8>) throws(URLSyntaxError) -> Int {
        var close = -1
        var zone = -1
        for index in start + 1..<end {
            if bytes[index] == UInt8(ascii: "]") {
                close = index
                break
            }
            if bytes[index] == UInt8(ascii: "%"), zone < 0 { zone = index }
        }
        guard close > start + 1 else { throw .invalidHost(offset: Int32(start)) }
        if bytes[start + 1] | 0x20 == UInt8(ascii: "v") {
            guard isFutureLiteral(start + 1, close, of: bytes) else { throw .invalidHost(offset: Int32(start + 1)) }
            return close + 1
        }
        let addressEnd = zone < 0 ? close : zone
        guard case .v6 = InternetAddress(parsing: bytes.extracting(start + 1..<addressEnd)) else {
            throw .invalidHost(offset: Int32(start + 1))
        }
        if zone >= 0 {
            guard close - zone > 3, bytes[zone + 1] == UInt8(ascii: "2"), bytes[zone + 2] == UInt8(ascii: "5") else {
                throw .invalidHost(offset: Int32(zone))
            }
            for index in zone + 3..<close where !isNameByte(bytes[index]) || bytes[index] >= 0x80 {
                throw .invalidHost(offset: Int32(index))
            }
        }
        return close + 1
    }

    private static func isFutureLiteral(_ start: Int, _ end: Int, of bytes: Span<UInt8>) -> Bool {
        var index = start + 1
        while index < end, bytes[index].hexadecimalValue != nil { index += 1 }
        guard index > start + 1, index + 1 < end, bytes[index] == UInt8(ascii: ".") else { return false }
        for index in index + 1..<end {
            let byte = bytes[index]
            guard byte < 0x80, byte == UInt8(ascii: ":") || isNameByte(byte) else { return false }
        }
        return true
    }

    private static func port(_ start: Int, _ end: Int, of bytes: Span<UInt8>) throws(URLSyntaxError) -> UInt16? {
        var value = 0
        for index in start..<end {
            guard bytes[index].isASCIIDigit else { throw .invalidPort(offset: Int32(index)) }
            value = value * 10 + Int(bytes[index] &- 0x30)
            if value > 65_535 { throw .invalidPort(offset: Int32(start)) }
        }
        return start < end ? UInt16(truncatingIfNeeded: value) : nil
    }

    private static func isEscape(_ index: Int, _ end: Int, of bytes: Span<UInt8>) -> Bool {
        end - index > 2 && bytes[index + 1].hexadecimalValue != nil && bytes[index + 2].hexadecimalValue != nil
    }

    /// Unreserved characters, sub-delimiters (RFC 3986, section 2) and bytes that are not ASCII.
    static func isNameByte(_ byte: UInt8) -> Bool {
        // The bits of ! $ & ' ( ) * + , - . 0-9 ; = and, in the second word, of A-Z _ a-z ~.
        let low: UInt64 = 0x2bff_7fd2_0000_0000
        let high: UInt64 = 0x47ff_fffe_87ff_fffe
        if byte >= 0x80 { return true }
        return ((byte < 0x40 ? low : high) &>> UInt64(byte & 63)) & 1 == 1
    }
}
