/// Puts comments at the ends of lines that were below each other below each other again.
enum CommentAlignment {
    /// Sets for each line the column at which its comment begins; nil for lines without one.
    static func columns(of lines: [FormattedLine], indentation: Int) -> [Int?] {
        var columns = [Int?](repeating: nil, count: lines.count)
        var start = 0
        while start < lines.count {
            guard let comment = lines[start].comment else {
                start += 1
                continue
            }
            var end = start + 1
            while end < lines.count, let next = lines[end].comment, next.column == comment.column { end += 1 }
            let run = lines[start..<end]
            let widest = run.map { self.end(of: $0, indentation) }.max() ?? 0
            let isClose = run.contains { $0.comment?.isClose == true }
            for index in start..<end { columns[index] = widest + (isClose ? 1 : 2) }
            start = end
        }
        return columns
    }

    /// The column after the text of a line.
    static func end(of line: FormattedLine, _ indentation: Int) -> Int {
        guard let lineBreak = line.text.lastIndex(of: UInt8(ascii: "\n")) else {
            return line.level * indentation + width(line.text)
        }
        return width(line.text[(lineBreak + 1)...])
    }
}
