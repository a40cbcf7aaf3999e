package import ShuntCore

/// The words and punctuation of one rule file where they stand, for those who keep its form.
///
/// What lies between them is white space and comments. A file that could only be read with corrections has none. Takes
/// time linear in the size of the file.
package struct FileTokens: Sendable {
    /// What a token is.
    package enum Kind: Sendable, Equatable {
        /// A word with its quotes and backslashes.
        case word
        /// `;`
        case semicolon
        /// `{`
        case openBrace
        /// What stands in the braces of a block of another language.
        case code
        /// `}`
        case closeBrace
    }

    /// One token.
    package struct Token: Sendable {
        /// What it is.
        package var kind: Kind
        /// Its bytes in the file.
        package var range: Range<Int>
    }

    /// The tokens in their order.
    package private(set) var tokens: [Token] = []
    /// What is wrong with the file.
    package private(set) var problems: [Diagnostic]

    /// Reads a file; what it includes is not looked at.
    package init(_ file: RuleFile) {
        let text = TextCheck.check(file)
        problems = text.problems
        guard text.isText else { return }
        var parser = Parser(
            file: file,
            index: 0,
            startingAt: text.start,
            nesting: 0,
            budget: WordBudget(RuleLimits.words)
        )
        parser.parse { _, _ in [] }
        problems += parser.problems.kept
        guard !problems.contains(where: { $0.severity == .error }) else { return }
        read(file, from: text.start)
    }

    private mutating func read(_ file: RuleFile, from start: Int) {
        var lexer = Lexer(file: file, index: 0, startingAt: start)
        var name: [UInt8] = []
        var words = 0
        while true {
            if words == 0 { lexer.expected = .text } else if words == 1 { lexer.expected = Parser.expected(in: name) }
            let token = lexer.next()
            let offset = file.offset(line: lexer.tokenPosition.line, column: lexer.tokenPosition.column) ?? 0
            switch token {
            case .word(let word):
                if words == 0 { name = word.bytes }
                words += 1
                tokens.append(Token(kind: .word, range: offset..<offset + Int(word.sourceLength)))
                continue
            case .semicolon: tokens.append(Token(kind: .semicolon, range: offset..<offset + 1))
            case .closeBrace: tokens.append(Token(kind: .closeBrace, range: offset..<offset + 1))
            case .openBrace:
                tokens.append(Token(kind: .openBrace, range: offset..<offset + 1))
                if words > 0, CodeBlock.isCode(name), let end = CodeBlock.end(in: file.bytes, from: offset + 1),
                    lexer.passCode()
                {
                    tokens.append(Token(kind: .code, range: offset + 1..<end))
                    tokens.append(Token(kind: .closeBrace, range: end..<end + 1))
                }
            case .end: return
            }
            words = 0
        }
    }
}
