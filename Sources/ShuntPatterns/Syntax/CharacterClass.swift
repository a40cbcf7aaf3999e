/// Classes of characters in the text of an expression.
package enum CharacterClass {
    /// The offset after the class that begins with the `[` at `start`; the end of the text where it is not closed.
    package static func end(in text: [UInt8], from start: Int) -> Int {
        var index = start + 1
        if index < text.count, text[index] == UInt8(ascii: "^") { index += 1 }
        if index < text.count, text[index] == UInt8(ascii: "]") { index += 1 }
        while index < text.count, text[index] != UInt8(ascii: "]") {
            if text[index] == UInt8(ascii: "\\") {
                index += 1
            } else if text[index...].starts(with: "[:".utf8) {
                while index < text.count, !text[index...].starts(with: ":]".utf8) { index += 1 }
                index += 1
            }
            index += 1
        }
        return min(index + 1, text.count)
    }
}
