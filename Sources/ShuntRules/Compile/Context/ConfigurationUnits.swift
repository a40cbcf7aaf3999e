import ShuntCore

/// Times and sizes as nginx writes them.
enum ConfigurationUnits {
    /// Whether a text is a time such as `30m` or `1h30m`.
    static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
        var digits = 0
        for byte in bytes {
            if byte.isASCIIDigit {
                digits += 1
            } else {
                guard digits > 0, "smhdwMy".utf8.contains(byte) else { return false }
                digits = 0
            }
        }
        return bytes.first?.isASCIIDigit ?? false
    }

    /// The bytes that a size such as `8k` or `1m` stands for; nil when it is none.
    static func size(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let last = bytes.last else { return nil }
        switch last | 0x20 {
        case UInt8(ascii: "k"): return bytes.dropLast().decimalNumber.map { $0 << 10 }
        case UInt8(ascii: "m"): return bytes.dropLast().decimalNumber.map { $0 << 20 }
        default: return bytes.decimalNumber
        }
    }
}
