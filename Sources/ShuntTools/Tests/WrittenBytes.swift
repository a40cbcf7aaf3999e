import ShuntCore

/// Bytes as test files write them: what cannot be seen, and a backslash, is written `\xNN`.
enum WrittenBytes {
    /// Takes the escapes out.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8] {
        let bytes = Array(text)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\"), index + 3 < bytes.count, bytes[index + 1] == UInt8(ascii: "x"),
                let high = bytes[index + 2].hexadecimalValue, let low = bytes[index + 3].hexadecimalValue
            {
                result.append(UInt8(truncatingIfNeeded: high << 4 | low))
                index += 4
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// Puts the escapes in; also for the bytes of `special`, such as a quote.
    static func encode(_ bytes: [UInt8], escaping special: String = "") -> String {
        let escaped = Set(special.utf8)
        let isText = bytes.span.isUTF8
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                byte == UInt8(ascii: "\\") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "x")
            if byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !isText) || escaped.contains(byte) || isEscape {
                result += [
                    UInt8(ascii: "\\"), UInt8(ascii: "x"), (byte >> 4).lowerHexadecimalDigit,
                    byte.lowerHexadecimalDigit,
                ]
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
