import ShuntCore

/// Tests for a value that is at once above one bound and below another that is lower.
extension MistakeCheck {
    /// A comparison of a variable with a constant.
    private struct Bound {
        var variable: String
        var isLower: Bool
        var includesValue: Bool
        var value: Word
        var text: String
    }

    mutating func checkWindows(_ directives: [CheckedDirective]) {
        var pairs: [(lower: Bound, upper: Bound)] = []
        Self.forEach(directives) { directive in
            guard directive.keyword == .if || directive.keyword == .else else { return }
            let bounds = Self.bounds(directive.arguments)
            for (number, bound) in bounds.enumerated() {
                for other in bounds[..<number] where other.variable == bound.variable && other.isLower != bound.isLower
                {
                    pairs.append(bound.isLower ? (bound, other) : (other, bound))
                }
            }
        }
        for (lower, upper) in pairs where Self.isEmpty(lower, upper) {
            let isClock = TimeValue.looksLikeTimeOfDay(Array(lower.text.utf8))
            let last = lower.value.position.column > upper.value.position.column ? lower : upper
            source.report(
                .warning(.neverBetween),
                "$\(lower.variable) is never above \(lower.text) and below \(upper.text): the test is never true",
                at: last.value,
                suggestion: isClock
                    ? "write || for the hours from \(lower.text) over midnight to \(upper.text)"
                    : "write || if one of the two is enough"
            )
        }
    }

    /// The comparisons of an `if` whose tests all have to hold; none of one that has `||` or parentheses within.
    private static func bounds(_ words: [Word]) -> [Bound] {
        var words = words
        if words.first?.text == "if" { words.removeFirst() }
        guard words.count > 6, !words.contains(where: { $0.text.contains("||") }),
            !words.dropFirst().contains(where: { $0.text.hasPrefix("(") || $0.text.hasPrefix("!(") }),
            let first = words.first, first.text.hasPrefix("("), !first.text.hasPrefix("((")
        else { return [] }
        var result: [Bound] = []
        for index in words.indices.dropLast(2) {
            let sign = words[index + 1].text
            guard ["<", "<=", ">", ">="].contains(sign), !words[index + 1].isQuoted else { continue }
            let name = words[index].text.drop { $0 == "(" }
            let value = words[index + 2]
            guard name.hasPrefix("$"), !value.text.contains("$") else { continue }
            let text = value.isQuoted || index + 3 < words.count ? value.text[...] : value.text.prefix { $0 != ")" }
            result.append(
                Bound(
                    variable: name.dropFirst().lowercased(),
                    isLower: sign.hasPrefix(">"),
                    includesValue: sign.hasSuffix("="),
                    value: value,
                    text: String(text)
                )
            )
        }
        return result
    }

    /// Returns true if nothing is between two bounds that can be compared; dates only where both or neither names an
    /// offset.
    private static func isEmpty(_ lower: Bound, _ upper: Bound) -> Bool {
        let (low, high) = (Array(lower.text.utf8), Array(upper.text.utf8))
        let isTouching = lower.includesValue && upper.includesValue
        if let first = TimeValue.timeOfDay(low.span), let second = TimeValue.timeOfDay(high.span) {
            return first > second || first == second && !isTouching
        }
        if TimeValue.looksLikeDate(low), TimeValue.looksLikeDate(high) {
            func hasOffset(_ text: [UInt8]) -> Bool { text.dropFirst(11).contains { "Zz+-".utf8.contains($0) } }
            guard hasOffset(low) == hasOffset(high), let first = try? TimeValue.moment(lower.text, offset: 0),
                let second = try? TimeValue.moment(upper.text, offset: 0)
            else { return false }
            return first > second || first == second && !isTouching
        }
        switch VersionComparison.compare(low.span, high.span) {
        case .greater: return true
        case .equal: return !isTouching
        case .less, nil: return false
        }
    }
}
