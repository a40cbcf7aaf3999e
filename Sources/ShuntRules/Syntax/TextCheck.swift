import ShuntCore

/// Looks for bytes that no rule file should have, before it is read.
///
/// nginx takes them all. They are refused because an editor shows another text than the one that is read: a lone
/// carriage return hides the rest of a comment's line, a NUL ends a string in C, an escape character repaints a terminal.
enum TextCheck {
    /// How a file may be used.
    struct Result {
        /// Where the text begins, after a byte order mark.
        var start = 0
        /// Whether it is text at all.
        var isText = true
        /// What is wrong.
        var problems: [Diagnostic] = []
    }

    /// Places reported in one file; the rest is left out.
    private static let reported = 10

    /// Checks a file.
    static func check(_ file: RuleFile) -> Result {
        var result = Result()
        if file.bytes.starts(with: [0xef, 0xbb, 0xbf]) {
            result.start = 3
            result.problems.append(
                file.diagnostic(
                    .error,
                    code: "byte-order-mark",
                    message: "the file begins with a byte order mark",
                    line: 1,
                    column: 1,
                    suggestion: "save it as UTF-8 without one"
                )
            )
        }
        for (offset, byte) in file.bytes.enumerated() {
            if byte >= 0x20, byte != 0x7f, byte != 0xe2 { continue }
            guard let problem = problem(in: file, at: offset) else { continue }
            if byte == 0 { result.isText = false }
            result.problems.append(problem)
            if result.problems.count >= reported || !result.isText { break }
        }
        return result
    }

    private static func problem(in file: RuleFile, at offset: Int) -> Diagnostic? {
        let bytes = file.bytes
        let byte = bytes[offset]
        var severity = Diagnostic.Severity.error
        var code = "control-byte"
        let message: String
        switch byte {
        case UInt8(ascii: "\t"), UInt8(ascii: "\n"):
            return nil
        case UInt8(ascii: "\r"):
            if offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "\n") { return nil }
            message = "a carriage return without a line feed"
        case 0xe2:
            guard offset + 2 < bytes.count, bytes[offset + 1] == 0x80 || bytes[offset + 1] == 0x81 else { return nil }
            let last = UInt32(bytes[offset + 2] & 0x3f)
            guard let scalar = Unicode.Scalar(0x2000 | UInt32(bytes[offset + 1] & 1) &<< 6 | last) else { return nil }
            switch scalar.value {
            case 0x202a...0x202e, 0x2066...0x2069: break
            default: return nil
            }
            severity = .warning
            code = "bidirectional-control"
            message = "\(codePoint(scalar)) makes the line look different from what it says"
        default:
            message = "the control byte \(codePoint(Unicode.Scalar(byte))) is not allowed in a rule file"
        }
        let place = file.place(of: offset)
        return file.diagnostic(
            severity,
            code: code,
            message: message,
            line: place.line,
            column: place.column,
            suggestion: "take it out"
        )
    }
}
