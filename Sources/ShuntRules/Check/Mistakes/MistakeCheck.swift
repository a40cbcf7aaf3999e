import ShuntCore

/// Looks for rules that can never do what was meant, though each of their words is right.
///
/// What can never match is an error; what is most likely not meant is a warning. Everything is seen in the directives
/// alone, with tables: time and memory are in proportion to the rules.
struct MistakeCheck {
    var source: ParsedRules

    /// Checks the directives that the structure's check has left, and reports to their source.
    static func run(_ directives: [CheckedDirective], of source: inout ParsedRules) {
        var check = MistakeCheck(source: source)
        check.checkHosts(directives)
        check.checkURLs(directives)
        check.checkComparisons(directives)
        check.checkWindows(directives)
        check.checkShares(directives)
        check.checkSequence(directives)
        check.checkLetters(directives)
        source = check.source
    }

    /// Calls `body` with each directive of a list and of the blocks in it.
    static func forEach(_ directives: [CheckedDirective], _ body: (CheckedDirective) -> Void) {
        for directive in directives {
            body(directive)
            switch directive.keyword {
            case .server, .location, .if, .else, .match, .limitExcept: forEach(directive.block, body)
            default: break
            }
        }
    }
}

/// The matcher that a rule on whole URLs begins with.
struct WrittenMatcher {
    /// `host`, `=`, `^~`, `~` or `~*`.
    var kind: String
    /// The names after `host`, or the one word after the others.
    var values: [Word]

    /// Reads the matcher of a rule; nil for rules without one, and where something is missing.
    init?(of directive: CheckedDirective) {
        var words = directive.arguments
        switch directive.keyword {
        case .match: break
        case .degrade:
            guard words.count > 2 else { return nil }
            words.removeLast()
        case .block:
            if words.count > 2, let last = words.last, last.bytes.count == 3, last.bytes.allSatisfy(\.isASCIIDigit) {
                words.removeLast()
            }
        case .rewriteURL:
            kind = "~"
            values = Array(words.prefix(1))
            return
        default: return nil
        }
        guard words.count > 1, let first = words.first, !first.isQuoted else { return nil }
        kind = first.text
        values = Array(words.dropFirst())
        guard ["host", "=", "^~", "~", "~*"].contains(kind), kind == "host" || values.count == 1 else { return nil }
    }
}
