import ShuntCore
import ShuntPatterns

extension LintSubject {
    func suspiciousClass() -> [LintFound] {
        written.flatMap { expression in
            expression.text.suspicions.compactMap { suspicion in
                guard let own = checker.language(of: expression.place.pattern),
                    let meant = checker.language(suspicion.meant, like: expression.place.pattern),
                    let text = checker.shortest(expression.place.domain, own.symmetricDifference(meant))
                else { return nil }
                let verb = own.contains(text) ? "matches" : "does not match"
                return LintFound(expression.word, suspicion.message, advice: suspicion.advice)
                    .remarking(
                        "proved: this \(verb) \(ShownBytes.text(text)); with \(suspicion.form) it would be otherwise"
                    )
            }
        }
    }
}

/// A part of an expression that looks like a mistake, and the expression that was likely meant.
private struct Suspicion {
    var message: String
    var advice: String
    /// The text that would be there.
    var form: String
    var meant: [UInt8]
}

extension ExpressionText {
    fileprivate var suspicions: [Suspicion] {
        classes.compactMap(suspicion(ofClass:)) + groups.compactMap(emptyAlternative)
    }

    private func suspicion(ofClass range: Range<Int>) -> Suspicion? {
        let shown = ShownBytes.text(Array(text[range]))
        let content = Array(text[(range.lowerBound + 1)..<(range.upperBound - 1)])
        guard content.first != UInt8(ascii: "^"), !content.isEmpty else { return nil }
        func replaced(_ new: [UInt8]) -> [UInt8] { Array(text[..<range.lowerBound]) + new + text[range.upperBound...] }
        for index in content.indices.dropFirst().dropLast() where content[index] == UInt8(ascii: "-") {
            let (first, last) = (content[index - 1], content[index + 1])
            let isEscaped = index > 1 && content[index - 2] == UInt8(ascii: "\\")
            guard first.isASCIILetter, last.isASCIILetter, first < 0x5b, last > 0x60, !isEscaped else { continue }
            var letters = content
            letters.replaceSubrange(index - 1...index + 1, with: Array("A-Za-z".utf8))
            return Suspicion(
                message: "\(shown) has the characters between Z and a, too",
                advice: "write A-Za-z",
                form: "A-Za-z",
                meant: replaced([UInt8(ascii: "[")] + letters + [UInt8(ascii: "]")])
            )
        }
        if content.count > 1, let bar = content.firstIndex(of: UInt8(ascii: "|")), bar > 0,
            content[bar - 1] != UInt8(ascii: "\\"), bar + 1 < content.count || content.count == 2
        {
            let rest = content.filter { $0 != UInt8(ascii: "|") }
            guard !rest.isEmpty else { return nil }
            let new = [UInt8(ascii: "[")] + rest + [UInt8(ascii: "]")]
            return Suspicion(
                message: "in the class \(shown) the | is a character",
                advice: "remove it, or use a group: (?:a|b)",
                form: ShownBytes.text(new),
                meant: replaced(new)
            )
        }
        let isWord = content.count > 2 && content.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: ".") }
        guard isWord, Set(content).count < content.count else { return nil }
        let word = content.flatMap { $0 == UInt8(ascii: ".") ? [UInt8(ascii: "\\"), $0] : [$0] }
        return Suspicion(
            message: "\(shown) is one character, not a text",
            advice: "write (?:\(String(decoding: word, as: UTF8.self)))",
            form: "the text",
            meant: replaced(Array("(?:".utf8) + word + [UInt8(ascii: ")")])
        )
    }

    private func emptyAlternative(_ group: Group) -> Suspicion? {
        guard let empty = group.alternatives.firstIndex(where: \.isEmpty), !group.bars.isEmpty,
            group.kind != .lookaround
        else { return nil }
        let range = group.alternatives[empty]
        let bar = empty == 0 ? range.lowerBound..<range.lowerBound + 1 : range.lowerBound - 1..<range.lowerBound
        return Suspicion(
            message: "an alternative is empty, and matches always",
            advice: "remove the |, or write ? after the group if it may be missing",
            form: "no empty alternative",
            meant: without(bar)
        )
    }
}
