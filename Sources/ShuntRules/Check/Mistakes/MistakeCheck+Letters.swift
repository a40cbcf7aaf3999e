import ShuntCore

/// Words that look like others: letters of two alphabets side by side, and quotation marks that quote nothing.
extension MistakeCheck {
    mutating func checkLetters(_ directives: [CheckedDirective]) {
        var found: [(word: Word, code: DiagnosticCode, message: String, suggestion: String)] = []
        func check(_ word: Word) {
            guard word.bytes.contains(where: { $0 >= 0x80 }) else { return }
            let text = word.text
            if let first = text.unicodeScalars.first, !word.isQuoted, Self.isQuotationMark(first) {
                let message = "\(codePoint(first)) quotes nothing: it belongs to the text \(word.shownText)"
                found.append((word, .unusualQuote, message, "write \" instead"))
            } else if let letter = Self.lookalike(in: text) {
                let message = "\(codePoint(letter)) in \(word.shownText) looks like a letter of the alphabet around it"
                found.append((word, .mixedAlphabets, message, "write the letter that is meant"))
            }
        }
        Self.forEach(directives) { directive in
            directive.arguments.forEach(check)
            for entry in directive.entries {
                check(entry.name)
                entry.arguments.forEach(check)
            }
        }
        for problem in found {
            source.report(.warning(problem.code), problem.message, at: problem.word, suggestion: problem.suggestion)
        }
    }

    private static func isQuotationMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2018...0x201f, 0x00ab, 0x00bb, 0x300c...0x300f, 0xff02, 0xff07: true
        default: false
        }
    }

    /// The first letter that another alphabet's in the same run of letters can be mistaken for; ranges in brackets are
    /// not words.
    private static func lookalike(in text: String) -> Unicode.Scalar? {
        var hasLatin = false
        var other: Unicode.Scalar?
        var depth = 0
        for scalar in text.unicodeScalars {
            if scalar == "[" { depth += 1 }
            if scalar == "]" { depth = max(0, depth - 1) }
            switch scalar.value {
            case 0x41...0x5a, 0x61...0x7a: hasLatin = depth == 0 || hasLatin
            // Greek, Cyrillic, Armenian, Cherokee, and the letters of full width.
            case 0x370...0x3ff, 0x400...0x52f, 0x531...0x587, 0x13a0...0x13ff, 0xff21...0xff3a, 0xff41...0xff5a:
                if depth == 0, other == nil { other = scalar }
            default:
                if !scalar.properties.isAlphabetic {
                    hasLatin = false
                    other = nil
                }
            }
            if hasLatin, let other { return other }
        }
        return nil
    }
}
