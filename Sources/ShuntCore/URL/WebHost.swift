/// The hosts that a URL of `http` or `https` may have.
///
/// Browsers repair more than this: they take `127.1`, `0x7f.1` and `2130706433` for 127.0.0.1, and bring names beyond ASCII,
/// whose dots may be `。`, into Punycode. A rule for the name that they arrive at would see another. So such hosts are refused.
enum WebHost {
    /// The longest name and the longest label of DNS, in bytes.
    private static let maximumName = 253
    private static let maximumLabel = 63

    /// Checks the host in a range of a URL, which `isPlain` if it is known to consist of letters and digits of ASCII and `-._`.
    ///
    /// An address in brackets is not checked.
    static func check(_ host: ByteRange, of bytes: Span<UInt8>, isPlain: Bool) throws(URLSyntaxError) {
        let start = Int(host.start)
        var end = Int(host.end)
        guard start < end else { throw .emptyHost(offset: host.start) }
        if !isPlain {
            if bytes[start] == UInt8(ascii: "[") { return }
            for index in start..<end {
                if bytes[index] >= 0x80 { throw .nonASCIIHost(offset: Int32(truncatingIfNeeded: index)) }
                if bytes[index] == UInt8(ascii: "%") { throw .encodedHost(offset: Int32(truncatingIfNeeded: index)) }
            }
        }
        if bytes[end &- 1] == UInt8(ascii: "."), end &- start > 1 { end &-= 1 }
        if end &- start > maximumLabel {
            guard end &- start <= maximumName else { throw .longHost(offset: host.start) }
            try checkLabels(start, end, of: bytes)
        }
        if endsInNumber(start, end, of: bytes), InternetAddress(parsing: bytes.extracting(start..<end)) == nil {
            throw .numericHost(offset: host.start)
        }
    }

    private static func checkLabels(_ start: Int, _ end: Int, of bytes: Span<UInt8>) throws(URLSyntaxError) {
        var label = start
        for index in start..<end where bytes[index] == UInt8(ascii: ".") {
            guard index - label <= maximumLabel else { throw .longHost(offset: Int32(truncatingIfNeeded: label)) }
            label = index + 1
        }
        guard end - label <= maximumLabel else { throw .longHost(offset: Int32(truncatingIfNeeded: label)) }
    }

    /// Returns true if a byte can be the last of a number, decimal or hexadecimal; `0x` alone is one, too.
    private static func mayEndInNumber(_ byte: UInt8) -> Bool {
        byte.hexadecimalValue != nil || byte | 0x20 == UInt8(ascii: "x")
    }

    /// Returns true if the last label is a number to a browser: digits, or `0x` and hexadecimal digits.
    ///
    /// The host has at least one byte.
    @inline(__always) static func endsInNumber(_ start: Int, _ end: Int, of bytes: Span<UInt8>) -> Bool {
        mayEndInNumber(bytes[end &- 1]) && hasNumberAtEnd(start, end, of: bytes)
    }

    private static func hasNumberAtEnd(_ start: Int, _ end: Int, of bytes: Span<UInt8>) -> Bool {
        var label = end
        while label > start, bytes[label - 1] != UInt8(ascii: ".") { label -= 1 }
        guard label < end, bytes[label].isASCIIDigit else { return false }
        if bytes[label] == UInt8(ascii: "0"), end - label > 1, bytes[label + 1] | 0x20 == UInt8(ascii: "x") {
            for index in label + 2..<end where bytes[index].hexadecimalValue == nil { return false }
            return true
        }
        for index in label..<end where !bytes[index].isASCIIDigit { return false }
        return true
    }
}
