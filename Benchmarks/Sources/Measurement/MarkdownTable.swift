import Foundation

/// Tables in Markdown that are readable as text.
public enum MarkdownTable {
    /// The text of a table.
    ///
    /// - Parameter rows: The rows, the head first, all of one length.
    /// - Returns: The lines.
    public static func text(_ rows: [[String]]) -> String {
        guard let head = rows.first else { return "" }
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let line = { (row: [String]) in
            "| "
                + zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
                .joined(separator: " | ")
                + " |\n"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|\n"
        return line(head) + rule + rows.dropFirst().map(line).joined()
    }
}
