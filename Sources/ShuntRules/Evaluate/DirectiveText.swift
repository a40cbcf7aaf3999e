/// Shows a directive as it is written, for traces.
enum DirectiveText {
    private static let limit = 200

    /// The directive that begins at the start of `bytes`, up to its `;` or `{`, with white space folded.
    static func oneLine(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var quote: UInt8?
        var isEscaped = false
        for byte in bytes {
            if result.count >= limit {
                result += Array(" ...".utf8)
                break
            }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), result.last ?? 0x20 == 0x20 {
                quote = byte
            } else if byte == UInt8(ascii: ";") || (byte == UInt8(ascii: "{") && result.last != UInt8(ascii: "$")) {
                break
            } else if byte <= 0x20 {
                if result.last != 0x20 { result.append(0x20) }
                continue
            }
            result.append(byte)
        }
        while result.last == 0x20 { result.removeLast() }
        return String(decoding: result, as: UTF8.self)
    }
}
