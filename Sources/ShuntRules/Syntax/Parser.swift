import ShuntCore

/// How many more words a rule set may have.
final class WordBudget {
    private var remaining: Int

    init(_ limit: Int) {
        remaining = limit
    }

    var isSpent: Bool { remaining < 0 }

    func take() -> Bool {
        remaining = max(-1, remaining - 1)
        return remaining >= 0
    }
}

/// Builds directives from the words of one file.
///
/// What is wrong is reported and corrected, so that every error of a file is found in one go. Blocks are kept on a list of our own, never on the call stack.
struct Parser {
    /// A block that is open.
    private struct Frame {
        var words: [Word]
        var brace: SourcePosition
        var children: [Directive] = []
    }

    /// What the file holds, as far as it was understood.
    private(set) var directives: [Directive] = []
    /// What was wrong.
    var problems: ProblemList { lexer.problems }

    private var lexer: Lexer
    private let outerNesting: Int
    private let budget: WordBudget
    private var frames: [Frame] = []
    private var pending: [Word] = []
    /// How many blocks are open inside one that was nested too deeply; they are skipped.
    private var skippedBlocks = 0
    /// A `}` whose indentation is that of another block than the one it closes.
    private var misplacedClose: (close: SourcePosition, opener: Word)?

    /// Makes a parser.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - index: Its index in the rule set's list of files.
    ///   - offset: Where the text begins.
    ///   - nesting: How many blocks are open around the `include` that names the file.
    ///   - budget: The number of words after which reading stops, shared by all files.
    init(file: RuleFile, index: Int32, startingAt offset: Int, nesting: Int, budget: WordBudget) {
        lexer = Lexer(file: file, index: index, startingAt: offset)
        outerNesting = nesting
        self.budget = budget
    }

    /// Reads the file.
    ///
    /// - Parameter include: Gives what an `include` stands for: its argument, and the number of blocks around it.
    mutating func parse(include: (Word, Int) -> [Directive]) {
        while true {
            // The name of a directive settles it for all words that follow.
            switch pending.count {
            case 0: lexer.expected = .text
            case 1: lexer.expected = Self.expected(in: pending[0].bytes)
            default: break
            }
            switch lexer.next() {
            case .word(let word):
                guard budget.take() else {
                    report(
                        "too-many-words",
                        "more than \(RuleLimits.words) words in the rule set (limit \"words\")",
                        at: word.position
                    )
                    close(include: include)
                    return
                }
                if skippedBlocks == 0 { pending.append(word) }
            case .semicolon:
                if pending.isEmpty {
                    if skippedBlocks == 0 {
                        report(
                            "unexpected-semicolon",
                            "unexpected \";\"",
                            at: lexer.tokenPosition,
                            suggestion: "take it out"
                        )
                    }
                } else {
                    endDirective(include: include)
                }
            case .openBrace:
                openBlock()
            case .closeBrace:
                closeBlock(include: include)
            case .end:
                reportEnd()
                close(include: include)
                return
            }
        }
    }

    /// The directives that take no expressions.
    private static let plainDirectives = [
        "map", "geo", "split_clients", "types", "upstream", "server", "http", "events", "stream", "charset_map",
    ]
    .map { Array($0.utf8) }

    /// What the words that follow the name of a directive may be.
    static func expected(in name: [UInt8]) -> Lexer.Expected {
        if name.elementsEqual("route".utf8) { return .routePattern }
        return plainDirectives.contains(name) ? .text : .expression
    }

    // MARK: Directives and blocks

    private mutating func endDirective(include: (Word, Int) -> [Directive]) {
        defer { pending.removeAll(keepingCapacity: true) }
        guard let name = pending.first else { return }
        if pending.count == 2, name.bytes.elementsEqual("include".utf8) {
            let included = include(pending[1], outerNesting + frames.count)
            for directive in included { append(directive) }
        } else {
            append(Directive(name: name, arguments: Array(pending.dropFirst()), block: nil))
        }
    }

    private mutating func append(_ directive: Directive) {
        if frames.isEmpty {
            directives.append(directive)
        } else {
            frames[frames.count - 1].children.append(directive)
        }
    }

