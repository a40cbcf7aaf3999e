package import ShuntCore

/// The parts of a URL of `proxy_pass`, split as nginx splits it, with offsets from its start.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_pass
package struct ProxyAddress: Sendable, Hashable {
    /// The scheme, as written.
    package let scheme: ByteRange
    /// The host, an IPv6 address in brackets; or the path of a Unix socket.
    package let host: ByteRange
    /// The digits of the port; nil for the usual port and for a socket.
    package let port: ByteRange?
    /// True if `host` is the path of a Unix socket.
    package let isSocket: Bool
    /// The offset of the URI part, which is all the rest.
    package let end: Int32

    package var authority: ByteRange { ByteRange(start: host.start, end: port?.end ?? host.end) }

    /// True if the scheme is `https`.
    package var isSecure: Bool { scheme.count == 5 }

    /// Splits a URL; nil if nginx refuses to pass a request to it.
    package init?(_ url: Span<UInt8>) {
        guard let scheme = Self.scheme(of: url) else { return nil }
        self.scheme = ByteRange(0, scheme)
        let start = scheme + 3
        isSocket = url.has("unix:", at: start)
        if isSocket {
            let path = start + 5
            let end = url.firstIndex(from: path) { $0 == UInt8(ascii: ":") } ?? url.count
            guard end > path else { return nil }
            host = ByteRange(path, end)
            port = nil
            self.end = Int32(truncatingIfNeeded: min(end + 1, url.count))
            return
        }
        let isBracketed = url[start] == UInt8(ascii: "[")
        let end =
            url.firstIndex(from: start) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") && !isBracketed }
            ?? url.count
        var hostEnd = url.firstIndex(from: start) { $0 == UInt8(ascii: isBracketed ? "]" : ":") } ?? url.count
        if isBracketed { hostEnd += 1 }
        if hostEnd >= end {
            guard hostEnd == end || !isBracketed else { return nil }
            hostEnd = end
            port = nil
        } else {
            guard url[hostEnd] == UInt8(ascii: ":"),
                let number = Array(copying: url.extracting((hostEnd + 1)..<end)).decimalNumber,
                (1...65_535).contains(number)
            else { return nil }
            port = ByteRange(hostEnd + 1, end)
        }
        guard hostEnd > start else { return nil }
        host = ByteRange(start, hostEnd)
        self.end = Int32(truncatingIfNeeded: end)
    }

    /// The length of the scheme; nil for any other than `http` and `https`, and without anything after the slashes.
    private static func scheme(of url: Span<UInt8>) -> Int? {
        let length = url.has("http://", at: 0) ? 4 : url.has("https://", at: 0) ? 5 : 0
        return length > 0 && url.count > length + 3 ? length : nil
    }
}

extension Span where Element == UInt8 {
    /// Returns true if the bytes at an offset are a text in lower case, in whatever case.
    fileprivate func has(_ text: String, at offset: Int) -> Bool {
        guard count >= offset + text.utf8.count else { return false }
        var index = offset
        for byte in text.utf8 {
            if self[index].asciiLowercased != byte { return false }
            index += 1
        }
        return true
    }

    fileprivate func firstIndex(from start: Int, where isWanted: (UInt8) -> Bool) -> Int? {
        var index = start
        while index < count {
            if isWanted(self[index]) { return index }
            index += 1
        }
        return nil
    }
}
