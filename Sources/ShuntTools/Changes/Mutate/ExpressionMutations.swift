import ShuntPatterns

/// An expression with a small mistake in it.
struct MutatedText {
    var kind: Mutation.Kind
    var change: String
    var text: [UInt8]
    /// The expression of just those ways to match that one of the two has and the other has not; nil if none has that
    /// meaning.
    var difference: [UInt8]?
}

/// Makes small mistakes in regular expressions, as they are written.
struct ExpressionMutations {
    private let text: [UInt8]
    private var found: [MutatedText] = []
    /// The repetitions that may be empty in one of the two, by the number of the mistake.
    private var emptied: [Int: Range<Int>] = [:]
    /// The groups that are repeated: of a mistake in one, each repetition may or may not show it.
    private var repeated: [Range<Int>] = []
    /// The groups that may be left out, and where that is written.
    private var optional: [(group: Range<Int>, mark: Int)] = []

    /// The mistakes in an expression, from its start to its end.
    static func of(_ text: [UInt8]) -> [MutatedText] {
        var mutations = ExpressionMutations(text: text)
        mutations.collect()
        if mutations.isPlain { mutations.findDifferences() }
        return mutations.found
    }

    private init(text: [UInt8]) { self.text = text }

    /// True if a match is a way through the expression and nothing else: no lookaround, nothing atomic, no
    /// backreference.
    private var isPlain: Bool {
        let shown = String(decoding: text, as: UTF8.self)
        let others = [
            "(?=", "(?!", "(?<=", "(?<!", "(?>", "++", "*+", "?+", "}+", "\\K", "\\G", "\\g", "\\k", "(?|", "(?(",
        ]
        return text.references(after: "\\").isEmpty && !others.contains(where: shown.contains)
    }

    /// Marks for each repetition what is matched when it is empty, if it is gone through at all.
    private mutating func findDifferences() {
        for (index, range) in emptied where !repeated.contains(where: { $0.contains(range.lowerBound) }) {
            var only = text
            // From the end on, so that what is before stays where it is.
            for (group, mark) in optional.sorted(by: { $0.mark > $1.mark }) where group.contains(range.lowerBound) {
                only.remove(at: mark)
            }
            only.replaceSubrange(range, with: Array("{0}".utf8))
            found[index].difference = only
        }
    }

    private mutating func replace(_ range: Range<Int>, by new: String, _ kind: Mutation.Kind) {
        var changed = text
        changed.replaceSubrange(range, with: Array(new.utf8))
        guard !changed.isEmpty else { return }
        let old = text[range].isEmpty ? "" : String(decoding: text[range], as: UTF8.self)
        let change = new.isEmpty ? "without \"\(old)\"" : "\"\(new)\" for \"\(old)\""
        found.append(MutatedText(kind: kind, change: change, text: changed))
    }

    private mutating func collect() {
        var index = 0
        // Where each open group begins, and where its alternatives part.
        var groups: [(start: Int, bars: [Int])] = [(-1, [])]
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\\"):
                let end = min(index + 2, text.count)
                let escaped = text[index + 1..<end].first
                if escaped == UInt8(ascii: ".") { replace(index..<end, by: ".", .anchor) }
                if escaped == UInt8(ascii: "d") { replace(index..<end, by: "\\w", .part) }
                index = end
                quantifier(at: &index)
                continue
            case UInt8(ascii: "["):
                index = CharacterClass.end(in: text, from: index)
                // A class takes one more byte.
                if index <= text.count, text[index - 1] == UInt8(ascii: "]") {
                    widenClass(endingAt: index - 1)
                }
                quantifier(at: &index)
                continue
            case UInt8(ascii: "^"), UInt8(ascii: "$"): replace(index..<index + 1, by: "", .anchor)
            case UInt8(ascii: "."):
                let next = index + 1 < text.count ? text[index + 1] : 0
                if !"*+?{".utf8.contains(next) { replace(index..<index + 1, by: "\\.", .anchor) }
                index += 1
                quantifier(at: &index)
                continue
            case UInt8(ascii: "("): groups.append((index, []))
            case UInt8(ascii: "|"): groups[groups.count - 1].bars.append(index)
            case UInt8(ascii: ")"):
                if groups.count > 1, let group = groups.popLast() {
                    dropAlternative(group.start, group.bars, end: index)
                    let next = index + 1 < text.count ? text[index + 1] : 0
                    if "*+{".utf8.contains(next) { repeated.append(group.start..<index) }
                    if next == UInt8(ascii: "?") { optional.append((group.start..<index, index + 1)) }
                }
                index += 1
                quantifier(at: &index)
                continue
            case UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "+"):
                quantifier(at: &index)
                continue
            default: break
            }
            index += 1
        }
        dropAlternative(-1, groups[0].bars, end: text.count)
    }

    private mutating func widenClass(endingAt end: Int) {
        // A byte that classes seldom have, and that paths and hosts may.
        replace(end..<end + 1, by: "~]", .part)
        found[found.count - 1].change = "one more byte in the class that ends at \(end + 1)"
    }

    /// Changes a quantifier that is at `index`, and goes past it.
    private mutating func quantifier(at index: inout Int) {
        guard index < text.count else { return }
        switch text[index] {
        case UInt8(ascii: "+"), UInt8(ascii: "*"):
            emptied[found.count] = index..<index + 1
            replace(index..<index + 1, by: text[index] == UInt8(ascii: "+") ? "*" : "+", .part)
        case UInt8(ascii: "?"):
            // Of `(?:` and `+?` the question mark is not a repetition.
            let before = index > 0 ? text[index - 1] : UInt8(ascii: "(")
            if !"(+*?}".utf8.contains(before) { replace(index..<index + 1, by: "", .part) }
        case UInt8(ascii: "{"):
            guard let end = text[index...].firstIndex(of: UInt8(ascii: "}")),
                let number = Int(String(decoding: text[index + 1..<end], as: UTF8.self))
            else { return }
            replace(index..<end + 1, by: "{\(number + 1)}", .part)
            index = end
        default: return
        }
        index += 1
    }

    /// Takes the last alternative of a group away.
    private mutating func dropAlternative(_ start: Int, _ bars: [Int], end: Int) {
        guard let last = bars.last, last > start else { return }
        replace(last..<end, by: "", .part)
    }
}

extension [UInt8] {
    /// The places of a sign that a digit from 1 to 9 follows, as in `$1` and `\1`.
    func references(after sign: Unicode.Scalar) -> [Int] {
        indices.dropLast().filter { self[$0] == UInt8(ascii: sign) && (0x31...0x39).contains(self[$0 + 1]) }
    }
}