    private mutating func openBlock() {
        if skippedBlocks > 0 {
            skippedBlocks += 1
            return
        }
        if pending.isEmpty {
            report(
                "unexpected-brace",
                "unexpected \"{\"",
                at: lexer.tokenPosition,
                suggestion: "a block belongs to the directive before it: put its name and arguments in front of \"{\""
            )
        }
        guard outerNesting + frames.count < RuleLimits.nesting else {
            report(
                "nesting-too-deep",
                "blocks are nested deeper than \(RuleLimits.nesting) (limit \"nesting\")",
                at: lexer.tokenPosition
            )
            skippedBlocks = 1
            pending.removeAll(keepingCapacity: true)
            return
        }
        let brace = lexer.tokenPosition
        if let name = pending.first, CodeBlock.isCode(name.bytes), lexer.passCode() {
            append(Directive(name: name, arguments: Array(pending.dropFirst()), block: []))
            pending.removeAll(keepingCapacity: true)
            return
        }
        frames.append(Frame(words: pending, brace: brace))
        // The frame has the words now: keeping the capacity would make a second array as large.
        pending = []
    }

    private mutating func closeBlock(include: (Word, Int) -> [Directive]) {
        if skippedBlocks > 0 {
            skippedBlocks -= 1
            return
        }
        if !pending.isEmpty {
            reportUnterminated(before: "\"}\"")
            endDirective(include: include)
        }
        guard let frame = frames.popLast() else {
            report(
                "unexpected-brace",
                "unexpected \"}\"",
                at: lexer.tokenPosition,
                suggestion: "no block is open here: take it out, or look for a \"}\" too many above"
            )
            return
        }
        noteIndentation(of: lexer.tokenPosition, closing: frame)
        finish(frame)
    }

    private mutating func finish(_ frame: Frame) {
        if let name = frame.words.first {
            append(Directive(name: name, arguments: Array(frame.words.dropFirst()), block: frame.children))
        } else {
            // A block without a name was reported; what is in it is still worth checking.
            for child in frame.children { append(child) }
        }
    }

    /// Ends what is still open.
    private mutating func close(include: (Word, Int) -> [Directive]) {
        if !pending.isEmpty { endDirective(include: include) }
        while let frame = frames.popLast() { finish(frame) }
    }

    // MARK: Messages

    private mutating func report(
        _ code: String,
        _ message: String,
        at position: SourcePosition,
        suggestion: String? = nil,
        notes: [Diagnostic] = []
    ) {
        let file = lexer.file
        lexer.problems.append(
            file.diagnostic(
                .error,
                code: code,
                message: message,
                line: position.line,
                column: position.column,
                suggestion: suggestion,
                notes: notes
            )
        )
    }

    /// Reports that the pending directive lacks its `;`, at the place where it should be.
    private mutating func reportUnterminated(before next: String) {
        guard let name = pending.first, let last = pending.last else { return }
        let start = lexer.file.offset(line: last.position.line, column: last.position.column) ?? 0
        let end = lexer.file.place(of: start + Int(last.sourceLength))
        report(
            "missing-semicolon",
            "\(next) before the \";\" that ends the directive \(name.shownText)",
            at: SourcePosition(file: last.position.file, line: end.line, column: end.column),
            suggestion: "put \";\" after \(last.shownText)"
        )
    }

    private mutating func reportEnd() {
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
        report(
            "unclosed-block",
            "\(name) is not closed before the file ends",
            at: inner.brace,
            suggestion: "put \"}\" after its last directive",
            notes: notes
        )
    }

    private func note(_ message: String, at position: SourcePosition) -> Diagnostic {
        lexer.file.diagnostic(
            .note,
            code: "unclosed-block",
            message: message,
            line: position.line,
            column: position.column
        )
    }

    /// Remembers the first `}` that begins its line left of the block it closes: the block above it lacks its own.
    private mutating func noteIndentation(of close: SourcePosition, closing frame: Frame) {
        guard misplacedClose == nil, let opener = frame.words.first, close.line != opener.position.line,
            isFirstOnLine(close), isFirstOnLine(opener.position), close.column < opener.position.column
        else { return }
        misplacedClose = (close, opener)
    }

    private func isFirstOnLine(_ position: SourcePosition) -> Bool {
        lexer.file.line(position.line).prefix(Int(position.column) - 1).allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }
}
