/// The escapes of a case file: `\xNN`, `\\` and `\"` stand for one byte each; nothing else is special.
package enum ByteText {
    /// Turns escaped text into the bytes it stands for.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(text)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
                let next = bytes[index + 1]
                if next == UInt8(ascii: "\\") || next == UInt8(ascii: "\"") {
                    result.append(next)
                    index += 2
                    continue
                }
                if next == UInt8(ascii: "x"), index + 3 < bytes.count,
                    let high = hexadecimalDigit(bytes[index + 2]), let low = hexadecimalDigit(bytes[index + 3])
                {
                    result.append(high << 4 | low)
                    index += 4
                    continue
                }
            }
            result.append(byte)
            index += 1
        }
        return result
    }

    /// Turns bytes into printable text.
    ///
    /// `also` names further bytes that a line's own grammar needs escaped.
    package static func encode(_ bytes: some Sequence<UInt8>, also: Set<UInt8> = []) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        var result: [UInt8] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\\") {
                result += [byte, byte]
            } else if byte < 0x20 || byte >= 0x7f || also.contains(byte) {
                result += [UInt8(ascii: "\\"), UInt8(ascii: "x"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// Bytes as text for messages.
    package static func show(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: encode(bytes), as: UTF8.self)
    }

    package static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension [UInt8] {
    /// ASCII letters in lower case, everything else unchanged.
    package var lowercasedASCII: [UInt8] {
        map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// The bytes without spaces and tabs at both ends.
    package var trimmed: [UInt8] {
        let blank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let first = firstIndex(where: { !blank($0) }), let last = lastIndex(where: { !blank($0) }) else {
            return []
        }
        return Array(self[first...last])
    }

    /// Every occurrence of `needle` replaced, left to right.
    package func replacing(_ needle: [UInt8], with replacement: [UInt8]) -> [UInt8] {
        guard !needle.isEmpty, count >= needle.count else { return self }
        var result: [UInt8] = []
        var index = 0
        while index < count {
            if count - index >= needle.count, self[index..<index + needle.count].elementsEqual(needle) {
                result += replacement
                index += needle.count
            } else {
                result.append(self[index])
                index += 1
            }
        }
        return result
    }

    /// The place where `needle` occurs last.
    package func lastRange(of needle: [UInt8]) -> Range<Int>? {
        guard !needle.isEmpty, count >= needle.count else { return nil }
        for start in stride(from: count - needle.count, through: 0, by: -1)
        where self[start..<start + needle.count].elementsEqual(needle) {
            return start..<start + needle.count
        }
        return nil
    }

    /// Returns true if `needle` occurs.
    package func contains(sequence needle: [UInt8]) -> Bool {
        guard !needle.isEmpty, count >= needle.count else { return needle.isEmpty }
        return (0...count - needle.count).contains { self[$0..<$0 + needle.count].elementsEqual(needle) }
    }
}
