/// Backslashes.
extension Lexer {
    /// Takes off the backslashes that the grammar knows.
    ///
    /// They are `\"`, `\'`, `\\`, `\t`, `\r` and `\n`; any other stays with what follows it.
    static func unescaped(_ source: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        var index = source.startIndex
        while index < source.endIndex {
            if let escape = escapedByte(in: source, at: index) {
                result.append(escape)
                index += 2
            } else {
                result.append(source[index])
                index += 1
            }
        }
        return result
    }

    /// The byte that the escape at `index` stands for; nil when there is none.
    static func escapedByte(in source: ArraySlice<UInt8>, at index: Int) -> UInt8? {
        guard source[index] == UInt8(ascii: "\\"), index + 1 < source.endIndex else { return nil }
        let byte = source[index + 1]
        return switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): byte
        case UInt8(ascii: "t"): UInt8(ascii: "\t")
        case UInt8(ascii: "r"): UInt8(ascii: "\r")
        case UInt8(ascii: "n"): UInt8(ascii: "\n")
        default: nil
        }
    }
}
