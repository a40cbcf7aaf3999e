package import ShuntCore

/// The meaning of PCRE2's escapes and named classes, on bytes without Unicode properties, in the C locale.
extension ByteSet {
    /// `\d`.
    package static let digits = ByteSet(UInt8(ascii: "0")...UInt8(ascii: "9"))
    /// `\w`.
    package static let word = alphanumerics.union(ByteSet(ascii: "_"))
    /// `\s`.
    package static let space = ByteSet([9, 10, 11, 12, 13, 32])
    /// `\h`.
    static let horizontalSpace = ByteSet([9, 32, 0xA0])
    /// `\v`.
    static let verticalSpace = ByteSet([10, 11, 12, 13, 0x85])
    /// `.` without `(?s)`.
    static let notLineFeed = ByteSet([10]).inverted

    /// The members of `[:name:]`; nil for a name that PCRE2 does not have.
    static func named(_ name: [UInt8]) -> ByteSet? {
        let letters = ByteSet(0x41...0x5a).union(ByteSet(0x61...0x7a))
        return switch String(decoding: name, as: UTF8.self) {
        case "alnum": alphanumerics
        case "alpha": letters
        case "ascii": ByteSet(0...0x7f)
        case "blank": ByteSet([9, 32])
        case "cntrl": ByteSet(0...0x1f).union(ByteSet([0x7f]))
        case "digit": digits
        case "graph": ByteSet(0x21...0x7e)
        case "lower": ByteSet(0x61...0x7a)
        case "print": ByteSet(0x20...0x7e)
        case "punct": ByteSet((0x21...0x7e).filter { !alphanumerics.contains($0) })
        case "space": space
        case "upper": ByteSet(0x41...0x5a)
        case "word": word
        case "xdigit": ByteSet(ascii: "0123456789abcdefABCDEF")
        default: nil
        }
    }
}
