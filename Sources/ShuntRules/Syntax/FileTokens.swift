package import ShuntCore

/// The words and punctuation of one rule file where they are, for those who keep its form.
///
/// What lies between them is white space and comments. A file that could only be read with corrections has none. Takes
/// time linear in the size of the file.
package struct FileTokens: Sendable {
    package enum Kind: Sendable, Equatable {
        /// A word with its quotes and backslashes.
        case word
        /// `;`
        case semicolon
        /// `{`
        case openBrace
        /// The content of the braces of a block of another language.
        case code
        /// `}`
        case closeBrace
    }

    package struct Token: Sendable {
        package var kind: Kind
        /// Its bytes in the file.
        package var range: Range<Int>
    }

    package private(set) var tokens: [Token] = []
    package private(set) var problems: [Diagnostic]

    /// Reads a file; what it includes is not read.
    package init(_ file: RuleFile) {
        let text = TextCheck.check(file)
        problems = text.problems
        guard text.isText else { return }
        var parser = Parser(file: file, startingAt: text.start, keepingTokens: true)
        parser.parse { _ in nil }
        problems += parser.problems.kept
        if !problems.contains(where: { $0.severity == .error }) { tokens = parser.tokens ?? [] }
    }
}
