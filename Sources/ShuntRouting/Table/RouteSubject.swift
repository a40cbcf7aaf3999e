public import ShuntCore

/// The place where the parts of a URL are that routes read: ranges of its bytes.
///
/// Splitting never fails: what is not a URL is a path, so that `users/4` can be routed. It follows RFC 3986, appendix
/// B.
public struct RouteSubject: Sendable, Hashable {
    /// The scheme, without the colon; nil for a reference without one.
    public var scheme: ByteRange?
    /// The host; nil when there is no `//`.
    public var host: ByteRange?
    /// The digits after the colon of the authority.
    public var port: ByteRange?
    /// The path without query and fragment; may be empty.
    public var path: ByteRange
    /// The bytes after `?`.
    public var query: ByteRange?
    /// The bytes after `#`.
    public var fragment: ByteRange?

    /// Makes a subject that is a path only.
    @inlinable public init(path: ByteRange) { self.path = path }

    /// Makes a subject of the parts of a parsed URL.
    public init(_ parts: URLParts) {
        scheme = parts.scheme
        host = parts.host
        port = parts.port
        path = parts.path
        query = parts.query
        fragment = parts.fragment
    }

    /// Makes a subject of the parts of a parsed URL, for bytes that begin `offset` further on.
    @inlinable @inline(__always) package init(_ parts: URLParts, movedBy offset: Int32) {
        self.init(path: parts.path.moved(by: offset))
        scheme = parts.scheme.moved(by: offset)
        host = parts.host?.moved(by: offset)
        port = parts.port?.moved(by: offset)
        query = parts.query?.moved(by: offset)
        fragment = parts.fragment?.moved(by: offset)
    }

    /// Returns true if every part that routes read lies in a URL of `count` bytes.
    func isInside(_ count: Int) -> Bool {
        func isInside(_ range: ByteRange?) -> Bool {
            guard let range else { return true }
            return range.start >= 0 && range.start <= range.end && Int(range.end) <= count
        }
        return isInside(scheme) && isInside(host) && isInside(port) && isInside(path) && isInside(query)
            && isInside(fragment) && (host?.end ?? path.start) <= path.start
    }

    /// Splits `bytes`, which must be fewer than 2 GiB; what is more is not read.
    ///
    /// - Complexity: In proportion to the number of bytes up to the end of the path, and to that of the query.
    public init(splitting bytes: Span<UInt8>) {
        let count = min(bytes.count, Int(Int32.max))
        var index = 0
        path = ByteRange(0, 0)
        if let end = Self.endOfScheme(bytes, count) {
            scheme = ByteRange(0, end)
            index = end + 1
        } else if count > 2, bytes[0] == UInt8(ascii: ":"), bytes[1] == UInt8(ascii: "/"), bytes[2] == UInt8(ascii: "/")
        {
            // A URL without its scheme.
            index = 1
        }
        if index + 1 < count, bytes[index] == UInt8(ascii: "/"), bytes[index + 1] == UInt8(ascii: "/") {
            let start = index + 2
            index = start
            var hostStart = start
            while index < count, !Self.endsAuthority(bytes[index]) {
                if bytes[index] == UInt8(ascii: "@") { hostStart = index + 1 }
                index += 1
            }
            var hostEnd = index
            if let colon = Self.portColon(bytes, start: hostStart, end: index) {
                port = ByteRange(colon + 1, index)
                hostEnd = colon
            }
            host = ByteRange(hostStart, hostEnd)
        }
        path = .empty
        readPath(of: bytes, from: index)
    }

    /// Finds the path, the query and the fragment, which begin at `start` and take the rest of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: Fewer than 2 GiB; what is more is not read.
    ///   - start: Where the path begins, which is at most the number of bytes.
    ///   - pathLength: How many bytes from there on are known to be of the path.
    public mutating func readPath(of bytes: Span<UInt8>, from start: Int, pathLength: Int = 0) {
        let count = min(bytes.count, Int(Int32.max))
        var index = PathBytes(bytes).endOfPath(from: min(start + pathLength, count), to: count)
        path = ByteRange(start, index)
        if index < count, bytes[index] == UInt8(ascii: "?") {
            let start = index + 1
            index = start
            while index < count, bytes[index] != UInt8(ascii: "#") { index += 1 }
            query = ByteRange(start, index)
        }
        if index < count { fragment = ByteRange(index + 1, count) }
    }

    /// The offset of the colon after a scheme with which the first `count` bytes begin; nil without one.
    static func endOfScheme(_ bytes: Span<UInt8>, _ count: Int) -> Int? {
        guard count > 0, bytes[0].isASCIILetter else { return nil }
        for index in 0..<count {
            let byte = bytes[index]
            if byte == UInt8(ascii: ":") { return index }
            let isSchemeByte =
                byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "+")
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            if !isSchemeByte { return nil }
        }
        return nil
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// The colon before a port: the last one that only digits follow, outside the brackets of an IP literal.
    private static func portColon(_ bytes: Span<UInt8>, start: Int, end: Int) -> Int? {
        var index = end
        while index > start, bytes[index - 1].isASCIIDigit { index -= 1 }
        guard index > start, bytes[index - 1] == UInt8(ascii: ":") else { return nil }
        return index - 1
    }
}
