import Shunt

/// Columns of text, each as wide as its widest cell.
struct TextTable {
    private var rows: [[String]] = []
    /// The most that a column is padded to.
    private let maximum: Int

    init(maximum: Int = .max) { self.maximum = maximum }

    mutating func add(_ row: [String]) { rows.append(row) }

    /// The lines; the last column has its own length.
    var text: String {
        var widths: [Int] = []
        for row in rows {
            for (index, cell) in row.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = min(maximum, max(widths[index], cell.unicodeScalars.count))
            }
        }
        return
            rows.map { row in
                var line = zip(row.dropLast(), widths).map { $0.padded(to: $1) + "  " }.joined() + (row.last ?? "")
                while line.hasSuffix(" ") { line.removeLast() }
                return line + "\n"
            }
            .joined()
    }
}

extension String {
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
