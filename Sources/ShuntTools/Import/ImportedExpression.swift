import ShuntCore
import ShuntPatterns

/// Changes of the text of an expression.
enum ImportedExpression {
    /// The pieces of an expression: escapes, classes and single characters.
    static func pieces(_ expression: String) -> [String] {
        var result: [String] = []
        var rest = Substring(expression)
        while let first = rest.first {
            var piece = rest.prefix(first == "\\" ? 2 : 1)
            if first == "[" {
                let bytes = Array(rest.utf8)
                piece = rest[..<rest.utf8.index(rest.startIndex, offsetBy: CharacterClass.end(in: bytes, from: 0))]
            }
            result.append(String(piece))
            rest = rest[piece.endIndex...]
        }
        return result
    }

    /// The signs of the quantifier at the beginning of pieces, other than a count; it is taken from the pieces.
    static func takeQuantifiers(_ rest: inout ArraySlice<String>) -> ArraySlice<String> {
        if rest.first == "{" { rest = rest.drop { $0 != "}" }.dropFirst() }
        let marks = rest.prefix { ["?", "*", "+"].contains($0) }
        rest = rest.dropFirst(marks.count)
        return marks
    }

    /// The number of pieces of a group whose parenthesis is open.
    static func groupLength(_ pieces: ArraySlice<String>) -> Int {
        var depth = 1
        return
            pieces.prefix { piece in
                if piece == "(" { depth += 1 }
                if piece == ")" { depth -= 1 }
                return depth > 0
            }
            .count
    }

    /// The number of capturing groups; nil if it is not an expression.
    static func groupCount(_ expression: String) -> Int? {
        (try? RegularExpression(Array(expression.utf8), caseless: false))?.captureCount
    }

