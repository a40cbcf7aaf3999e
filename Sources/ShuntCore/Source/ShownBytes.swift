/// Bytes as text that a terminal shows and does not obey.
package enum ShownBytes {
    /// The bytes as UTF-8; control characters, what is not UTF-8 and what steers the direction of text become `\xNN`.
    package static func text(_ bytes: [UInt8]) -> String {
        if bytes.allSatisfy({ $0 > 0x1f && $0 < 0x7f }) { return String(decoding: bytes, as: UTF8.self) }
        var result = ""
        var offset = 0
        while offset < bytes.count {
            let length = visibleLength(bytes, at: offset)
            if length == 0 {
                let byte = bytes[offset]
                result += "\\x"
                result.unicodeScalars.append(Unicode.Scalar((byte >> 4).lowerHexadecimalDigit))
                result.unicodeScalars.append(Unicode.Scalar(byte.lowerHexadecimalDigit))
                offset += 1
            } else {
                result += String(decoding: bytes[offset..<offset + length], as: UTF8.self)
                offset += length
            }
        }
        return result
    }

    /// The text with the same replaced.
    package static func text(_ text: String) -> String { self.text(Array(text.utf8)) }

    /// The number of bytes of the visible character at an offset, or 0.
    private static func visibleLength(_ bytes: [UInt8], at offset: Int) -> Int {
        let lead = bytes[offset]
        if lead < 0x80 { return lead < 0x20 || lead == 0x7f ? 0 : 1 }
        let length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
        guard offset + length <= bytes.count,
            let text = String(validating: bytes[offset..<offset + length], as: UTF8.self),
            let scalar = text.unicodeScalars.first
        else { return 0 }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return 0
        default: return length
        }
    }
}
