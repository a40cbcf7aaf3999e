/// Base64 of RFC 4648, section 4, with padding: as signatures and etcd's JSON gateway have it.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for index in 0..<3 { group = group &<< 8 | (index < count ? UInt32(bytes[start + index]) : 0) }
            for index in 0..<4 {
                let digit = Int((group &>> UInt32(18 - 6 * index)) & 63)
                text.append(index <= count ? alphabet[digit] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that a text stands for; nil unless it is the one text that `encode` returns for them.
    ///
    /// So no bit of a text can change without the bytes changing.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var padding = 0
        while padding < 2, padding < text.count, text[text.count - 1 - padding] == UInt8(ascii: "=") { padding += 1 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        for index in 0..<(text.count - padding) {
            guard let value = value(of: text[index]) else { return nil }
            group = group &<< 6 | value
            guard index % 4 == 3 else { continue }
            for shift in [UInt32(16), 8, 0] { bytes.append(UInt8(truncatingIfNeeded: group &>> shift)) }
            group = 0
        }
        // Bits that stand for nothing have to be zero.
        switch padding {
        case 1:
            guard group & 3 == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: group &>> 10))
            bytes.append(UInt8(truncatingIfNeeded: group &>> 2))
        case 2:
            guard group & 15 == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: group &>> 4))
        default: break
        }
        return bytes
    }

    /// The value of a digit; the last two digits of the alphabet are not the same everywhere.
    static func value(of digit: UInt8, ending last: (UInt8, UInt8) = (UInt8(ascii: "+"), UInt8(ascii: "/"))) -> UInt32?
    {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit &- UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit &- UInt8(ascii: "a")) &+ 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit &- UInt8(ascii: "0")) &+ 52
        case last.0: 62
        case last.1: 63
        default: nil
        }
    }
}
