import ShuntCore

/// Text from a file as a message shows it: in quotes, on one line, without control bytes, and not too long.
package func shown(_ bytes: some Sequence<UInt8>) -> String {
    let limit = 80
    var head: [UInt8] = []
    var isCut = false
    for byte in bytes {
        if head.count == limit {
            isCut = true
            break
        }
        head.append(byte)
    }
    var text = "\""
    for scalar in String(decoding: head, as: UTF8.self).unicodeScalars {
        switch scalar.value {
        case 0x0a: text += "\\n"
        case 0x0d: text += "\\r"
        case 0x09: text += "\\t"
        case 0..<0x20, 0x7f..<0xa0, 0x202a...0x202e, 0x2066...0x2069: text += "<\(codePoint(scalar))>"
        default: text.unicodeScalars.append(scalar)
        }
    }
    return text + (isCut ? "…\"" : "\"")
}

/// A character's name as Unicode writes it, such as `U+202E`.
package func codePoint(_ scalar: Unicode.Scalar) -> String {
    "U+" + String(scalar.value, radix: 16, uppercase: true).paddedWithZeros(to: 4)
}

extension Word {
    package var shownText: String { shown(bytes) }
}
