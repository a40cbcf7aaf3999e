import ShuntCore

/// The host and the port of an HTTP request, in the one form that rules judge and upstreams get.
///
/// Stricter than RFC 9110: names consist of letters, digits, `-`, `.`, `_` and `~`. Whatever else a Host may hold (a `#`, a
/// `?`, the name of a user) ends or changes the host for one parser and not for the next, so that rules and an upstream
/// would see two hosts.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-7.2
package struct HostAndPort: Sendable, Hashable, CustomStringConvertible {
    /// The name in lower case without a dot at its end, or an address; an IPv6 address is in brackets.
    package let host: String
    /// The port; nil where there is none, or where it is the usual one.
    package let port: Int?

    /// Reads a host with or without a port, which is left out if it is the usual one; nil where it is anything else.
    package init?(_ bytes: Span<UInt8>, usualPort: Int) {
        guard let end = Self.hostEnd(bytes), end > 0 else { return nil }
        var port: Int?
        if end < bytes.count {
            guard let read = Self.port(bytes.extracting((end + 1)...)) else { return nil }
            if case .number(let number) = read, number != usualPort { port = number }
        }
        if bytes[0] == UInt8(ascii: "[") {
            guard end > 2, let address = InternetAddress(parsing: bytes.extracting(1..<(end - 1))), case .v6 = address
            else { return nil }
            host = "[\(address)]"
        } else {
            var name: [UInt8] = []
            name.reserveCapacity(end)
            for index in 0..<end { name.append(bytes[index].asciiLowercased) }
            if name.last == UInt8(ascii: ".") { name.removeLast() }
            guard !name.isEmpty else { return nil }
            host = String(decoding: name, as: UTF8.self)
        }
        self.port = port
    }

    /// The host, and the port where it is not the usual one.
    package var description: String { port.map { "\(host):\($0)" } ?? host }

    /// The place where the host ends: at the end, or at a colon; nil if a byte cannot be in a host.
    private static func hostEnd(_ bytes: Span<UInt8>) -> Int? {
        if bytes.isEmpty { return nil }
        if bytes[0] == UInt8(ascii: "[") {
            for index in bytes.indices where bytes[index] == UInt8(ascii: "]") {
                let end = index + 1
                return end == bytes.count || bytes[end] == UInt8(ascii: ":") ? end : nil
            }
            return nil
        }
        var previous = UInt8(ascii: ".")
        for index in bytes.indices {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: ":"): return index
            case UInt8(ascii: "."): if previous == byte { return nil }
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                break
            default: return nil
            }
            previous = byte
        }
        return bytes.count
    }

    private enum Port {
        /// A colon with nothing after it stands for the usual port.
        case usual
        case number(Int)
    }

    private static func port(_ digits: Span<UInt8>) -> Port? {
        if digits.isEmpty { return .usual }
        var number = 0
        for index in digits.indices {
            guard digits[index].isASCIIDigit else { return nil }
            number = number * 10 + Int(digits[index] - UInt8(ascii: "0"))
            guard number <= 65_535 else { return nil }
        }
        return .number(number)
    }
}
