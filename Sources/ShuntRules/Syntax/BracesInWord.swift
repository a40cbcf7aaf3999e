import ShuntCore

/// Braces in words without quotes that begin no block.
enum BracesInWord {
    /// The end of a repetition such as `{2}` or `{2,4}` at `offset`, or of an escape such as `\p{Lu}`, in a word that
    /// began at `start` and may be an expression; nil for any other brace.
    static func repetitionEnd(in bytes: [UInt8], at offset: Int, start: Int) -> Int? {
        var index = offset + 1
        if offset >= start + 2, bytes[offset - 2] == UInt8(ascii: "\\"), "pPxokgN".utf8.contains(bytes[offset - 1]) {
            while index < bytes.count, index - offset < 64,
                bytes[index].isASCIILetter || bytes[index].isASCIIDigit
                    || "_-^+ &".utf8.contains(bytes[index])
            {
                index += 1
            }
            return index < bytes.count && bytes[index] == UInt8(ascii: "}") ? index + 1 : nil
        }
        var digits = 0
        while index < bytes.count, index - offset < 16 {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: ","): if digits == 0 { return nil }
            case UInt8(ascii: "}"): return digits > 0 ? index + 1 : nil
            default: return nil
            }
            index += 1
        }
        return nil
    }

    /// The end of `{name}` at `offset`, as the routes of other routers have it; nil for any other brace.
    static func nameEnd(in bytes: [UInt8], at offset: Int) -> Int? {
        var index = offset + 1
        while index < bytes.count,
            bytes[index].isASCIILetter || bytes[index].isASCIIDigit || "_:*?-".utf8.contains(bytes[index])
        {
            index += 1
        }
        return index > offset + 1 && index < bytes.count && bytes[index] == UInt8(ascii: "}") ? index + 1 : nil
    }
}
