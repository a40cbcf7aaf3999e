import ShuntCore
import ShuntPatterns

/// The matcher of a rule on whole URLs: the one grammar of `block`, `degrade`, `match` and the others.
enum MatcherCompiler {
    static func isKind(_ word: Word) -> Bool {
        !word.isQuoted && (word.text == "host" || Modifier(rawValue: word.text) != nil)
    }

    /// Reads a matcher at the start of `words` and takes it off: `host NAME...`, `= URL`, `^~ PREFIX`, `~ REGEX`, `~*
    /// REGEX`.
    ///
    /// The names of `host` are all the words that are left. Nil after an error.
    static func matcher(
        _ words: inout [Word],
        of directive: CheckedDirective,
        _ spelling: MatchSpelling,
        in context: inout CompileContext
    ) -> MatcherIndex? {
        guard let kind = words.first else {
            return context.error(.missingMatcher, "\"\(directive.name.text)\" needs a matcher", at: directive.name)
        }
        if kind.text == "host", !kind.isQuoted {
            words.removeFirst()
            let names = words
            words.removeAll()
            guard !names.isEmpty else {
                return context.error(.missingMatcher, "\"host\" is followed by one or more names", at: kind)
            }
            return hostMatcher(names, in: &context)
        }
        guard let modifier = Modifier(rawValue: kind.text), !kind.isQuoted else {
            let message = "\"\(kind.text)\" is not a matcher"
            return context.error(.unknownMatcher, message, at: kind, suggestion: advice(on: kind.text))
        }
        words.removeFirst()
        guard !words.isEmpty else {
            return context.error(.missingMatcher, "\"\(kind.text)\" is followed by what it matches", at: kind)
        }
        let value = words.removeFirst()
        var bytes = SpellingCompiler.expression(value.bytes, modifier: modifier, spelling: spelling)
        if modifier == .expression, bytes != value.bytes, (try? RegularExpression(bytes, caseless: false)) == nil {
            // So that the mistake is shown where it is.
            bytes = value.bytes
        }
        let isCaseless = modifier == .caselessExpression
        guard let number = context.pattern(bytes, of: value, isCaseless: isCaseless) else { return nil }
        var matcher = Matcher(kind: .url, names: 0..<0, hostPatterns: 0..<0, pattern: number)
        matcher.spelling = SpellingCompiler.spelling(of: directive, spelling)
        return context.tables.matchers.append(matcher)
    }

    /// The word before the URL or the expression of a matcher.
    enum Modifier: String {
        case url = "="
        case prefix = "^~"
        case expression = "~"
        case caselessExpression = "~*"
    }

    /// Returns the advice for a word in place of a matcher's name.
    private static func advice(on text: String) -> String {
        let all = "write host NAME, = URL, ^~ PREFIX, ~ REGEX or ~* REGEX"
        if text.contains("://") { return "write = \(text) for this URL, or ^~ \(text) for all that begin with it" }
        if text.contains("."), !text.contains("/"), HostNamePattern(Array(text.utf8)) != nil {
            return "write host \(text)"
        }
        return all
    }

    /// The expression that matches exactly these bytes.
    static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80 || byte == UInt8(ascii: "/")
                || byte == UInt8(ascii: ":")
                ? [byte] : [UInt8(ascii: "\\"), byte]
        }
    }

    /// The matcher of `host NAME...`; nil after an error.
    static func hostMatcher(_ words: [Word], in context: inout CompileContext) -> MatcherIndex? {
        let firstName = context.tables.hostNames.count
        let firstPattern = context.tables.hostPatterns.count
        var isSound = true
        for word in words {
            if word.bytes.first == UInt8(ascii: "~") {
                guard let number = hostPattern(word, in: &context) else {
                    isSound = false
                    continue
                }
                context.tables.hostPatterns.append(number)
            } else if let name = HostNamePattern(InternetAddress.canonicalHost(word.bytes)) {
                context.tables.hostNames.append(name)
            } else {
                invalidHost(word, in: &context)
                isSound = false
            }
        }
        guard isSound else { return nil }
        return context.tables.matchers.append(
            Matcher(
                kind: .host,
                names: firstName..<context.tables.hostNames.count,
                hostPatterns: firstPattern..<context.tables.hostPatterns.count,
                pattern: .none
            )
        )
    }

    /// The expression of `~REGEX` or `~*REGEX` for hosts, which are in lower case; capitals make it caseless, as in
    /// `server_name`.
    private static func hostPattern(_ word: Word, in context: inout CompileContext) -> ExpressionIndex? {
        var offset = 1
        if word.bytes.count > 1, word.bytes[1] == UInt8(ascii: "*") { offset = 2 }
        let bytes = Array(word.bytes.dropFirst(offset))
        guard !bytes.isEmpty else {
            invalidHost(word, in: &context)
            return nil
        }
        let isCaseless = offset == 2 || bytes.contains { $0.isASCIIUppercase }
        return context.pattern(bytes, of: word, offset: offset, isCaseless: isCaseless)
    }

    private static func invalidHost(_ word: Word, in context: inout CompileContext) {
        let advice = HostNamePattern.advice
        context.error(.invalidHost, "invalid host name or wildcard \"\(word.text)\"", at: word, suggestion: advice)
    }

    /// The string of a target, which may use the captures of a matcher's expression.
    static func target(_ word: Word, captures matcher: MatcherIndex, in context: inout CompileContext) -> TemplateIndex
    {
        let matcher = context.tables.matchers[matcher]
        let patterns =
            matcher.kind == .url ? [matcher.pattern] : Array(context.tables.hostPatterns[matcher.hostPatterns])
        return context.template(word, groups: patterns.map { context.groupCount(of: $0) }.max() ?? 0)
    }
}
