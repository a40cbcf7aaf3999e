import ShuntCore

extension Parser {
    mutating func report(
        _ code: DiagnosticCode,
        _ message: String,
        at position: SourcePosition,
        suggestion: String? = nil,
        notes: [Diagnostic] = []
    ) {
        let (file, place) = (lexer.file, (position.line, position.column))
        lexer.problems.append(file.diagnostic(.error(code), message, at: place, suggestion: suggestion, notes: notes))
    }

    /// Reports that the pending directive lacks its `;`, at the place where it should be.
    mutating func reportUnterminated(before next: String) {
        guard let name = pending.first, let last = pending.last else { return }
        let start = lexer.file.offset(line: last.position.line, column: last.position.column) ?? 0
        let end = lexer.file.place(of: start + Int(last.sourceLength))
        report(
            .missingSemicolon,
            "\(next) before the \";\" that ends the directive \(name.shownText)",
            at: SourcePosition(file: last.position.file, line: end.line, column: end.column),
            suggestion: !last.isQuoted && last.text.hasSuffix("}")
                ? "write \"; }\" for the \"}\" of \(last.shownText)" : "put \";\" after \(last.shownText)"
        )
    }

    mutating func reportEnd() {
        if !pending.isEmpty { reportUnterminated(before: "the file ends") }
        guard let inner = frames.last else { return }
        var notes: [Diagnostic] = []
        if let misplacedClose {
            notes.append(
                note(
                    "this \"}\" closes \(misplacedClose.opener.shownText) of line \(misplacedClose.opener.position.line),"
                        + " but is indented like another block",
                    at: misplacedClose.close
                )
            )
        }
        for frame in frames.dropLast().reversed() {
            notes.append(note("this block is not closed either", at: frame.brace))
        }
        let name = inner.words.first.map { "the block of \($0.shownText)" } ?? "this block"
        let message = "\(name) is not closed before the file ends"
        report(.unclosedBlock, message, at: inner.brace, suggestion: "put \"}\" after its last directive", notes: notes)
    }

    private func note(_ message: String, at position: SourcePosition) -> Diagnostic {
        lexer.file.diagnostic(.note(.unclosedBlock), message, at: (position.line, position.column))
    }

    /// Remembers the first `}` that begins its line left of the block it closes: the block above it lacks its own.
    mutating func noteIndentation(of close: SourcePosition, closing frame: Frame) {
        guard misplacedClose == nil, let opener = frame.words.first, close.line != opener.position.line,
            isFirstOnLine(close), isFirstOnLine(opener.position), close.column < opener.position.column
        else { return }
        misplacedClose = (close, opener)
    }

    private func isFirstOnLine(_ position: SourcePosition) -> Bool {
        lexer.file.line(position.line).prefix(Int(position.column) - 1).allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }
}
