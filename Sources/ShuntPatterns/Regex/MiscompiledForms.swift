/// Forms for which PCRE2's machine code finds other matches than its interpreter, which is right.
///
/// Seen with PCRE2 10.42, and asked of it by a test: after an atomic group machine code misses matches (`(?>c+?)$` on
/// `cc`), and after a possessive group (`(b)*+c`) it gives captures that are not there. Such patterns are interpreted.
enum MiscompiledForms {
    /// Whether a pattern may have such a form; true for some that have none, such as a class with the same bytes.
    static func mayBeIn(_ pattern: [UInt8]) -> Bool {
        for index in pattern.indices {
            switch pattern[index] {
            case UInt8(ascii: "("):
                // `(?>` and, among the words behind `(*`, `atomic:`.
                let rest = pattern[(index + 1)...].prefix(2)
                if rest.elementsEqual("?>".utf8) || rest.first == UInt8(ascii: "*") { return true }
            case UInt8(ascii: ")"):
                if isRepeatedPossessively(pattern[(index + 1)...]) { return true }
            default: continue
            }
        }
        return false
    }

    /// Whether a quantifier and a `+` begin `rest`; white space may stand between them where a pattern asks for it.
    private static func isRepeatedPossessively(_ rest: ArraySlice<UInt8>) -> Bool {
        var rest = rest.drop(while: isSpace)
        switch rest.first {
        case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"): rest = rest.dropFirst()
        case UInt8(ascii: "{"): rest = rest.drop { $0 != UInt8(ascii: "}") }.dropFirst()
        default: return false
        }
        return rest.drop(while: isSpace).first == UInt8(ascii: "+")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
