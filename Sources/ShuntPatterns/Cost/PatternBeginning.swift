import ShuntCore

/// The bytes that a part of a pattern can begin with; a superset if not all is known.
struct PatternBeginning {
    /// The bytes that may come first.
    private(set) var bytes = ByteSet()
    /// True if it may match nothing, so that what follows it may come first.
    private(set) var mayBeEmpty = true

    init(_ node: PatternNode) {
        switch node {
        case .literal(let text, let caseless):
            let set = ByteSet(text.prefix(1))
            bytes = caseless ? set.closedUnderCase : set
            mayBeEmpty = text.isEmpty
        case .set(let set):
            bytes = set
            mayBeEmpty = false
        case .start, .end, .absoluteEnd, .wordBoundary, .matchStart: break
        // Much may have been read before they fail: what comes first decides nothing.
        case .lookaround, .backreference: bytes = .all
        case .lineBreak:
            bytes = .all
            mayBeEmpty = false
        case .capture(let inner, _), .atomic(let inner): self = PatternBeginning(inner)
        case .sequence(let nodes):
            for node in nodes where mayBeEmpty {
                let beginning = PatternBeginning(node)
                bytes.formUnion(beginning.bytes)
                mayBeEmpty = beginning.mayBeEmpty
            }
        case .choice(let branches):
            mayBeEmpty = false
            for branch in branches {
                let beginning = PatternBeginning(branch)
                bytes.formUnion(beginning.bytes)
                mayBeEmpty = mayBeEmpty || beginning.mayBeEmpty
            }
        case .repeated(let inner, let minimum, let maximum, _):
            guard maximum != 0 else { return }
            self = PatternBeginning(inner)
            mayBeEmpty = mayBeEmpty || minimum == 0
        }
    }

    /// Returns the bytes that can come first here, if `next` can come after it.
    func before(_ next: ByteSet) -> ByteSet { mayBeEmpty ? bytes.union(next) : bytes }
}
