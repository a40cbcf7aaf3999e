import ShuntCore

/// An expression as a non-deterministic automaton: nodes and the ways between them.
struct PatternGraph {
    /// The requirement of a node before the next one is reached.
    enum Kind: UInt8 {
        /// A match has been found.
        case accept
        /// A byte of the set `other`.
        case byte
        /// Nothing; `other` is a second way on.
        case split
        /// The start of the subject.
        case start
        /// The end of the subject.
        case end
        case wordBoundary
        case notWordBoundary
        /// The bytes ahead match from node `other`.
        case ahead
        case notAhead
        /// The bytes after match lookbehind `other`.
        case behind
        case notBehind
    }

    struct Node {
        var kind: Kind
        var next: UInt32
        var other: UInt32
    }

    /// The node at which a match has been found: of the whole, and of each lookaround.
    static let accept: UInt32 = 0

    var nodes: [Node] = []
    /// The sets of bytes that nodes ask for, each once.
    var sets: [ByteSet] = []
    var initial: UInt32 = 0
    /// The place where each lookbehind begins; one inside another comes first.
    ///
    /// Each begins again at every byte.
    var lookbehinds: [UInt32] = []
    var looksAtStart = false
    var looksAtWords = false

    /// Returns true if each node leads to `accept` without a question.
    func alwaysAccepting() -> [Bool] {
        var accepting = [Bool](repeating: false, count: nodes.count)
        accepting[Int(Self.accept)] = true
        // Most ways on lead to nodes made before; those of a loop do not.
        var changed = true
        while changed {
            changed = false
            for index in nodes.indices where nodes[index].kind == .split && !accepting[index] {
                let node = nodes[index]
                if accepting[Int(node.next)] || accepting[Int(node.other)] {
                    accepting[index] = true
                    changed = true
                }
            }
        }
        return accepting
    }
}
