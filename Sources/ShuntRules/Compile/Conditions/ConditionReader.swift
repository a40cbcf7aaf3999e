import ShuntCore

struct ConditionReader {
    enum Kind {
        case open
        case close
        case not
        case and
        case or
        case word
    }

    struct Token {
        var kind: Kind
        var word: Word
    }

    private(set) var tokens: [Token] = []
    private var next = 0
    private var depth = 0
    private static let maximumDepth = 32

    /// The operators between a variable and a value; the word after one is a value, whatever it begins with.
    private static let operators: Set<String> = ["=", "!=", "~", "~*", "!~", "!~*", "<", "<=", ">", ">="]

    init(_ words: [Word]) {
        var isValue = false
        for word in words {
            split(word, isValue: isValue)
            isValue = !isValue && !word.isQuoted && Self.operators.contains(word.text)
        }
    }

    var current: Token? { next < tokens.count ? tokens[next] : nil }

    /// Cuts a bare word into parentheses, operators and the rest.
    ///
    /// A closing parenthesis belongs to the word while the word has an opening one for it, as `^/(a|b)` has.
    private mutating func split(_ whole: Word, isValue: Bool) {
        guard !whole.isQuoted else {
            tokens.append(Token(kind: .word, word: whole))
            return
        }
        var word = whole
        // Each token has a copy of the word, and conditions do not nest deeper.
        var opening = 0
        while !isValue, opening <= Self.maximumDepth, let first = word.bytes.first {
            if first == UInt8(ascii: "(") {
                tokens.append(Token(kind: .open, word: word))
            } else if first == UInt8(ascii: "!"), word.bytes.count == 1 || [0x24, 0x28].contains(word.bytes[1]) {
                tokens.append(Token(kind: .not, word: word))
            } else {
                break
            }
            word = word.dropping(first: 1)
            opening += 1
        }
        var closing = 0
        while closing <= Self.maximumDepth, word.bytes.last == UInt8(ascii: ")"), Self.balance(word.bytes) < 0 {
            word = word.dropping(last: 1)
            closing += 1
        }
        switch word.text {
        case "": break
        case _ where isValue: tokens.append(Token(kind: .word, word: word))
        case "&&": tokens.append(Token(kind: .and, word: word))
        case "||": tokens.append(Token(kind: .or, word: word))
        default: tokens.append(Token(kind: .word, word: word))
        }
        for index in 0..<closing {
            tokens.append(Token(kind: .close, word: whole.dropping(first: whole.bytes.count - closing + index)))
        }
    }

    private static func balance(_ bytes: [UInt8]) -> Int {
        var balance = 0
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "(") {
                balance += 1
            } else if byte == UInt8(ascii: ")") {
                balance -= 1
            }
        }
        return balance
    }

    mutating func disjunction(_ directive: CheckedDirective, in context: inout CompileContext) -> ConditionExpression? {
        guard var left = conjunction(directive, in: &context) else { return nil }
        while current?.kind == .or {
            next += 1
            guard let right = conjunction(directive, in: &context) else { return nil }
            left = .or(left, right)
        }
        return left
    }

    private mutating func conjunction(_ directive: CheckedDirective, in context: inout CompileContext)
        -> ConditionExpression?
    {
        guard var left = negation(directive, in: &context) else { return nil }
        while current?.kind == .and {
            next += 1
            guard let right = negation(directive, in: &context) else { return nil }
            left = .and(left, right)
        }
        return left
    }

    private mutating func negation(_ directive: CheckedDirective, in context: inout CompileContext)
        -> ConditionExpression?
    {
        guard let token = current else {
            return context.error(.invalidCondition, "the condition ends too early", at: directive.name)
        }
        switch token.kind {
        case .not:
            depth += 1
            defer { depth -= 1 }
            guard depth <= Self.maximumDepth else { return tooDeep(token, in: &context) }
            next += 1
            return negation(directive, in: &context).map { .not($0) }
        case .open:
            depth += 1
            defer { depth -= 1 }
            guard depth <= Self.maximumDepth else { return tooDeep(token, in: &context) }
            next += 1
            let inner = disjunction(directive, in: &context)
            guard inner != nil else { return nil }
            guard current?.kind == .close else {
                return context.error(.invalidCondition, "the \"(\" is not closed", at: token.word)
            }
            next += 1
            return inner
        case .word:
            var words: [Word] = []
            while let token = current, token.kind == .word {
                words.append(token.word)
                next += 1
            }
            return ConditionCompiler.test(words, of: directive, allowsVersions: true, in: &context).map { .test($0) }
        case .close, .and, .or:
            return context.error(.invalidCondition, "unexpected \"\(token.word.text)\" in condition", at: token.word)
        }
    }

    private func tooDeep(_ token: Token, in context: inout CompileContext) -> ConditionExpression? {
        context.error(.nestingLimit, "conditions nest at most \(Self.maximumDepth) deep", at: token.word)
    }
}
