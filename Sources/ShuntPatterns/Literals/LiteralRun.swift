import ShuntCore

/// Joins the facts of the parts of a sequence.
struct LiteralRun {
    /// The ends of the bytes up to here.
    private var current = Self.empty
    /// Set once `current` is no longer all that there is.
    private var prefixes: [[UInt8]]?
    private var required: [[[UInt8]]] = []
    private var startsAtStart = false
    private var endsAtEnd = false

    private static let empty: [[UInt8]] = [[]]

    /// Adds what follows in the pattern.
    mutating func append(_ node: PatternNode) {
        switch node {
        case .literal(let bytes, _): append(bytes)
        case .set(let set):
            let folded = set.folded
            if folded.count > 0, folded.count <= LiteralFacts.largestClass {
                endsAtEnd = false
                append(exact: folded.members.map { [$0] })
            } else {
                appendUnknown()
            }
        case .start: if prefixes == nil, current == Self.empty { startsAtStart = true }
        case .end, .absoluteEnd: endsAtEnd = true
        case .wordBoundary, .lookaround, .matchStart: break
        case .backreference, .lineBreak: appendUnknown()
        case .capture(let inner, _), .atomic(let inner): append(inner)
        case .sequence(let nodes): for node in nodes { append(node) }
        case .repeated(.set(let set), _, _, _) where set.folded.count > LiteralFacts.largestClass: appendUnknown()
        case .choice, .repeated: append(LiteralFacts(node))
        }
    }

    /// Adds a literal, not folded yet.
    private mutating func append(_ bytes: [UInt8]) {
        let literal = bytes.contains { $0 != $0.folded } ? bytes.map(\.folded) : bytes
        endsAtEnd = false
        if literal.count > LiteralFacts.longestString {
            // The parts of a long literal are as good as the whole.
            append(exact: [[UInt8](literal.prefix(LiteralFacts.longestString))])
            append(exact: [[UInt8](literal.suffix(LiteralFacts.longestString))], adjoins: false)
            return
        }
        append(exact: [literal])
    }

    /// Adds bytes of which nothing is known.
    private mutating func appendUnknown() {
        endsAtEnd = false
        close(with: current)
        current = Self.empty
    }

    mutating func append(_ facts: LiteralFacts) {
        let isEmptyMatch = facts.exact == Self.empty
        if facts.startsAtStart, prefixes == nil, current == Self.empty { startsAtStart = true }
        endsAtEnd = facts.endsAtEnd || (isEmptyMatch && endsAtEnd)
        if isEmptyMatch { return }
        if let exact = facts.exact {
            append(exact: exact)
            return
        }
        let head = LiteralFacts.joined(current, facts.prefixes)
        close(with: head ?? current)
        if head == nil { require(facts.prefixes) }
        required += facts.required
        current = facts.suffixes
    }

    private mutating func append(exact: [[UInt8]], adjoins: Bool = true) {
        if adjoins, let joined = LiteralFacts.joined(current, exact) {
            current = joined
            return
        }
        close(with: current)
        current = exact
    }

    /// Ends the strings that were being joined.
    private mutating func close(with strings: [[UInt8]]) {
        if prefixes == nil { prefixes = strings }
        require(strings)
    }

    private mutating func require(_ strings: [[UInt8]]) {
        if LiteralFacts.shortest(strings) > 0 { required.append(strings) }
    }

    consuming func finish() -> LiteralFacts {
        var facts: LiteralFacts
        if let prefixes {
            require(current)
            facts = LiteralFacts(exact: nil, prefixes: prefixes, suffixes: current, required: required)
        } else {
            facts = LiteralFacts(exact: current)
        }
        facts.startsAtStart = startsAtStart
        facts.endsAtEnd = endsAtEnd
        return facts
    }
}
