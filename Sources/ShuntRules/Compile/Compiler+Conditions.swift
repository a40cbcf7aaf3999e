import ShuntCore
import ShuntPatterns

/// The tests of `if`.
extension Compiler {
    /// Compiles one test: `$v`, `$v OPERATOR value`, or a file test.
    ///
    /// Nil after an error.
    mutating func test(_ words: [Word], of directive: Directive, allowsVersions: Bool) -> Condition? {
        guard let first = words.first, !first.bytes.isEmpty else {
            error(
                "invalid-condition",
                "the condition is empty",
                at: directive.name,
                suggestion: "write: if ($variable = value) { ... }"
            )
            return nil
        }
        if first.bytes.first == UInt8(ascii: "$"), first.bytes.count > 1 {
            return variableTest(words, allowsVersions: allowsVersions)
        }
        if let kind = Self.fileTests[first.text.hasPrefix("!") ? String(first.text.dropFirst()) : first.text] {
            guard words.count == 2 else {
                error(
                    "invalid-condition",
                    "\(first.shownText) is followed by one path",
                    at: first,
                    suggestion: "write: if (\(first.text) PATH) { ... }"
                )
                return nil
            }
            var condition = Condition(kind: kind)
            condition.isNegated = first.text.hasPrefix("!")
            condition.template = template(words[1])
            return condition
        }
        error(
            "invalid-condition",
            "invalid condition \"\(first.text)\"",
            at: first,
            suggestion: "a test begins with a variable or with -f, -d, -e or -x"
        )
        return nil
    }

    private static let fileTests: [String: Condition.Kind] = [
        "-f": .isFile, "-d": .isDirectory, "-e": .exists, "-x": .isExecutable,
    ]

    private mutating func variableTest(_ words: [Word], allowsVersions: Bool) -> Condition? {
        guard let name = testedName(words[0]) else { return nil }
        var condition = Condition(kind: .truthy)
        condition.variable = variable(name, mention: Mention(word: words[0], bytes: 0..<words[0].bytes.count))
        guard words.count > 1 else { return condition }
        guard words.count == 3 else {
            error(
                "invalid-condition",
                "invalid condition: expected \"\(words[0].text) OPERATOR value\"",
                at: words[0],
                suggestion: "the operators are =, !=, ~, ~*, !~ and !~*; put quotes around a value with spaces"
            )
            return nil
        }
        let value = words[2]
        switch words[1].text {
        case "=", "!=":
            condition.kind = .equal
            condition.isNegated = words[1].text == "!="
            condition.template = template(value)
        case "~", "~*", "!~", "!~*":
            condition.kind = .matches
            condition.isNegated = words[1].bytes.first == UInt8(ascii: "!")
            let isCaseless = words[1].bytes.last == UInt8(ascii: "*")
            guard let number = pattern(value.bytes, of: value, isCaseless: isCaseless) else { return nil }
            condition.pattern = number
        case "<" where allowsVersions: condition.kind = .less
        case "<=" where allowsVersions: condition.kind = .lessOrEqual
        case ">" where allowsVersions: condition.kind = .greater
        case ">=" where allowsVersions: condition.kind = .greaterOrEqual
        default:
            let hint = words[1].text == "==" ? "write \"=\"" : nil
            error("invalid-condition", "unexpected \"\(words[1].text)\" in condition", at: words[1], suggestion: hint)
            return nil
        }
        if [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(condition.kind) {
            condition.template = template(value)
            checkVersion(value)
        }
        return condition
    }

    /// A constant that is compared as a version must be one.
    private mutating func checkVersion(_ word: Word) {
        guard !word.bytes.contains(UInt8(ascii: "$")), !VersionComparison.isVersion(word.bytes.span) else { return }
        error(
            "invalid-version",
            "\"\(word.text)\" is no version",
            at: word,
            suggestion: "write a version such as 3.2.0"
        )
    }

    /// The name of the variable on the left; nil after an error.
    private mutating func testedName(_ word: Word) -> String? {
        let name = word.bytes.dropFirst()
        var isPlain = name.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
        // The whole word is the name here, so the names of arguments, cookies and headers may have more signs in them than in a
        // text: `$arg_go-get`.
        let text = String(decoding: name, as: UTF8.self)
        if !isPlain, ["arg_", "cookie_", "http_"].contains(where: text.hasPrefix) {
            isPlain = name.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || [0x5f, UInt8(ascii: "-"), UInt8(ascii: ".")].contains($0)
            }
        }
        if isPlain, name.count == 1, let digit = name.first, digit.isASCIIDigit {
            error(
                "invalid-condition",
                "a capture cannot be tested",
                at: word,
                suggestion: "copy it first: set $value \(word.text);"
            )
            return nil
        }
        guard isPlain else {
            error("invalid-condition", "the left side of a test is one variable, not \"\(word.text)\"", at: word)
            return nil
        }
        return text
    }

    // MARK: Expressions of the URL phase

