/// A version of at most four numbers up to 65,535 and nothing after them, as one number.
///
/// Such versions compare as `VersionComparison` compares them.
package struct ShortVersion: Sendable, Comparable {
    private let number: UInt64

    /// Reads a version; nil for a longer one, and for text that is not a version.
    package init?(_ bytes: Span<UInt8>) {
        var (number, part): (UInt64, UInt64) = (0, 0)
        var (parts, digits) = (1, 0)
        var index = 0
        if bytes.count > 0, bytes[0] | 0x20 == UInt8(ascii: "v") { index = 1 }
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte.isASCIIDigit {
                part = part &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
                digits += 1
                guard part <= 0xffff else { return nil }
            } else {
                guard byte == UInt8(ascii: "."), digits > 0, parts < 4 else { return nil }
                number = number &<< 16 | part
                (part, digits, parts) = (0, 0, parts + 1)
            }
        }
        guard digits > 0 else { return nil }
        self.number = (number &<< 16 | part) &<< UInt64(16 * (4 - parts))
    }

    @inline(__always)
    package static func < (left: ShortVersion, right: ShortVersion) -> Bool { left.number < right.number }
}
