import ShuntCore

/// Looks for bytes that no rule file should have, before it is read.
///
/// nginx takes them all. They are refused because an editor shows another text than the program reads: a lone
/// carriage return hides the rest of a comment's line, a NUL ends a string in C, an escape character repaints a terminal.
enum TextCheck {
    struct Result {
        /// The place where the text begins, after a byte order mark.
        var start = 0
        /// True if it is text at all.
        var isText = true
        var problems: [Diagnostic] = []
    }

    /// Places reported in one file; the rest is left out.
    private static let reported = 10

    /// The place where the text of a file begins.
    static func start(of file: RuleFile) -> Int { file.bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0 }

    static func check(_ file: RuleFile) -> Result {
        var result = Result()
        result.start = start(of: file)
        if result.start > 0 {
            let message = "the file begins with a byte order mark"
            let advice = "save it as UTF-8 without one"
            result.problems.append(file.diagnostic(.error(.byteOrderMark), message, at: (1, 1), suggestion: advice))
        }
        var isUTF8 = true
        var offset = result.start
        while offset < file.bytes.count, result.problems.count < reported, result.isText {
            let byte = file.bytes[offset]
            if byte >= 0x80 {
                let length = characterLength(in: file.bytes, at: offset)
                if let length, let problem = unseen(in: file, at: offset, length: length) {
                    result.problems.append(problem)
                } else if length == nil, isUTF8 {
                    // The first is enough: in another encoding there are many.
                    isUTF8 = false
                    result.problems.append(notUTF8(file, at: offset))
                }
                offset += length ?? 1
                continue
            }
            offset += 1
            guard byte < 0x20 || byte == 0x7f, let problem = control(in: file, at: offset - 1) else { continue }
            if byte == 0 { result.isText = false }
            result.problems.append(problem)
        }
        return result
    }

    private static func control(in file: RuleFile, at offset: Int) -> Diagnostic? {
        let bytes = file.bytes
        let message: String
        var suggestion = "remove it"
        switch bytes[offset] {
        case UInt8(ascii: "\t"), UInt8(ascii: "\n"):
            return nil
        case UInt8(ascii: "\r"):
            if offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "\n") { return nil }
            message = "a carriage return without a line feed"
        case 0 where bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]):
            (message, suggestion) = ("the file is in UTF-16", "save the file as UTF-8")
        default:
            message = "the control byte \(codePoint(Unicode.Scalar(bytes[offset]))) is not allowed in a rule file"
        }
        return file.diagnostic(.error(.controlByte), message, at: file.place(of: offset), suggestion: suggestion)
    }

    // MARK: Beyond ASCII

    /// The number of bytes of the character at `offset`; nil where there is none of UTF-8.
    private static func characterLength(in bytes: [UInt8], at offset: Int) -> Int? {
        let length =
            switch bytes[offset] {
            case 0xc2...0xdf: 2
            case 0xe0...0xef: 3
            case 0xf0...0xf4: 4
            default: 0
            }
        guard length > 0, offset + length <= bytes.count else { return nil }
        return String(validating: bytes[offset..<offset + length], as: UTF8.self) == nil ? nil : length
    }

    /// Warns of characters that no one sees.
    private static func unseen(in file: RuleFile, at offset: Int, length: Int) -> Diagnostic? {
        let text = String(decoding: file.bytes[offset..<offset + length], as: UTF8.self)
        guard let scalar = text.unicodeScalars.first else { return nil }
        let (code, message): (DiagnosticCode, String)
        var suggestion = "remove it"
        switch scalar.value {
        case 0x202a...0x202e, 0x2066...0x2069:
            code = .bidirectionalControl
            message = "\(codePoint(scalar)) makes the line look different from its content"
        case 0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x200b...0x200f, 0x2060...0x2064, 0x3164,
            0xfeff, 0xffa0, 0xe0000...0xe007f:
            code = .unseenCharacter
            message = "\(codePoint(scalar)) is an invisible character"
        case 0x00a0, 0x2000...0x200a, 0x202f, 0x205f, 0x3000:
            code = .unseenCharacter
            message = "\(codePoint(scalar)) looks like a space, and belongs to the word that it is in"
            suggestion = "write a space"
        default:
            return nil
        }
        return file.diagnostic(.warning(code), message, at: file.place(of: offset), suggestion: suggestion)
    }

    private static func notUTF8(_ file: RuleFile, at offset: Int) -> Diagnostic {
        let byte = file.bytes[offset]
        let digits = [byte >> 4, byte].map { Character(Unicode.Scalar($0.lowerHexadecimalDigit)) }
        let message = "the byte 0x\(String(digits)) is not UTF-8, and an editor shows another character for it"
        let place = file.place(of: offset)
        return file.diagnostic(.warning(.invalidUTF8), message, at: place, suggestion: "save the file as UTF-8")
    }
}
