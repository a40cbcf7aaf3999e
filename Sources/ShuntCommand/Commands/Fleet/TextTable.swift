#if Command && Fleet
/// Columns of text, each as wide as its widest cell.
struct TextTable {
    private var rows: [[String]] = []

    mutating func add(_ row: [String]) { rows.append(row) }

    /// The lines; the last column is as long as it is.
    var text: String {
        var widths: [Int] = []
        for row in rows {
            for (index, cell) in row.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], cell.count)
            }
        }
        return
            rows.map { row in
                var line = ""
                for (index, cell) in row.enumerated() {
                    line += index == row.count - 1 ? cell : cell.padded(to: widths[index] + 2)
                }
                while line.hasSuffix(" ") { line.removeLast() }
                return line + "\n"
            }
            .joined()
    }
}

extension String {
    /// The text with spaces after it.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text without what a terminal would take for a command: a store may have been written by anybody.
    var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter { scalar in
                    scalar == "\n" || scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value)
                }
            )
        )
    }

    /// The first line of a text for a table, printable.
    var firstLine: String { split(whereSeparator: \.isNewline).first.map { String($0).printable } ?? "" }
}
#endif
