/// The part of a source line that is shown, and where its caret goes, in columns of a terminal.
struct SourceExcerpt {
    /// The text to print; `…` marks an end that was cut.
    private(set) var text = ""
    /// The number of columns before the caret.
    private(set) var caretColumn = 0
    /// The number of underlined columns, at least one.
    private(set) var caretWidth = 1

    /// One character as it is shown.
    private struct Cell {
        var text: String
        var column: Int
        var width: Int
        var byteOffset: Int
    }

    /// Lays out `line`; `column` is the byte the caret points at, from 1, and one past the end points after the line.
    init(_ line: String, column: Int, length: Int, maximumColumns: Int) {
        let target = min(max(1, column) - 1, line.utf8.count)
        let targetEnd = length < line.utf8.count - target ? target + max(1, length) : line.utf8.count
        // Only characters near the caret can be shown, so a huge line costs no memory: cells that no window around the
        // caret can reach are dropped as the line is gone through.
        var cells: [Cell] = []
        var width = 0
        var byteOffset = 0
        var start = -1
        var end = -1
        for scalar in line.unicodeScalars {
            let shown = VisibleText.rendering(of: scalar, atColumn: width)
            let next = byteOffset + UTF8.width(scalar)
            if start < 0, next > target { start = width }
            if end < 0, byteOffset >= targetEnd, start >= 0 { end = width }
            cells.append(Cell(text: shown.text, column: width, width: shown.width, byteOffset: byteOffset))
            width += shown.width
            byteOffset = next
            if start < 0, cells.count > 4 * maximumColumns { cells.removeFirst(2 * maximumColumns) }
            if start >= 0, width - start > 2 * maximumColumns { break }
        }
        if start < 0 { start = width }
        if end < 0 { end = max(width, start + 1) }
        show(cells, from: start, to: max(end, start + 1), isComplete: byteOffset == line.utf8.count, maximumColumns)
    }

    private mutating func show(_ cells: [Cell], from start: Int, to end: Int, isComplete: Bool, _ maximumColumns: Int) {
        let width = cells.last.map { $0.column + $0.width } ?? 0
        var first = 0
        var last = width
        if width > maximumColumns || !isComplete {
            // Two thirds of the window lie after the caret: what follows an error explains it best.
            first = max(0, min(start - maximumColumns / 3, width - maximumColumns + 1))
            last = first + maximumColumns - (first > 0 ? 1 : 0)
            if last < width || !isComplete { last -= 1 }
        }
        var shownFrom = -1
        for cell in cells where cell.column >= first && cell.column + cell.width <= last {
            if shownFrom < 0 { shownFrom = cell.column }
            text += cell.text
        }
        if shownFrom < 0 { shownFrom = first }
        let isCutLeft = shownFrom > 0
        if isCutLeft { text = "…" + text }
        if last < width || !isComplete { text += "…" }
        caretColumn = max(0, start - shownFrom + (isCutLeft ? 1 : 0))
        caretWidth = max(1, min(end, max(last, start + 1)) - start)
        while text.last == " " { text.removeLast() }
    }
}
