import ShuntCore
import ShuntPatterns

/// An expression with one part changed, for subjects that it just does not match.
struct PatternVariation {
    /// The part in a few words: `the digits`, `the end`.
    var part: String
    var tree: PatternNode
    /// True if the part is text that stands for itself.
    var isText: Bool { part.hasPrefix("\"") }
}

extension PatternNode {
    /// The expression with each of its parts changed in turn, the revealing ones first.
    var variations: [PatternVariation] {
        var seen = Set<String>()
        let all = changed()
        var found = all.filter { !$0.isText && seen.insert($0.part).inserted }
            .sorted { Self.rank($0.part) < Self.rank($1.part) }
        // A letter that is another one shows little where more can be shown.
        let longest = all.filter(\.isText).max { $0.part.utf8.count < $1.part.utf8.count }
        if found.count < 3, let longest { found.append(longest) }
        return found
    }

    /// Parts that people get wrong most often come first.
    private static func rank(_ part: String) -> Int {
        let order = ["the digits", "the dot", "the start", "the end"]
        return order.firstIndex(of: part) ?? order.count
    }

    private func changed() -> [PatternVariation] {
        switch self {
        case .start: return [PatternVariation(part: "the start", tree: .sequence([]))]
        case .end, .absoluteEnd: return [PatternVariation(part: "the end", tree: .sequence([]))]
        case .set(let set):
            let others = set.inverted
            // Of "." nothing but a line feed is left.
            guard others.count > 8 else { return [] }
            return [PatternVariation(part: Self.name(of: set), tree: .set(others))]
        case .literal(let bytes, let caseless): return Self.changed(bytes, caseless: caseless)
        case .choice(let branches):
            guard branches.count > 1 else { return branches.flatMap { $0.changed() } }
            let other = PatternNode.repeated(.set(Self.segment), minimum: 1, maximum: nil, .greedy)
            return [PatternVariation(part: "the alternatives", tree: other)]
        case .sequence(let nodes):
            return nodes.indices.flatMap { index in
                nodes[index].changed()
                    .map { variation in
                        var nodes = nodes
                        nodes[index] = variation.tree
                        return PatternVariation(part: variation.part, tree: .sequence(nodes))
                    }
            }
        case .capture(let inner, let number):
            return inner.changed().map { PatternVariation(part: $0.part, tree: .capture($0.tree, number: number)) }
        case .atomic(let inner): return inner.changed()
        case .repeated(let inner, let minimum, let maximum, _):
            // Without what may be left out, a text matches still.
            var found = inner.changed().filter { minimum > 0 || !$0.isText }
                .map { variation in
                    let tree = PatternNode.repeated(
                        variation.tree,
                        minimum: max(1, minimum),
                        maximum: maximum.map { max(1, $0) },
                        .greedy
                    )
                    return PatternVariation(part: variation.part, tree: tree)
                }
            if minimum > 1 {
                let fewer = PatternNode.repeated(inner, minimum: minimum - 1, maximum: minimum - 1, .greedy)
                found.append(PatternVariation(part: "the number of \(inner.plural)", tree: fewer))
            } else if minimum == 1, maximum == nil {
                found.append(PatternVariation(part: "the number of \(inner.plural)", tree: .sequence([])))
            }
            return found
        case .lookaround: return [PatternVariation(part: "what is looked for around it", tree: .sequence([]))]
        case .wordBoundary: return [PatternVariation(part: "the word boundary", tree: .sequence([]))]
        case .backreference, .lineBreak, .matchStart: return []
        }
    }

    private static let segment = ByteSet.alphanumerics.union(ByteSet(ascii: "-_"))

    /// The bytes with each dot, or the last letter of each word, being something else.
    private static func changed(_ bytes: [UInt8], caseless: Bool) -> [PatternVariation] {
        var found: [PatternVariation] = []
        func variation(_ index: Int, _ part: String) -> PatternVariation {
            let own = caseless ? ByteSet([bytes[index]]).closedUnderCase : ByteSet([bytes[index]])
            return PatternVariation(
                part: part,
                tree: .sequence([
                    .literal(Array(bytes[..<index]), caseless: caseless), .set(own.inverted),
                    .literal(Array(bytes[(index + 1)...]), caseless: caseless),
                ])
            )
        }
        for index in bytes.indices where bytes[index] == UInt8(ascii: ".") { found.append(variation(index, "the dot")) }
        if let last = bytes.lastIndex(where: { $0.isASCIILetter || $0.isASCIIDigit }) {
            found.append(variation(last, "\"\(String(decoding: bytes, as: UTF8.self))\""))
        }
        return found
    }

    private static func name(of set: ByteSet) -> String {
        if set == .digits { return "the digits" }
        if set == .word { return "the word" }
        return "the class"
    }

    /// The repeated things in a few words.
    private var plural: String {
        switch self {
        case .set(.digits): "digits"
        case .set: "bytes"
        case .capture(let inner, _): inner.plural
        default: "repetitions"
        }
    }
}
