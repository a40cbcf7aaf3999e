import ShuntCore

/// Cuts a rule file into words and punctuation, exactly as nginx does.
///
/// Quotes count only as the first character of a word; `#` only where a word could begin; a backslash keeps the next
/// character from ending the word; `${` does not end it either. What nginx refuses is reported and corrected, so that
/// the rest of the file can be read.
struct Lexer {
    enum Token {
        case word(Word)
        case semicolon
        case openBrace
        case closeBrace
        case end
    }

    /// A comment that begins with `#:`.
    struct Note {
        var position: SourcePosition
        /// The text after the `#:` on its line.
        var text: Range<Int>
    }

    let file: RuleFile
    let fileIndex: Int32
    var problems = ProblemList()
    /// The notes that were passed so far.
    private(set) var notes: [Note] = []
    /// The expected kind of the next word.
    var expected = Expected.text

    /// The meaning of a brace in a word.
    enum Expected {
        /// It begins a block.
        case text
        /// It may be a regular expression, so that `{2}` in it is a forgotten quote.
        case expression
        /// It may be a pattern of a route, in which `{name}` is text.
        case routePattern
    }

    private let bytes: [UInt8]
    /// The first byte that no token was made of yet.
    private(set) var offset: Int
    private var line: Int32
    private var lineStart: Int
    /// True if a backslash was passed in the word that is being read.
    private var hasBackslash = false

    init(file: RuleFile, index: Int32, startingAt offset: Int = 0) {
        self.file = file
        self.fileIndex = index
        self.bytes = file.bytes
        self.offset = offset
        let place = file.place(of: offset)
        line = place.line
        lineStart = offset - Int(place.column) + 1
    }

    /// The place where the last token began.
    private(set) var tokenPosition = SourcePosition.none

    var tokenOffset: Int { file.offset(line: tokenPosition.line, column: tokenPosition.column) ?? offset }

    /// The notes that were passed since they were taken last.
    mutating func takeNotes() -> [Note] {
        defer { notes.removeAll(keepingCapacity: true) }
        return notes
    }

    private var position: SourcePosition {
        SourcePosition(file: fileIndex, line: line, column: Int32(truncatingIfNeeded: offset - lineStart + 1))
    }