    /// A condition with `&&`, `||`, `!` and parentheses.
    indirect enum Expression {
        case test(Condition)
        case not(Expression)
        case and(Expression, Expression)
        case or(Expression, Expression)
    }

    /// Reads the condition of an `if` on whole URLs; nil after an error.
    mutating func expression(_ words: [Word], of directive: Directive) -> Expression? {
        guard let first = words.first, first.bytes.first == UInt8(ascii: "("), !first.isQuoted else {
            error(
                "invalid-condition",
                "a condition begins with \"(\"",
                at: words.first ?? directive.name
            )
            return nil
        }
        var reader = ConditionReader(words)
        let result = reader.disjunction(&self, directive)
        guard let result else { return nil }
        if let extra = reader.current {
            error("invalid-condition", "unexpected \"\(extra.word.text)\" behind the condition", at: extra.word)
            return nil
        }
        return result
    }

    /// Compiles an expression into tests that fall through when it holds; gives the instructions that still need to be
    /// told where to go when it does not.
    mutating func emit(_ expression: Expression, jumpingWhen outcome: Bool, at position: SourcePosition) -> [Int32] {
        switch expression {
        case .test(let condition):
            let operation: Operation = outcome ? .testNot : .test
            return [emit(Instruction(operation, tables.conditions.adding(condition)), at: position)]
        case .not(let inner):
            return emit(inner, jumpingWhen: !outcome, at: position)
        case .and(let left, let right) where !outcome:
            return emit(left, jumpingWhen: false, at: position) + emit(right, jumpingWhen: false, at: position)
        case .or(let left, let right) where outcome:
            return emit(left, jumpingWhen: true, at: position) + emit(right, jumpingWhen: true, at: position)
        case .and(let left, let right), .or(let left, let right):
            // The left side settles it the other way: past the right side.
            let settled = emit(left, jumpingWhen: !outcome, at: position)
            let rest = emit(right, jumpingWhen: outcome, at: position)
            for instruction in settled { patch(instruction, target: nextInstruction) }
            return rest
        }
    }
}

/// Reads a condition token by token.
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

    private var tokens: [Token] = []
    private var next = 0
    private var depth = 0
    /// How deep parentheses may nest.
    private static let maximumDepth = 32

    /// What stands between a variable and a value; the word behind it is a value, whatever it begins with.
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
        while !isValue, let first = word.bytes.first {
            if first == UInt8(ascii: "(") {
                tokens.append(Token(kind: .open, word: word))
            } else if first == UInt8(ascii: "!"), word.bytes.count == 1 || [0x24, 0x28].contains(word.bytes[1]) {
                tokens.append(Token(kind: .not, word: word))
            } else {
                break
            }
            word = word.dropping(first: 1)
        }
        var closing = 0
        while word.bytes.last == UInt8(ascii: ")"), Self.balance(word.bytes) < 0 {
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

    mutating func disjunction(_ compiler: inout Compiler, _ directive: Directive) -> Compiler.Expression? {
        guard var left = conjunction(&compiler, directive) else { return nil }
        while current?.kind == .or {
            next += 1
            guard let right = conjunction(&compiler, directive) else { return nil }
            left = .or(left, right)
        }
        return left
    }

    private mutating func conjunction(_ compiler: inout Compiler, _ directive: Directive) -> Compiler.Expression? {
        guard var left = negation(&compiler, directive) else { return nil }
        while current?.kind == .and {
            next += 1
            guard let right = negation(&compiler, directive) else { return nil }
            left = .and(left, right)
        }
        return left
    }

    private mutating func negation(_ compiler: inout Compiler, _ directive: Directive) -> Compiler.Expression? {
        guard let token = current else {
            compiler.error("invalid-condition", "the condition ends too early", at: directive.name)
            return nil
        }
        switch token.kind {
        case .not:
            depth += 1
            defer { depth -= 1 }
            guard depth <= Self.maximumDepth else { return tooDeep(&compiler, token) }
            next += 1
            return negation(&compiler, directive).map { .not($0) }
        case .open:
            depth += 1
            defer { depth -= 1 }
            guard depth <= Self.maximumDepth else { return tooDeep(&compiler, token) }
            next += 1
            let inner = disjunction(&compiler, directive)
            guard inner != nil else { return nil }
            guard current?.kind == .close else {
                compiler.error("invalid-condition", "the \"(\" is not closed", at: token.word)
                return nil
            }
            next += 1
            return inner
        case .word:
            var words: [Word] = []
            while let token = current, token.kind == .word {
                words.append(token.word)
                next += 1
            }
            return compiler.test(words, of: directive, allowsVersions: true).map { .test($0) }
        case .close, .and, .or:
            compiler.error("invalid-condition", "unexpected \"\(token.word.text)\" in condition", at: token.word)
            return nil
        }
    }

    private func tooDeep(_ compiler: inout Compiler, _ token: Token) -> Compiler.Expression? {
        compiler.error("nesting-limit", "conditions nest at most \(Self.maximumDepth) deep", at: token.word)
        return nil
    }
}
