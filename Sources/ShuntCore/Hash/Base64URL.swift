/// Base64 with `-` and `_`, as nginx's `secure_link` reads it.
package enum Base64URL {
    /// The bytes that `text` stands for, with the digits `-` and `_`, or `+` and `/` if it is not `isForURL`.
    ///
    /// As in nginx everything from the first `=` on is ignored, padding is not required, and bits that are left over at
    /// the end are dropped. Nil when another byte is not a digit, or when a single digit is left over.
    package static func decode(_ text: Span<UInt8>, isForURL: Bool = true) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3 + 3)
        let ending = isForURL ? (UInt8(ascii: "-"), UInt8(ascii: "_")) : (UInt8(ascii: "+"), UInt8(ascii: "/"))
        var bits: UInt32 = 0
        var digits = 0
        for index in text.indices {
            let byte = text[index]
            if byte == UInt8(ascii: "=") { break }
            guard let value = Base64.value(of: byte, ending: ending) else { return nil }
            bits = bits &<< 6 | value
            digits += 1
            switch digits & 3 {
            case 0: result.append(UInt8(truncatingIfNeeded: bits))
            case 2: result.append(UInt8(truncatingIfNeeded: bits &>> 4))
            case 3: result.append(UInt8(truncatingIfNeeded: bits &>> 2))
            default: break
            }
        }
        return digits & 3 == 1 ? nil : result
    }
}
