import Shunt
import ShuntPatterns

/// The possible values of a template, piece by piece, if its captures are those of one expression.
struct TemplateImage {
    /// A piece of a template: what it may be, and the group or the variable it is.
    struct Segment {
        var node: PatternNode
        var group: Int?
        var variable: RuleModel.Variable?
    }

    let pieces: [Segment]

    /// Creates the image; without the expression whose groups the template names, a capture is anything.
    init(_ template: RuleModel.Template, capturesOf tree: PatternNode?) {
        var groups: [Int: PatternNode] = [:]
        tree?.collect(&groups)
        let unknown = tree == nil ? PatternNode.anything : .sequence([])
        pieces = template.pieces.map { piece in
            switch piece {
            case .literal(let text): Segment(node: .literal(text, caseless: false))
            case .variable(let variable): Segment(node: .anything, variable: variable)
            case .capture(let number): Segment(node: groups[number] ?? unknown, group: number)
            }
        }
    }

    /// The set of all values of the template, and perhaps more: a group that looks around it may be anything, and one
    /// that takes no part in a match is empty.
    func language(_ limits: AutomatonLimits) throws(AutomatonRefusal) -> Language {
        let nodes = pieces.map { piece -> PatternNode in
            guard piece.group != nil else { return piece.node }
            return piece.node.looksAround ? .anything : .choice([piece.node, .sequence([])])
        }
        return .automaton(try Automaton(.sequence([.start] + nodes + [.absoluteEnd]), limits: limits))
    }

    /// Returns the text of each piece if all of them result in `word`; nil if they cannot.
    func texts(of word: [UInt8], _ limits: AutomatonLimits) -> [[UInt8]]? {
        var automata: [Automaton] = []
        for piece in pieces {
            let tree = PatternNode.sequence([.start, piece.node, .absoluteEnd])
            guard let automaton = try? Automaton(tree, limits: limits) else { return nil }
            automata.append(automaton)
        }
        // Where each piece may end, from the first on.
        var ways: [[Int: Int]] = [[0: -1]]
        for automaton in automata {
            var next: [Int: Int] = [:]
            for start in (ways.last ?? [:]).keys.sorted() {
                for end in start...word.count where next[end] == nil && automaton.accepts(word[start..<end]) {
                    next[end] = start
                }
            }
            ways.append(next)
        }
        guard ways.last?[word.count] != nil else { return nil }
        var texts: [[UInt8]] = []
        var end = word.count
        for index in pieces.indices.reversed() {
            guard let start = ways[index + 1][end] else { return nil }
            texts.append(Array(word[start..<end]))
            end = start
        }
        return texts.reversed()
    }
}

extension PatternNode {
    /// Any bytes.
    static var anything: PatternNode { .repeated(.set(.all), minimum: 0, maximum: nil, .greedy) }

    /// Adds the content of each group.
    func collect(_ groups: inout [Int: PatternNode]) {
        if case .capture(let inner, let number) = self { groups[number] = inner }
        for part in parts { part.collect(&groups) }
    }

    /// True if what it matches depends on what is before it or after it, or on other groups.
    fileprivate var looksAround: Bool {
        switch self {
        case .start, .end, .absoluteEnd, .wordBoundary, .lookaround, .backreference, .lineBreak, .atomic,
            .repeated(_, _, _, .possessive):
            true
        default: parts.contains(where: \.looksAround)
        }
    }
}
