import ShuntRules

/// A word, a mark of punctuation or a comment, and how it was in the file.
struct Piece {
    enum Kind: Equatable {
        case word
        case semicolon
        case openBrace
        case code
        case closeBrace
        /// From its `#` to the last byte of its line that is not white space.
        case comment
    }

    var kind: Kind
    /// Its bytes in the file.
    var range: Range<Int>
    var isFirstOnLine: Bool
    /// True if an empty line is before it.
    var isAfterEmptyLine: Bool
    /// The columns between it and what is before it on its line.
    var gap: Int
    /// The column it begins at, from 0.
    var column: Int
    /// True if it goes over more than one line.
    var hasLineBreak: Bool
}

/// Takes a file apart into pieces.
///
/// A column is a character; a tab continues to the next multiple of eight.
struct PieceReader {
    private let bytes: [UInt8]
    private(set) var pieces: [Piece] = []
    private var offset: Int
    private var column = 0
    private var gap = 0
    private var isLineStart = true
    private var isAfterEmptyLine = false

    init(_ bytes: [UInt8], _ tokens: [FileTokens.Token]) {
        self.bytes = bytes
        offset = 0
        pieces.reserveCapacity(tokens.count)
        for token in tokens {
            passSpace(until: token.range.lowerBound)
            append(Self.kind(of: token.kind), token.range)
        }
        passSpace(until: bytes.count)
    }

    private static func kind(of kind: FileTokens.Kind) -> Piece.Kind {
        switch kind {
        case .word: .word
        case .semicolon: .semicolon
        case .openBrace: .openBrace
        case .code: .code
        case .closeBrace: .closeBrace
        }
    }

    private mutating func passSpace(until end: Int) {
        while offset < end {
            switch bytes[offset] {
            case UInt8(ascii: "\n"):
                isAfterEmptyLine = isAfterEmptyLine || isLineStart
                isLineStart = true
                (column, gap) = (0, 0)
                offset += 1
            case UInt8(ascii: "\t"):
                let next = (column / 8 + 1) * 8
                (column, gap) = (next, gap + next - column)
                offset += 1
            case UInt8(ascii: "#"):
                var comment = offset
                while comment < end, bytes[comment] != UInt8(ascii: "\n") { comment += 1 }
                let next = comment
                while comment > offset, " \t\r".utf8.contains(bytes[comment - 1]) { comment -= 1 }
                append(.comment, offset..<comment)
                offset = next
            case UInt8(ascii: "\r"): offset += 1
            default:
                (column, gap) = (column + 1, gap + 1)
                offset += 1
            }
        }
    }

    private mutating func append(_ kind: Piece.Kind, _ range: Range<Int>) {
        let start = column
        var hasLineBreak = false
        for index in range {
            if bytes[index] == UInt8(ascii: "\n") {
                (column, hasLineBreak) = (0, true)
            } else if bytes[index] & 0xc0 != 0x80 {
                column += 1
            }
        }
        pieces.append(
            Piece(
                kind: kind,
                range: range,
                isFirstOnLine: isLineStart,
                isAfterEmptyLine: isAfterEmptyLine && !pieces.isEmpty,
                gap: isLineStart ? 0 : gap,
                column: start,
                hasLineBreak: hasLineBreak
            )
        )
        (isLineStart, isAfterEmptyLine, gap) = (false, false, 0)
        offset = range.upperBound
    }
}
