/// A line of the formatted file before its columns are aligned.
struct FormattedLine {
    /// A comment at the end of a line.
    struct Comment {
        var text: [UInt8]
        /// The column it was at.
        var column: Int
        /// True if it was one column away from what is before it.
        var isClose: Bool
    }

    /// A word of a line that may be part of a table.
    struct Cell {
        var text: [UInt8]
        /// The columns before it: 0 for a word that follows a quoted one without a space.
        var gap: Int
    }

    /// The depth of the indentation.
    var level = 0
    /// The text, where it is not a part of a table.
    var text: [UInt8] = []
    /// The words of a directive that is a line, with the `;` at the last.
    var cells: [Cell] = []
    /// The key that the lines of a table share; nil for a line outside of tables.
    var table: [UInt8]?
    var comment: Comment?

    /// True if it is a comment only.
    var isComment = false
    var isEmpty: Bool { text.isEmpty && cells.isEmpty }
}

/// The width of a text: its characters.
func width(_ text: some Sequence<UInt8>) -> Int {
    text.reduce(into: 0) { width, byte in
        if byte & 0xc0 != 0x80 { width += 1 }
    }
}
