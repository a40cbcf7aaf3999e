/// Writes the items of a file as lines, one directive a line.
struct LineMaker {
    private let bytes: [UInt8]
    private let form: RuleFormat
    private(set) var lines: [FormattedLine] = []

    init(_ bytes: [UInt8], _ form: RuleFormat) {
        self.bytes = bytes
        self.form = form
    }

    /// Writes the items of a block, or of a file; `table` is the name of a block whose entries are a table.
    mutating func write(_ items: [FormTree.Item], level: Int, table: [UInt8]? = nil) {
        var index = 0
        while index < items.count {
            if index > 0, items[index].first.isAfterEmptyLine { lines.append(FormattedLine()) }
            switch items[index] {
            case .comment(let piece):
                lines.append(FormattedLine(level: level, text: Array(bytes[piece.range]), isComment: true))
                index += 1
            case .directive(let directive):
                let branches = self.branches(after: directive, in: items[(index + 1)...])
                write([directive] + branches, level: level, table: table)
                index += 1 + branches.count
            }
        }
    }

    /// The `else` blocks that continue where a block ends, with nothing between them.
    private func branches(after directive: FormTree.Directive, in items: ArraySlice<FormTree.Item>)
        -> [FormTree.Directive]
    {
        var last = directive
        var result: [FormTree.Directive] = []
        for case .directive(let next) in items {
            guard case .block = last.end, last.comment == nil, bytes[next.head[0].range].elementsEqual("else".utf8),
                items.count > result.count, case .directive = items[items.startIndex + result.count]
            else { break }
            result.append(next)
            last = next
        }
        return result
    }

    private mutating func write(_ chain: [FormTree.Directive], level: Int, table: [UInt8]?) {
        if let text = oneLine(chain), level * form.indentation.width + width(text) <= form.width {
            let comment = chain.last?.comment
            return lines.append(FormattedLine(level: level, text: text, comment: comment.map(self.comment)))
        }
        for (number, directive) in chain.enumerated() {
            writeHead(directive, level: level, isBranch: number > 0, table: table)
            switch directive.end {
            case .semicolon: attach(directive.comment)
            case .code(_, let code):
                lines[lines.count - 1].text += bytes[code.range]
                lines[lines.count - 1].text.append(UInt8(ascii: "}"))
                attach(directive.comment)
            case .block(let block):
                attach(block.comment)
                let name = bytes[directive.head[0].range]
                write(block.items, level: level + 1, table: Self.isTable(Array(name)) ? Array(name) : nil)
                lines.append(FormattedLine(level: level, text: Array("}".utf8)))
                attach(directive.comment)
            }
        }
    }

    /// Returns true if the entries of a block are rows of a table.
    static func isTable(_ name: [UInt8]) -> Bool { tables.contains(name) }

    private static let tables = ["map", "geo", "split_clients", "types"].map { Array($0.utf8) }

    private mutating func attach(_ piece: Piece?) { lines[lines.count - 1].comment = piece.map(comment) }

    private func comment(_ piece: Piece) -> FormattedLine.Comment {
        FormattedLine.Comment(text: Array(bytes[piece.range]), column: piece.column, isClose: piece.gap < 2)
    }

    // MARK: Heads

    /// Writes the words of a directive and what they end in: `;` or `{`.
    private mutating func writeHead(_ directive: FormTree.Directive, level: Int, isBranch: Bool, table: [UInt8]?) {
        let end: [UInt8]
        let isSemicolon: Bool
        switch directive.end {
        case .semicolon: (end, isSemicolon) = (Array(";".utf8), true)
        case .block, .code: (end, isSemicolon) = (Array("{".utf8), false)
        }
        var rows = self.rows(of: directive.head)
        if rows.count == 1, isSemicolon, directive.head.allSatisfy({ $0.kind == .word && !$0.hasLineBreak }) {
            rows[0][rows[0].count - 1].text += end
            let name = table ?? Array(bytes[directive.head[0].range])
            return lines.append(FormattedLine(level: level, cells: rows[0], table: name))
        }
        let endsInComment = directive.head.last?.kind == .comment
        for (number, row) in rows.enumerated() {
            var line = FormattedLine(level: number == 0 ? level : level + 1)
            let isContinued = number == 0 && isBranch
            if isContinued { line.text = Array("} ".utf8) }
            for (place, cell) in row.enumerated() {
                if place > 0, cell.gap > 0 { line.text.append(UInt8(ascii: " ")) }
                line.text += cell.text
            }
            if isContinued { lines.removeLast() }
            lines.append(line)
        }
        if endsInComment {
            lines.append(FormattedLine(level: isSemicolon ? level + 1 : level, text: end))
        } else {
            lines[lines.count - 1].text += isSemicolon ? end : Array(" ".utf8) + end
        }
    }

    /// The words of a directive, line by line as they were.
    private func rows(of head: [Piece]) -> [[FormattedLine.Cell]] {
        var rows: [[FormattedLine.Cell]] = []
        for piece in head {
            let cell = FormattedLine.Cell(text: Array(bytes[piece.range]), gap: piece.gap)
            if rows.isEmpty || piece.isFirstOnLine { rows.append([cell]) } else { rows[rows.count - 1].append(cell) }
        }
        return rows
    }

    // MARK: One line

    /// An `if` with its branches, or any one directive, on one line; nil where it has to be opened.
    ///
    /// A block that was on one line stays there when it has one directive, or is that of an `expect`.
    private func oneLine(_ chain: [FormTree.Directive]) -> [UInt8]? {
        var text: [UInt8] = []
        for (number, directive) in chain.enumerated() {
            guard case .block(let block) = directive.end, block.isOnOneLine, directive.head.allSatisfy(isPlain),
                number == 0 || !directive.head[0].isFirstOnLine,
                !directive.head.dropFirst().contains(where: \.isFirstOnLine),
                let inner = self.inner(block, of: directive)
            else { return nil }
            if number > 0 { text.append(UInt8(ascii: " ")) }
            text += self.text(of: directive.head)
            text += inner
        }
        return text
    }

    private func isPlain(_ piece: Piece) -> Bool { piece.kind == .word && !piece.hasLineBreak }

    private func inner(_ block: FormTree.Block, of directive: FormTree.Directive) -> [UInt8]? {
        let isExpectation = bytes[directive.head[0].range].elementsEqual("expect".utf8)
        guard block.items.count <= 1 || isExpectation else { return nil }
        var text = Array(" { ".utf8)
        for case .directive(let item) in block.items {
            switch item.end {
            case .semicolon:
                text += self.text(of: item.head)
                text.append(UInt8(ascii: ";"))
            case .block:
                guard let nested = oneLine([item]) else { return nil }
                text += nested
            case .code: return nil
            }
            text.append(UInt8(ascii: " "))
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    private func text(of words: [Piece]) -> [UInt8] {
        var text: [UInt8] = []
        for (place, word) in words.enumerated() {
            if place > 0, word.gap > 0 { text.append(UInt8(ascii: " ")) }
            text += bytes[word.range]
        }
        return text
    }
}