    /// An expression that matches where one of two does; nil where one names its groups, or would not end in the other, or is long.
    ///
    /// An option in the text of the first holds to its end only.
    static func either(_ one: String, _ other: String) -> String? {
        guard one.utf8.count + other.utf8.count < 2_000,
            !(one + other).contains(#/\\[1-9gk]|\(\?(?:\w*x|P[=>]|[R0-9&(])/#),
            (one + other).count(where: { $0 == "(" }) < 90
        else { return nil }
        return one.contains(#/\(\?[a-zA-Z^-]+\)/#) ? "(?:\(one))|\(other)" : "\(one)|\(other)"
    }

    /// Names the groups of an expression: the first is `NAME_1`.
    static func naming(_ expression: String, _ name: String) -> String {
        var number = 0
        let pieces = pieces(expression)
        var result = ""
        for (index, piece) in pieces.enumerated() {
            result += piece
            guard piece == "(", index + 1 < pieces.count, pieces[index + 1] != "?", pieces[index + 1] != "*" else {
                continue
            }
            number += 1
            result += "?<\(name)_\(number)>"
        }
        return result
    }

    /// Returns true if an expression matches a text.
    static func matches(_ expression: String, _ text: String, ignoresCase: Bool = false) -> Bool {
        captures(expression, text, ignoresCase: ignoresCase) != nil
    }

    /// The whole match and the groups of an expression in a text; nil if it does not match.
    static func captures(_ expression: String, _ text: String, ignoresCase: Bool = false) -> [String]? {
        let (bytes, scratch) = (Array(text.utf8), MatchScratch())
        guard let expression = try? RegularExpression(Array(expression.utf8), caseless: ignoresCase),
            expression.match(bytes.span, scratch: scratch) == .matched
        else { return nil }
        return (0...expression.captureCount)
            .map { group in
                scratch.capture(group).map { String(decoding: bytes[Int($0.start)..<Int($0.end)], as: UTF8.self) } ?? ""
            }
    }

    /// A text as an expression that matches it.
    static func literal(_ text: String) -> String {
        text.map { "\\^$.|?*+()[]{}".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }

    /// The alternatives of an expression outside of its groups.
    static func alternatives(_ expression: String) -> [String] {
        var result = [""]
        var depth = 0
        for piece in pieces(expression) {
            if piece == "(" { depth += 1 }
            if piece == ")" { depth -= 1 }
            if piece == "|", depth == 0 {
                result.append("")
            } else {
                result[result.count - 1] += piece
            }
        }
        return result
    }

    /// Returns true if an expression matches every text; groups of it are not asked for.
    static func isAny(_ expression: String) -> Bool {
        guard expression != "^$" else { return false }
        var text = expression
        if text.hasPrefix("^") { text.removeFirst() }
        if text.hasSuffix("$") { text.removeLast() }
        if text.hasPrefix("("), text.hasSuffix(")") { text = String(text.dropFirst().dropLast()) }
        return ["", ".*", ".?", ".*?"].contains(text)
    }

    /// The expression on a whole path that matches where one on the path below a folder matches; `base` has its
    /// slashes.
    static func below(_ base: String, _ expression: String) -> String {
        let folder = literal(base)
        let alternatives = alternatives(expression)
        if alternatives.count > 1 {
            let simple = alternatives.map { simplyBelow(folder, $0) }
            if !simple.contains(nil) { return simple.compactMap(\.self).joined(separator: "|") }
            return anywhereBelow(folder, "(?:\(expression))")
        }
        return simplyBelow(folder, expression) ?? anywhereBelow(folder, expression)
    }

    private static func simplyBelow(_ folder: String, _ expression: String) -> String? {
        let pieces = pieces(expression)
        if pieces.first == "^" {
            var rest = Array(pieces.dropFirst())
            guard !rest.contains("^") else { return nil }
            // A path below a folder has no slash at its beginning.
            if rest.count > 1, rest[0] == "/", ["?", "*"].contains(rest[1]) { rest.removeFirst(2) }
            return "^\(folder)\(rest.joined())"
        }
        guard !pieces.contains("^") else { return nil }
        let anchored = [".*", "(.*)", ".+", "(.+)"]
            .contains { start in
                expression == start
                    || expression.hasPrefix(start)
                        && !["?", "*", "+", "{"].contains(String(expression.dropFirst(start.count).prefix(1)))
            }
        if anchored || expression == "." { return "^\(folder)\(expression)" }
        return folder == "/" && !canBeginWithSlash(pieces[...]) ? expression : nil
    }

    /// An expression that begins to match after the folder, wherever that is.
    private static func anywhereBelow(_ folder: String, _ expression: String) -> String {
        let pieces = pieces(expression)
        let rest = pieces.map { $0 == "^" ? "(?<=^\(folder))" : $0 }.joined()
        return folder == "/" ? "(?!^)\(rest)" : "^\(folder).*?\(pieces.contains("^") ? "(?:\(rest))" : rest)"
    }

    private static func canBeginWithSlash(_ pieces: ArraySlice<String>) -> Bool {
        guard let first = pieces.first else { return true }
        var after = pieces.dropFirst()
        if first == "(" {
            var inner = after.prefix(groupLength(after))
            guard inner.count < after.count else { return true }
            after = after.dropFirst(inner.count + 1)
            if inner.first == "?" {
                guard inner.dropFirst().first == ":" else { return true }
                inner = inner.dropFirst(2)
            }
            guard alternatives(inner.joined()).allSatisfy({ !canBeginWithSlash(Self.pieces($0)[...]) }) else {
                return true
            }
        } else if first.count == 1 {
            if "/.^$|)?*+".contains(first) { return true }
        } else if matches("^(?:\(first))$", "/") || first.hasPrefix("\\") && "bBAGKQEXRN".contains(first.dropFirst()) {
            return true
        }
        return ["?", "*", "{"].contains(after.first ?? "")
    }
}

extension StringProtocol {
    /// The text without characters of a kind at its beginning and its end.
    func withoutEnds(_ isDropped: (Character) -> Bool) -> String {
        var text = drop(while: isDropped)
        while let last = text.last, isDropped(last) { text.removeLast() }
        return String(text)
    }
}
