/// Puts the words of lines that are a table below each other.
///
/// Lines of the same directive, or the entries of a `map`, without an empty line or a block between them, are a table
/// when words in them are two columns apart or more: those places are its columns. All else is one column apart.
enum TableAlignment {
    /// Turns the cells of all lines into text.
    static func align(_ lines: inout [FormattedLine]) {
        var start = 0
        while start < lines.count {
            guard let table = lines[start].table else {
                start += 1
                continue
            }
            var rows = [start]
            var index = start + 1
            while index < lines.count, lines[index].level == lines[start].level {
                if lines[index].table == table {
                    rows.append(index)
                } else if !lines[index].isComment {
                    break
                }
                index += 1
            }
            align(rows, in: &lines)
            start = rows[rows.count - 1] + 1
        }
    }

    private static func align(_ rows: [Int], in lines: inout [FormattedLine]) {
        let columns = self.columns(rows.map { lines[$0].cells })
        var widths: [Int] = []
        for row in columns {
            for (place, text) in row.dropLast().enumerated() {
                if place == widths.count { widths.append(0) }
                widths[place] = max(widths[place], width(text))
            }
        }
        for (row, texts) in zip(rows, columns) {
            var text: [UInt8] = []
            for (place, column) in texts.enumerated() {
                text += column
                guard place + 1 < texts.count else { continue }
                text += [UInt8](repeating: UInt8(ascii: " "), count: widths[place] - width(column) + 2)
            }
            lines[row].text = text
            lines[row].cells = []
        }
    }

    /// The texts of the columns of each row.
    ///
    /// Where all rows have as many words, a column begins where it does in one of them.
    private static func columns(_ rows: [[FormattedLine.Cell]]) -> [[[UInt8]]] {
        let isEven = rows.allSatisfy { $0.count == rows[0].count }
        var begins: Set<Int> = []
        if isEven { for row in rows { begins.formUnion(row.indices.filter { isColumn(row, $0) }) } }
        return rows.map { row in
            var columns: [[UInt8]] = []
            for (place, cell) in row.enumerated() {
                let isColumn = isEven ? begins.contains(place) && cell.gap > 0 : isColumn(row, place)
                if place == 0 || isColumn {
                    columns.append(cell.text)
                } else {
                    columns[columns.count - 1] += (cell.gap > 0 ? Array(" ".utf8) : []) + cell.text
                }
            }
            return columns
        }
    }

    /// Returns true if a column begins at a word: two spaces are before it, and not the operator that it belongs to.
    private static func isColumn(_ row: [FormattedLine.Cell], _ place: Int) -> Bool {
        place > 0 && row[place].gap > 1 && !(place > 1 && operators.contains(row[place - 1].text))
    }

    private static let operators: Set<[UInt8]> = Set(["=", "^~", "~", "~*", "!~", "!~*", "!="].map { Array($0.utf8) })
}
