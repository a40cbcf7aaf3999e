import ShuntCore
import ShuntPatterns

extension LintSubject {
    func redundantAlternative() -> [LintFound] {
        written.compactMap { expression in
            guard expression.isOnlyMatched, let own = checker.language(of: expression.place.pattern),
                !checker.isEmpty(own, expression.place.domain)
            else { return nil }
            let text = expression.text
            let groups = text.groups.filter { !$0.bars.isEmpty && $0.kind != .lookaround }
            // Long lists would take an automaton of all others for each of them.
            guard groups.reduce(0, { $0 + $1.alternatives.count }) <= 32 else { return nil }
            for group in groups {
                for (number, range) in group.alternatives.enumerated().reversed() where !range.isEmpty {
                    let whole =
                        number == 0 ? range.lowerBound..<range.upperBound + 1 : range.lowerBound - 1..<range.upperBound
                    guard let other = checker.language(text.without(whole), like: expression.place.pattern),
                        checker.areEqual(own, other, within: expression.place.domain)
                    else { continue }
                    let shown = ShownBytes.text(Array(text.text[range]))
                    return LintFound(
                        expression.word,
                        "the alternative \(shown) changes nothing: the others match what it does",
                        advice: group.alternatives.contains(where: \.isEmpty)
                            ? "remove the empty alternative, or this one"
                            : text.hasDot(in: group.start..<group.end)
                                ? "remove it, or escape the dot if one is meant" : "remove it"
                    )
                    .remarking("proved: with and without it the expression matches the same")
                }
            }
            return nil
        }
    }

    func leadingDotstar() -> [LintFound] {
        written.compactMap { expression in
            let text = expression.text
            guard expression.isOnlyMatched, let dot = text.dots.first,
                dot == text.groups[0].start
                    || dot == text.groups[0].start + 1 && text.text[dot - 1] == UInt8(ascii: "^"),
                let end = text.endOfRepetition(at: dot)
            else { return nil }
            return without(text.groups[0].start..<end, expression, name: ".* at the beginning")
        }
    }

    func trailingDotstar() -> [LintFound] {
        written.compactMap { expression in
            let text = expression.text
            guard let dot = text.dots.last, let end = text.endOfRepetition(at: dot),
                end == text.text.count || end + 1 == text.text.count && text.text[end] == UInt8(ascii: "$"),
                // With the $ the groups may have another text where a line feed is.
                end == text.text.count || expression.isOnlyMatched || expression.place.kind == .url
            else { return nil }
            return without(dot..<text.text.count, expression, name: ".* at the end")
        }
    }

    /// Returns the finding about a part without which an expression matches the same; nil if it matches differently.
    fileprivate func without(_ range: Range<Int>, _ expression: WrittenExpression, name: String) -> LintFound? {
        let rest = expression.text.without(range)
        let domain = expression.place.domain
        guard rest.contains(where: { !"^$".utf8.contains($0) }),
            let own = checker.language(of: expression.place.pattern),
            let other = checker.language(rest, like: expression.place.pattern), !other.isUniversal,
            let plain = checker.language("^[^\\x00-\\x1f\\x7f]*\\z")
        else { return nil }
        let found = LintFound(expression.word, "the \(name) changes nothing", advice: "remove it")
        let proof = "proved: with and without it the expression matches the same"
        if checker.areEqual(own, other, within: domain) {
            return found.remarking(proof).fixed(by: expression.edits([(range, "")]))
        }
        guard checker.areEqual(own, other, within: .intersection([domain, plain])) else { return nil }
        return found.remarking("\(proof), but for texts with a line feed")
    }
}

extension ExpressionText {
    /// Returns true if a dot in a part of the text is not escaped.
    fileprivate func hasDot(in range: Range<Int>) -> Bool {
        range.contains { text[$0] == UInt8(ascii: ".") && ($0 == 0 || text[$0 - 1] != UInt8(ascii: "\\")) }
    }

    /// The place where `.*` or `.*?` ends that begins at a dot; nil for another repetition.
    fileprivate func endOfRepetition(at dot: Int) -> Int? {
        guard dot + 1 < text.count, text[dot + 1] == UInt8(ascii: "*") else { return nil }
        let next = dot + 2 < text.count ? text[dot + 2] : 0
        return next == UInt8(ascii: "+") ? nil : next == UInt8(ascii: "?") ? dot + 3 : dot + 2
    }
}

extension Language {
    /// True for one automaton that accepts every text.
    fileprivate var isUniversal: Bool { if case .automaton(let own) = self { own.isUniversal } else { false } }
}
