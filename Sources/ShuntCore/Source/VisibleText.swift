/// Text made safe and exact for a terminal: what would move the cursor, colour the screen or turn the reading direction is
/// written out, and the width of everything is known.
enum VisibleText {
    /// Returns the text for a scalar, and its columns.
    ///
    /// A tab fills up to the next multiple of 4 columns. Control characters become `\x1b`, and characters that steer
    /// the direction or have no shape become `<U+202E>`.
    static func rendering(of scalar: Unicode.Scalar, atColumn column: Int) -> (text: String, width: Int) {
        let value = scalar.value
        if value == 9 {
            let width = 4 - column % 4
            return (String(repeating: " ", count: width), width)
        }
        if value < 0x20 || value == 0x7f {
            let digits = [UInt8(truncatingIfNeeded: value >> 4), UInt8(truncatingIfNeeded: value)]
            return ("\\x" + String(decoding: digits.map(\.lowerHexadecimalDigit), as: UTF8.self), 4)
        }
        if value < 0x7f { return (String(Character(scalar)), 1) }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            let text = "<U+" + String(value, radix: 16, uppercase: true).paddedWithZeros(to: 4) + ">"
            return (text, text.utf8.count)
        case .nonspacingMark, .enclosingMark: return (String(Character(scalar)), 0)
        default: return (String(Character(scalar)), isWide(value) ? 2 : 1)
        }
    }

    /// `text` on one line, with nothing in it that a terminal obeys.
    static func oneLine(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars { result += scalar == "\t" ? "\\t" : rendering(of: scalar, atColumn: 0).text }
        return result
    }

    /// Returns true if terminals show the character in two columns: the main blocks of Unicode's East Asian wide
    /// characters.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
            0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1f6ff, 0x1f900...0x1f9ff,
            0x20000...0x3fffd:
            true
        default: false
        }
    }
}
