extension UInt8 {
    @inlinable package var isASCIIDigit: Bool { self &- 0x30 < 10 }

    /// True if the byte is `A`–`Z` or `a`–`z`.
    @inlinable package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

    @inlinable package var isASCIIUppercase: Bool { self &- 0x41 < 26 }

    /// True if the byte is below 0x20 or is 0x7f.
    @inlinable package var isASCIIControl: Bool { self < 0x20 || self == 0x7f }

    /// The byte with `A`–`Z` turned into `a`–`z`, and any other byte unchanged.
    @inlinable package var asciiLowercased: UInt8 { isASCIIUppercase ? self | 0x20 : self }

    /// The value of the byte as a hexadecimal digit of either case.
    @inlinable package var hexadecimalValue: UInt8? {
        if isASCIIDigit { return self &- 0x30 }
        let letter = self | 0x20
        return letter &- 0x61 < 6 ? letter &- 0x57 : nil
    }

    /// The upper-case hexadecimal digit for the low four bits.
    @inlinable package var upperHexadecimalDigit: UInt8 {
        let value = self & 15
        return value < 10 ? 0x30 &+ value : 0x37 &+ value
    }

    /// The lower-case hexadecimal digit for the low four bits.
    @inlinable package var lowerHexadecimalDigit: UInt8 {
        let value = self & 15
        return value < 10 ? 0x30 &+ value : 0x57 &+ value
    }
}
