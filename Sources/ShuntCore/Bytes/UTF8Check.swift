/// Tells whether bytes are well-formed UTF-8 (Unicode, table 3-7: no overlong forms, no surrogates).
package enum UTF8Check {
    /// Returns true if `bytes` are well-formed UTF-8.
    package static func isValid(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            let lead = bytes[index]
            if lead < 0x80 {
                index += 1
                continue
            }
            let length: Int
            var lowest: UInt8 = 0x80
            var highest: UInt8 = 0xbf
            switch lead {
            case 0xc2...0xdf:
                length = 2
            case 0xe0...0xef:
                length = 3
                if lead == 0xe0 { lowest = 0xa0 }
                if lead == 0xed { highest = 0x9f }
            case 0xf0...0xf4:
                length = 4
                if lead == 0xf0 { lowest = 0x90 }
                if lead == 0xf4 { highest = 0x8f }
            default:
                return false
            }
            guard bytes.count - index >= length, bytes[index + 1] >= lowest, bytes[index + 1] <= highest else {
                return false
            }
            for offset in 2..<max(2, length) where bytes[index + offset] & 0xc0 != 0x80 { return false }
            index += length
        }
        return true
    }
}
