import ShuntCore

/// The number of more words a rule set may have.
final class WordBudget {
    private var remaining: Int

    init(_ limit: Int) { remaining = limit }

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
    struct Frame {
        var words: [Word]
        var brace: SourcePosition
        var children: [Directive] = []
        /// The note that the rules in it inherit.
        var note: RuleNote?
    }

    /// A part of a file, for those who need no tree of it.
    enum Part {
        /// A directive without a block.
        case directive(Directive)
        /// A directive whose block begins; nil for a block without one.
        case opening(Directive?)
        /// The end of a block.
        case closing
    }

    /// The directives of the file, as far as it was understood; empty if a closure takes the parts.
    private(set) var directives: [Directive] = []
    var problems: ProblemList { lexer.problems }
    private(set) var notes: RuleNotes
    /// The words and punctuation, for those who keep the form of the file.
    private(set) var tokens: [FileTokens.Token]?

    var lexer: Lexer
    private let outerNesting: Int
    private let outerNote: RuleNote?
    private let budget: WordBudget
    private let takePart: ((Part) -> Void)?
    var frames: [Frame] = []
    private(set) var pending: [Word] = []
    /// The number of open blocks inside one that is nested too deeply; they are skipped.
    private var skippedBlocks = 0
    /// A `}` whose indentation is that of another block than the one it closes.
    var misplacedClose: (close: SourcePosition, opener: Word)?

    /// Makes a parser of a file, which without an inclusion is read for itself; all files share the budget of words.
    init(
        file: RuleFile,
        index: Int32 = 0,
        startingAt offset: Int,
        in inclusion: Inclusion? = nil,
        budget: WordBudget = WordBudget(RuleLimits.words),
        keepingTokens keepsTokens: Bool = false,
        takingParts takePart: ((Part) -> Void)? = nil
    ) {
        lexer = Lexer(file: file, index: index, startingAt: offset)
        notes = RuleNotes(file)
        outerNesting = inclusion?.nesting ?? 0
        outerNote = inclusion?.note
        self.budget = budget
        self.takePart = takePart
        tokens = keepsTokens ? [] : nil
    }

    /// Reads the file; an `include` for which the closure returns nil stands for itself.
    mutating func parse(include: (Inclusion) -> [Directive]?) {
        while true {
            // The name of a directive settles it for all words that follow.
            switch pending.count {
            case 0: lexer.expected = .text
            case 1: lexer.expected = Self.expected(in: pending[0].bytes)
            default: break
            }
            let token = lexer.next()
            if !lexer.notes.isEmpty { notes.add(lexer.takeNotes(), to: pending.first?.position) }
            if tokens != nil { keep(token) }
            switch token {
            case .word(let word):
                guard budget.take() else {
                    let message = "more than \(RuleLimits.words) words in the rule set (limit \"words\")"
                    report(.tooManyWords, message, at: word.position)
                    close(include: include)
                    return
                }
                if skippedBlocks == 0 {
                    if pending.isEmpty { notes.begin(word.position, inheriting: note) }
                    pending.append(word)
                }
            case .semicolon:
                if pending.isEmpty {
                    if skippedBlocks == 0 {
                        let advice = "remove it"
                        report(.unexpectedSemicolon, "unexpected \";\"", at: lexer.tokenPosition, suggestion: advice)
                    }
                } else {
                    endDirective(include: include)
                }
            case .openBrace:
                openBlock()
            case .closeBrace:
                closeBlock(include: include)
            case .end:
                notes.finish()
                reportEnd()
                close(include: include)
                return
            }
        }
    }

    /// The name and the arguments of the directive that begins at an offset, one after another.
    static func words(of file: RuleFile, from start: Int) -> some Sequence<Word> {
        var lexer = Lexer(file: file, index: 0, startingAt: start)
        var name: [UInt8]?
        return AnyIterator {
            lexer.expected = name.map(expected) ?? .text
            guard case .word(let word) = lexer.next() else { return nil }
            name = name ?? word.bytes
            return word
        }
    }

    /// The directives that take no expressions.
    private static let plainDirectives = [
        "map", "geo", "split_clients", "types", "upstream", "server", "http", "events", "stream", "charset_map",
    ]
    .map { Array($0.utf8) }

    /// Returns the expected kind of the words after the name of a directive.
    private static func expected(in name: [UInt8]) -> Lexer.Expected {
        if name.elementsEqual("route".utf8) { return .routePattern }
        return plainDirectives.contains(name) ? .text : .expression
    }

    // MARK: Directives and blocks

