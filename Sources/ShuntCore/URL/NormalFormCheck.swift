/// True if a URL is in its normal form as it is written, as nearly all are.
extension NormalForm {
    /// Returns true if `append` would return the URL unchanged.
    ///
    /// It may be false for a URL that is, such as one with an address in brackets, but never true for one that is not.
    /// It reads the URL once, in blocks, and allocates nothing.
    package static func holds(_ url: ByteRange, _ parts: URLParts, in arena: ByteArena) -> Bool {
        let parts = parts.shifted(by: 0 &- url.start)
        return arena.withBytes(url) { bytes in
            guard parts.userinfo == nil, let isWeb = isPlainOrigin(parts, of: bytes) else { return false }
            if isWeb, parts.path.isEmpty { return false }
            return isPlainPath(parts, of: bytes)
        }
    }

    /// Returns true if scheme, host and port are in their normal form, and if so, whether they are of the web; nil
    /// otherwise.
    private static func isPlainOrigin(_ parts: URLParts, of bytes: Span<UInt8>) -> Bool? {
        let isWeb = hasWebScheme(bytes, parts.scheme.count)
        if !isWeb {
            for index in parts.scheme.indices where bytes[index].isASCIIUppercase { return nil }
            // It may be `HTTP`, in which case there is a capital.
        }
        if let port = parts.port {
            guard let number = parts.portNumber, bytes[Int(port.start)] != UInt8(ascii: "0") else { return nil }
            if isWeb, number == (parts.scheme.count == 5 ? 443 : 80) { return nil }
        }
        guard let host = parts.host, !host.isEmpty else { return isWeb }
        let last = bytes[Int(host.end) &- 1]
        if last == UInt8(ascii: ".") && host.count > 1 || last == UInt8(ascii: "]") { return nil }
        if isWeb { return hasCapital(bytes, from: Int(host.start), to: Int(host.end)) ? nil : true }
        for index in host.indices where bytes[index] == UInt8(ascii: "%") { return nil }
        return false
    }

    /// Returns true if a URL begins with `http` or `https` in small letters.
    @inline(__always) private static func hasWebScheme(_ bytes: Span<UInt8>, _ count: Int) -> Bool {
        guard bytes.count >= 8, count == 4 || count == 5 else { return false }
        let word = EightBytes.load(bytes, at: 0)
        // "https", and the four bytes "http".
        return count == 5 ? word & 0xff_ffff_ffff == 0x73_7074_7468 : word & 0xffff_ffff == 0x7074_7468
    }

    @inline(__always) private static func hasCapital(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        var index = start
        while bytes.count &- index >= 16, index < end {
            let capitals = SixteenBytes.capitals(bytes, at: index)
            let skipped = SixteenBytes.countBeforeFirst(capitals)
            if skipped < 16 { return index &+ skipped < end }
            index &+= 16
        }
        while index < end {
            if bytes[index].isASCIIUppercase { return true }
            index &+= 1
        }
        return false
    }

    /// Returns true if path and query are in their normal form.
    private static func isPlainPath(_ parts: URLParts, of bytes: Span<UInt8>) -> Bool {
        let start = Int(parts.path.start)
        let end = Int(parts.query?.end ?? parts.path.end)
        let pathEnd = Int(parts.path.end)
        guard start < end else { return true }
        let isRooted = bytes[start] == UInt8(ascii: "/")
        var index = start
        while true {
            index = nextSuspect(bytes, from: index, to: end)
            guard index < end else { return true }
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard let length = plainEscape(bytes, at: index, to: end, inPath: index < pathEnd) else { return false }
                index &+= length
                continue
            }
            if index < pathEnd {
                if byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") {
                    // It follows a slash.
                    if isRooted, index > start, byte == UInt8(ascii: "/") { return false }
                    if isRooted, byte == UInt8(ascii: "."), isDotSegment(bytes, at: index, to: pathEnd) { return false }
                } else if !pathBytes.contains(byte) {
                    return false
                }
            } else if index > pathEnd, !queryBytes.contains(byte) {
                return false
            }
            index &+= 1
        }
    }

    /// The first byte from `start` on that no path has unchanged, or that is a slash or a dot after a slash; `end`
    /// without one.
    @inline(__always) private static func nextSuspect(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        while index > 0, bytes.count &- index >= 16, index < end {
            let skipped = SixteenBytes.countBeforeFirst(SixteenBytes.spellingMarks(bytes, at: index))
            index &+= skipped
            if skipped < 16 { return min(index, end) }
        }
        if index > 0, index < end, bytes.count > 16 {
            let block = bytes.count &- 16
            let marks = SixteenBytes.spellingMarks(bytes, at: block)
            return min(block &+ SixteenBytes.countBeforeFirst(marks, from: index &- block), end)
        }
        while index < end {
            let byte = bytes[index]
            let followsSlash = index > 0 && bytes[index &- 1] == UInt8(ascii: "/")
            if followsSlash && (byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".")) || !queryBytes.contains(byte) {
                return index
            }
            index &+= 1
        }
        return end
    }

    /// Returns the length of an escape that stays unchanged; nil for one that does not.
    private static func plainEscape(_ bytes: Span<UInt8>, at index: Int, to end: Int, inPath: Bool) -> Int? {
        guard end &- index > 2, let high = bytes[index &+ 1].hexadecimalValue,
            let low = bytes[index &+ 2].hexadecimalValue
        else { return 1 }
        if bytes[index &+ 1] > UInt8(ascii: "Z") || bytes[index &+ 2] > UInt8(ascii: "Z") { return nil }
        let byte = high &<< 4 | low
        if inPath { return pathBytes.contains(byte) || byte == UInt8(ascii: "/") ? nil : 3 }
        return unreserved.contains(byte) ? nil : 3
    }

    /// Returns true if the segment that begins at `index` is `.` or `..`.
    private static func isDotSegment(_ bytes: Span<UInt8>, at index: Int, to end: Int) -> Bool {
        var next = index &+ 1
        if next < end, bytes[next] == UInt8(ascii: ".") { next &+= 1 }
        return next == end || bytes[next] == UInt8(ascii: "/") || bytes[next] == UInt8(ascii: "\\")
            || bytes[next] == UInt8(ascii: "%")
    }
}
