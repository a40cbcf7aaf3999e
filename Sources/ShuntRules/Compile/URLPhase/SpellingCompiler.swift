import ShuntCore

/// True if matchers are avoided by another spelling of a URL: `match_spelling loose | exact`.
enum MatchSpelling: String, CaseIterable {
    case loose
    case exact
}

/// `match_spelling`, and what it makes of matchers.
///
/// It is loose unless a block sets it otherwise: an author who blocks a page means the page, and one spelling that gets
/// through is enough to get through always.
enum SpellingCompiler {
    /// Returns the setting in a block: its own, or that of the enclosing block.
    static func spelling(
        of directives: [CheckedDirective],
        within outer: MatchSpelling,
        in context: inout CompileContext
    ) -> MatchSpelling {
        guard let word = directives.first(where: { $0.keyword == .matchSpelling })?.arguments.first else {
            return outer
        }
        if let spelling = MatchSpelling(rawValue: word.text) { return spelling }
        let message = "\"match_spelling\" takes \"loose\" or \"exact\", not \(word.shownText)"
        let advice = Suggestion.meant(by: word.text, among: MatchSpelling.allCases.map(\.rawValue))
        context.error(.invalidParameter, message, at: word, suggestion: advice)
        return outer
    }

    /// Returns the spellings that a rule's matcher sees.
    ///
    /// What turns away holds for either, so that nothing gets past it. A `match` may let through, so that it holds for the normal
    /// form alone: `/open/../private/` is not below `/open/`.
    static func spelling(of directive: CheckedDirective, _ spelling: MatchSpelling) -> Matcher.Spelling {
        switch (spelling, directive.keyword) {
        case (.exact, _): .written
        case (.loose, .match): .normal
        case (.loose, _): .both
        }
    }

    static func expression(_ value: [UInt8], modifier: MatcherCompiler.Modifier, spelling: MatchSpelling) -> [UInt8] {
        switch modifier {
        case .expression: return spelling == .loose ? disregardingCaseOfHost(value) : value
        case .caselessExpression: return value
        case .url, .prefix: break
        }
        var bytes = value
        var host = 0..<0
        if spelling == .loose {
            bytes = NormalForm.of(value, isWhole: modifier == .url)
            host = nativeHost(of: bytes)
        }
        var expression = Array("\\A".utf8)
        expression += MatcherCompiler.escaped(Array(bytes[..<host.lowerBound]))
        if !host.isEmpty {
            expression += Array("(?i:".utf8) + MatcherCompiler.escaped(Array(bytes[host])) + [UInt8(ascii: ")")]
        }
        expression += MatcherCompiler.escaped(Array(bytes[host.upperBound...]))
        if modifier == .url { expression += Array("\\z".utf8) }
        return expression
    }

    /// The place where the host of a URL is whose normal form keeps the case of it; empty where there is no letter
    /// in it.
    private static func nativeHost(of bytes: [UInt8]) -> Range<Int> {
        guard let parts = try? URLParser.parse(bytes.span), let host = parts.host else { return 0..<0 }
        let scheme = bytes[parts.scheme.indices]
        let isWeb = scheme.elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8)
        return isWeb || !bytes[host.indices].contains { $0.isASCIILetter } ? 0..<0 : host.indices
    }

    /// An expression that begins with `^`, a scheme and the name of a host, with the name in whatever case: the normal form of
    /// a native URL keeps it.
    private static func disregardingCaseOfHost(_ expression: [UInt8]) -> [UInt8] {
        guard expression.first == UInt8(ascii: "^"), let colon = expression.firstIndex(of: UInt8(ascii: ":")),
            colon > 1,
            expression[1..<colon].allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }),
            !expression[1..<colon].elementsEqual("http".utf8), !expression[1..<colon].elementsEqual("https".utf8),
            expression[colon...].starts(with: "://".utf8)
        else { return expression }
        let start = colon + 3
        var end = start
        while end < expression.count, expression[end].isASCIILetter || expression[end].isASCIIDigit { end += 1 }
        // What is repeated is left to its repetition.
        if end < expression.count, "?*+{".utf8.contains(expression[end]) { end -= 1 }
        guard end > start, expression[start..<end].contains(where: { $0.isASCIILetter }) else { return expression }
        return expression[..<start] + Array("(?i:".utf8) + expression[start..<end] + [UInt8(ascii: ")")]
            + expression[end...]
    }
}