    private mutating func endDirective(include: (Inclusion) -> [Directive]?) {
        defer { pending.removeAll(keepingCapacity: true) }
        guard let name = pending.first else { return }
        notes.end(name.position, line: lexer.tokenPosition.line)
        if pending.count == 2, name.bytes.elementsEqual("include".utf8), let included = include(inclusion) {
            for directive in included { append(directive) }
        } else {
            append(Directive(name: name, arguments: Array(pending.dropFirst()), block: nil, end: end))
        }
    }

    /// The `include` that was just read.
    private var inclusion: Inclusion {
        let block = frames.last.map { $0.words.first?.bytes ?? [] }
        return Inclusion(path: pending[1], block: block, nesting: outerNesting + frames.count, note: note)
    }

    /// The note that rules that begin here inherit.
    private var note: RuleNote? { frames.isEmpty ? outerNote : frames[frames.count - 1].note }

    private var end: Int32 { Int32(truncatingIfNeeded: lexer.offset) }

    private mutating func append(_ directive: Directive) {
        if let takePart {
            takePart(.directive(directive))
        } else if frames.isEmpty {
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
            let advice = "a block belongs to the directive before it: put its name and arguments in front of \"{\""
            report(.unexpectedBrace, "unexpected \"{\"", at: lexer.tokenPosition, suggestion: advice)
        }
        guard outerNesting + frames.count < RuleLimits.nesting else {
            let message = "blocks are nested deeper than \(RuleLimits.nesting) (limit \"nesting\")"
            report(.nestingTooDeep, message, at: lexer.tokenPosition)
            skippedBlocks = 1
            pending.removeAll(keepingCapacity: true)
            return
        }
        let brace = lexer.tokenPosition
        if let name = pending.first {
            notes.end(name.position, line: brace.line)
            if CodeBlock.isCode(name.bytes), lexer.passCode() {
                keepCode(from: brace)
                append(Directive(name: name, arguments: Array(pending.dropFirst()), block: [], end: end))
                pending.removeAll(keepingCapacity: true)
                return
            }
        }
        let note = pending.first.flatMap { notes.inherited(from: $0.position) } ?? note
        frames.append(Frame(words: pending, brace: brace, note: note))
        takePart?(.opening(pending.first.map { Directive(name: $0, arguments: Array(pending.dropFirst())) }))
        // The frame has the words now: keeping the capacity would make a second array as large.
        pending = []
    }

    private mutating func closeBlock(include: (Inclusion) -> [Directive]?) {
        if skippedBlocks > 0 {
            skippedBlocks -= 1
            return
        }
        if !pending.isEmpty {
            reportUnterminated(before: "\"}\"")
            endDirective(include: include)
        }
        notes.close()
        guard let frame = frames.popLast() else {
            let advice = "no block is open here: remove it, or look for a \"}\" too many above"
            report(.unexpectedBrace, "unexpected \"}\"", at: lexer.tokenPosition, suggestion: advice)
            return
        }
        let line = lexer.tokenPosition.line
        if let name = frame.words.first, name.position.line == line { notes.end(name.position, line: line) }
        noteIndentation(of: lexer.tokenPosition, closing: frame)
        finish(frame)
    }

    private mutating func finish(_ frame: Frame) {
        if let takePart {
            takePart(.closing)
        } else if let name = frame.words.first {
            append(Directive(name: name, arguments: Array(frame.words.dropFirst()), block: frame.children, end: end))
        } else {
            // A block without a name was reported; what is in it is still worth checking.
            for child in frame.children { append(child) }
        }
    }

    /// Ends what is still open.
    private mutating func close(include: (Inclusion) -> [Directive]?) {
        if !pending.isEmpty { endDirective(include: include) }
        while let frame = frames.popLast() { finish(frame) }
    }

    // MARK: Tokens

    private mutating func keep(_ token: Lexer.Token) {
        let start = lexer.tokenOffset
        switch token {
        case .word(let word): keep(.word, start..<start + Int(word.sourceLength))
        case .semicolon: keep(.semicolon, start..<start + 1)
        case .openBrace: keep(.openBrace, start..<start + 1)
        case .closeBrace: keep(.closeBrace, start..<start + 1)
        case .end: break
        }
    }

    private mutating func keepCode(from brace: SourcePosition) {
        guard tokens != nil, let start = lexer.file.offset(line: brace.line, column: brace.column) else { return }
        keep(.code, start + 1..<lexer.offset - 1)
        keep(.closeBrace, lexer.offset - 1..<lexer.offset)
    }

    private mutating func keep(_ kind: FileTokens.Kind, _ range: Range<Int>) {
        tokens?.append(FileTokens.Token(kind: kind, range: range))
    }
}
