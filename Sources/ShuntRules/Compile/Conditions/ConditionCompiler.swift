import ShuntCore

/// The tests of `if`.
enum ConditionCompiler {
    /// Compiles one test: `$v`, `$v OPERATOR value`, or a file test.
    ///
    /// Nil after an error.
    static func test(
        _ words: [Word],
        of directive: CheckedDirective,
        allowsVersions: Bool,
        in context: inout CompileContext
    ) -> Condition? {
        guard let first = words.first, !first.bytes.isEmpty else {
            let advice = "write: if ($variable = value) { ... }"
            return context.error(.invalidCondition, "the condition is empty", at: directive.name, suggestion: advice)
        }
        if first.bytes.first == UInt8(ascii: "$"), first.bytes.count > 1 {
            return variableTest(words, allowsVersions: allowsVersions, in: &context)
        }
        if let kind = fileTests[first.text.hasPrefix("!") ? String(first.text.dropFirst()) : first.text] {
            guard words.count == 2 else {
                let message = "\(first.shownText) is followed by one path"
                let advice = "write: if (\(first.text) PATH) { ... }"
                return context.error(.invalidCondition, message, at: first, suggestion: advice)
            }
            var condition = Condition(kind: kind)
            condition.isNegated = first.text.hasPrefix("!")
            condition.template = context.template(words[1])
            return condition
        }
        return context.error(
            .invalidCondition,
            "invalid condition \"\(first.text)\"",
            at: first,
            suggestion: isName(first.bytes)
                ? "a variable begins with \"$\": write $\(first.text)"
                : "a test begins with a variable or with -f, -d, -e or -x"
        )
    }

    private static let fileTests: [String: Condition.Kind] = [
        "-f": .isFile, "-d": .isDirectory, "-e": .exists, "-x": .isExecutable,
    ]

    private static func variableTest(_ words: [Word], allowsVersions: Bool, in context: inout CompileContext)
        -> Condition?
    {
        guard let name = testedName(words[0], in: &context) else { return nil }
        var condition = Condition(kind: .truthy)
        condition.variable = context.read(
            name,
            mention: SymbolTable.Mention(word: words[0], bytes: 0..<words[0].bytes.count)
        )
        guard words.count > 1 else { return condition }
        guard words.count == 3 else {
            let message = "invalid condition: expected \"\(words[0].text) OPERATOR value\""
            let advice = OperatorAdvice.advice(onTest: words, ofWholeURL: allowsVersions)
            return context.error(.invalidCondition, message, at: words[0], suggestion: advice)
        }
        let value = words[2]
        switch words[1].text {
        case "=", "!=":
            condition.kind = .equal
            condition.isNegated = words[1].text == "!="
            condition.template = context.template(value)
        case "~", "~*", "!~", "!~*":
            condition.kind = .matches
            condition.isNegated = words[1].bytes.first == UInt8(ascii: "!")
            let isCaseless = words[1].bytes.last == UInt8(ascii: "*")
            guard let number = context.pattern(value.bytes, of: value, isCaseless: isCaseless) else { return nil }
            condition.pattern = number
        case "<" where allowsVersions: condition.kind = .less
        case "<=" where allowsVersions: condition.kind = .lessOrEqual
        case ">" where allowsVersions: condition.kind = .greater
        case ">=" where allowsVersions: condition.kind = .greaterOrEqual
        default:
            let message = "unexpected \"\(words[1].text)\" in condition"
            let advice = OperatorAdvice.advice(on: words[1].text, ofWholeURL: allowsVersions)
            return context.error(.invalidCondition, message, at: words[1], suggestion: advice)
        }
        if [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(condition.kind),
            !TimeComparison.take(value, for: &condition, in: &context)
        {
            condition.template = context.template(value)
            condition.version = ShortVersion(value.bytes.span)
            // A constant that is compared as a version must be one.
            if !value.bytes.contains(UInt8(ascii: "$")), !VersionComparison.isVersion(value.bytes.span) {
                let message = "\"\(value.text)\" is not a version"
                context.error(.invalidVersion, message, at: value, suggestion: "write a version such as 3.2.0")
            }
        }
        return condition
    }

    /// Returns true if bytes are letters, digits and underscores.
    private static func isName(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    }

    /// The name of the variable on the left; nil after an error.
    private static func testedName(_ word: Word, in context: inout CompileContext) -> String? {
        let name = word.bytes.dropFirst()
        var isPlain = isName(Array(name))
        // The whole word is the name here, so the names of arguments, cookies and headers may have more signs in them than in a
        // text: `$arg_go-get`.
        let text = String(decoding: name, as: UTF8.self)
        if !isPlain, ["arg_", "cookie_", "http_"].contains(where: text.hasPrefix) {
            isPlain = name.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || [0x5f, UInt8(ascii: "-"), UInt8(ascii: ".")].contains($0)
            }
        }
        if isPlain, name.count == 1, let digit = name.first, digit.isASCIIDigit {
            let advice = "copy it first: set $value \(word.text);"
            return context.error(.invalidCondition, "a capture cannot be tested", at: word, suggestion: advice)
        }
        guard isPlain else {
            let message = "the left side of a test is one variable, not \"\(word.text)\""
            let advice = word.bytes.contains { "<>=!~".utf8.contains($0) } ? "put spaces around the operator" : nil
            return context.error(.invalidCondition, message, at: word, suggestion: advice)
        }
        return text
    }
}