    mutating func next() -> Token {
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\n"):
                passNewline()
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                offset += 1
            case UInt8(ascii: "#"):
                passComment()
            default:
                tokenPosition = position
                switch byte {
                case UInt8(ascii: ";"):
                    offset += 1
                    return .semicolon
                case UInt8(ascii: "{"):
                    offset += 1
                    return .openBrace
                case UInt8(ascii: "}"):
                    offset += 1
                    return .closeBrace
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    return .word(quotedWord(byte))
                default:
                    return .word(bareWord())
                }
            }
        }
        tokenPosition = position
        return .end
    }

    private mutating func passComment() {
        let start = offset
        let position = position
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
        guard start + 1 < offset, bytes[start + 1] == UInt8(ascii: ":") else { return }
        notes.append(Note(position: position, text: start + 2..<offset))
    }

    private mutating func passNewline() {
        offset += 1
        line += 1
        lineStart = offset
    }

    /// Passes one byte, or a backslash and the byte after it.
    private mutating func pass() {
        if bytes[offset] == UInt8(ascii: "\\") {
            hasBackslash = true
            offset += 1
        }
        guard offset < bytes.count else { return }
        if bytes[offset] == UInt8(ascii: "\n") { passNewline() } else { offset += 1 }
    }

    private mutating func bareWord() -> Word {
        let start = offset
        let position = position
        hasBackslash = false
        var braces: (line: Int32, column: Int32)?
        scanBare(from: start, braces: &braces)
        if let braces {
            // The ")" of a condition is not the expression's.
            let text = bytes[start..<offset]
            let opened = text.reduce(0) { $0 + ($1 == UInt8(ascii: "(") ? 1 : $1 == UInt8(ascii: ")") ? -1 : 0) }
            let end = opened < 0 && text.last == UInt8(ascii: ")") ? 1 : 0
            let message = "a word with \"{\" in it must be in quotes"
            let advice = "write \(shown(text.dropLast(end))) with its quotes" + (end > 0 ? " before the \")\"" : "")
            problems.append(file.diagnostic(.error(.unquotedBrace), message, at: braces, suggestion: advice))
        }
        return word(start..<offset, from: start, isQuoted: false, at: position)
    }

    /// Moves on to the end of a word without quotes.
    private mutating func scanBare(from start: Int, braces: inout (line: Int32, column: Int32)?) {
        var isAfterDollar = false
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ";"):
                return
            case UInt8(ascii: "{"):
                if !isAfterDollar {
                    if expected == .routePattern, let end = BracesInWord.nameEnd(in: bytes, at: offset) {
                        offset = end
                        continue
                    }
                    guard expected == .expression || bytes[start] == UInt8(ascii: "~"),
                        let end = BracesInWord.repetitionEnd(in: bytes, at: offset, start: start)
                    else { return }
                    if braces == nil { braces = (line, Int32(truncatingIfNeeded: offset - lineStart + 1)) }
                    offset = end
                    continue
                }
                offset += 1
                continue
            case UInt8(ascii: "$"):
                isAfterDollar = true
                offset += 1
                continue
            case UInt8(ascii: "\\"):
                pass()
            default:
                offset += 1
            }
            isAfterDollar = false
        }
    }

    /// Passes the code of a block that was just opened, up to and with the brace that closes it.
    ///
    /// Its content is another language's; false when it is not closed.
    mutating func passCode() -> Bool {
        let end = CodeBlock.end(in: bytes, from: offset)
        let limit = end.map { $0 + 1 } ?? bytes.count
        while offset < limit {
            if bytes[offset] == UInt8(ascii: "\n") { passNewline() } else { offset += 1 }
        }
        return end != nil
    }

    private mutating func quotedWord(_ quote: UInt8) -> Word {
        let start = offset
        let position = position
        let (startLine, startLineOffset) = (line, lineStart)
        hasBackslash = false
        offset += 1
        while offset < bytes.count, bytes[offset] != quote { pass() }
        let isClosed = offset < bytes.count
        let end = offset
        if isClosed { offset += 1 }
        let isTooLong = end - start > RuleLimits.wordBytes
        if isClosed, !isTooLong, isWordEnd(offset) {
            return word(start + 1..<end, from: start, isQuoted: true, at: position)
        }
        if isClosed, !isTooLong, line == startLine {
            let message = "unexpected \(shown(character(at: offset))) after the closing quote"
            let advice = "put a space after the quote, or a backslash before a quote that belongs to the text"
            let place = file.place(of: offset)
            problems.append(file.diagnostic(.error(.unexpectedCharacter), message, at: place, suggestion: advice))
            var braces: (line: Int32, column: Int32)?
            scanBare(from: offset, braces: &braces)
            return word(start + 1..<offset, from: start, isQuoted: true, at: position)
        }
        reportUnclosed(quote, at: position, end: isClosed ? end : nil, isTooLong: isTooLong)
        (line, lineStart) = (startLine, startLineOffset)
        offset = lineEnd(after: start)
        return word(start + 1..<offset, from: start, isQuoted: true, at: position)
    }

    /// Reports a quote without its other half; `end` is the quote that was taken for it further down.
    private mutating func reportUnclosed(_ quote: UInt8, at position: SourcePosition, end: Int?, isTooLong: Bool) {
        let name = quote == UInt8(ascii: "\"") ? "double" : "single"
        var notes: [Diagnostic] = []
        var message = "this \(name) quote is not closed"
        if isTooLong {
            message =
                "a word of more than \(RuleLimits.wordBytes) bytes (limit \"word\"): is the closing quote missing?"
        } else if let end {
            let note = "the next \(name) quote is here, and more text follows it"
            notes = [file.diagnostic(.note(.unclosedQuote), note, at: file.place(of: end))]
        }
        let code: DiagnosticCode = isTooLong ? .wordTooLong : .unclosedQuote
        let place = (position.line, position.column)
        let advice = "put a \(name) quote at the end of the text"
        problems.append(file.diagnostic(.error(code), message, at: place, suggestion: advice, notes: notes))
    }

    /// The end of the text on the line of `start`, before the punctuation that closes the line.
    private func lineEnd(after start: Int) -> Int {
        var end = start + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        while end > start + 1, " \t\r;{}".utf8.contains(bytes[end - 1]) { end -= 1 }
        return end
    }

    private func isWordEnd(_ offset: Int) -> Bool {
        guard offset < bytes.count else { return true }
        return switch bytes[offset] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        case UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: ")"): true
        default: false
        }
    }

    /// The bytes of the character at `offset`, the whole of it where it is UTF-8.
    private func character(at offset: Int) -> ArraySlice<UInt8> {
        var end = offset + 1
        while end < bytes.count, end - offset < 4, bytes[end] & 0xc0 == 0x80 { end += 1 }
        return bytes[offset..<end]
    }

    /// Makes a word of the bytes of `range`, with backslashes taken off.
    private mutating func word(_ range: Range<Int>, from start: Int, isQuoted: Bool, at position: SourcePosition)
        -> Word
    {
        var range = range
        if range.count > RuleLimits.wordBytes {
            let message = "a word of more than \(RuleLimits.wordBytes) bytes (limit \"word\")"
            problems.append(file.diagnostic(.error(.wordTooLong), message, at: (position.line, position.column)))
            range = range.lowerBound..<range.lowerBound + RuleLimits.wordBytes
        }
        return Word(
            bytes: hasBackslash ? Self.unescaped(bytes[range]) : Array(bytes[range]),
            isQuoted: isQuoted,
            position: position,
            sourceLength: Int32(truncatingIfNeeded: offset - start)
        )
    }
}
