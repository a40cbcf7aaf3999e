/// Rewrites an expression without its atomic groups and possessive repetitions.
///
/// An atomic group takes the first of its matches, in the order in which PCRE2 tries them, and never another one. That
/// order can be expressed with lookaheads: of `A|B` the second is taken where the first does not match, so `(?>A|B)` is
/// `A|(?!A)B`; and `S*+`, for bytes of a set, is `S*(?!S)`. What cannot be expressed like this is refused.
struct AtomicParts {
    /// The deepest nesting of one match that is analysed.
    private static let deepest = 400

    private var budget: Int
    private let limit: Int
    private var depth = 0

    /// True if a byte is repeated somewhere, so that PCRE2 may make that repetition possessive.
    private let hasRepeatedByte: Bool

    private init(_ pattern: PatternNode, _ limits: AutomatonLimits) {
        hasRepeatedByte = Self.hasRepeatedByte(pattern)
        budget = limits.nodes
        limit = limits.nodes
    }

    /// `node` without atomic parts.
    static func resolved(_ node: PatternNode, limits: AutomatonLimits) throws(AutomatonRefusal) -> PatternNode {
        var parts = AtomicParts(node, limits)
        return try parts.resolve(node)
    }

    private mutating func spend() throws(AutomatonRefusal) {
        budget -= 1
        if budget < 0 { throw .nodes(limit) }
    }

    private mutating func resolve(_ node: PatternNode) throws(AutomatonRefusal) -> PatternNode {
        try spend()
        switch node {
        case .literal, .set, .start, .end, .absoluteEnd, .wordBoundary, .matchStart: return node
        case .backreference(let number): throw .backreference(number)
        case .lineBreak: throw .lineBreak
        case .lookaround(let inner, let ahead, let negated):
            return .lookaround(try resolve(inner), ahead: ahead, negated: negated)
        case .sequence(let nodes): return .sequence(try resolve(all: nodes))
        case .choice(let branches): return .choice(try resolve(all: branches))
        case .capture(let inner, _): return try resolve(inner)
        case .atomic(let inner):
            if misleadsPCRE2(inner) { throw .emptyAtomicGroup }
            return try first(of: [inner])
        case .repeated(let inner, let minimum, let maximum, .possessive):
            // Without bounds it is not an atomic group for PCRE2.
            if maximum != nil || minimum > 0,
                misleadsPCRE2(.repeated(inner, minimum: minimum, maximum: maximum, .greedy))
            {
                throw .emptyAtomicGroup
            }
            return try first(of: [.repeated(inner, minimum: minimum, maximum: maximum, .greedy)])
        case .repeated(let inner, let minimum, let maximum, let preference):
            return .repeated(try resolve(inner), minimum: minimum, maximum: maximum, preference)
        }
    }

    private mutating func resolve(all nodes: [PatternNode]) throws(AutomatonRefusal) -> [PatternNode] {
        var result: [PatternNode] = []
        result.reserveCapacity(nodes.count)
        for node in nodes { result.append(try resolve(node)) }
        return result
    }

    /// A place where `nodes` do not match one after another.
    private mutating func not(_ nodes: [PatternNode]) throws(AutomatonRefusal) -> PatternNode {
        .lookaround(.sequence(try resolve(all: nodes)), ahead: true, negated: true)
    }

    /// Returns the automaton of the first match of `nodes`, one after another.
    private mutating func first(of nodes: [PatternNode]) throws(AutomatonRefusal) -> PatternNode {
        try spend()
        guard let head = nodes.first else { return .sequence([]) }
        depth += 1
        defer { depth -= 1 }
        if depth > Self.deepest { throw .depth(Self.deepest) }
        let rest = Array(nodes.dropFirst())
        switch head {
        case .literal, .set, .start, .end, .absoluteEnd, .wordBoundary, .matchStart, .lookaround, .atomic,
            .backreference, .lineBreak, .repeated(_, _, _, .possessive):
            return .sequence([try resolve(head), try first(of: rest)])
        case .sequence(let inner): return try first(of: inner + rest)
        case .capture(let inner, _): return try first(of: [inner] + rest)
        case .choice(let branches): return try first(ofChoice: branches, rest)
        case .repeated(let inner, let minimum, let maximum, let preference):
            if maximum == 0 { return try first(of: rest) }
            guard minimum > 0 else {
                return try first(ofRepeated: inner, maximum: maximum, preference: preference, rest: rest)
            }
            let fewer: PatternNode = .repeated(inner, minimum: minimum - 1, maximum: maximum.map { $0 - 1 }, preference)
            return try first(of: [inner, fewer] + rest)
        }
    }

    private mutating func first(
        ofChoice branches: [PatternNode],
        _ rest: [PatternNode]
    ) throws(AutomatonRefusal) -> PatternNode {
        var guards: [PatternNode] = []
        var result: [PatternNode] = []
        for (index, branch) in branches.enumerated() {
            result.append(.sequence(guards + [try first(of: [branch] + rest)]))
            if index < branches.count - 1 { guards.append(try not([branch] + rest)) }
        }
        return .choice(result)
    }

    /// The first match of `inner`, at most `maximum` times, before `rest`.
    private mutating func first(
        ofRepeated inner: PatternNode,
        maximum: Int?,
        preference: PatternNode.Preference,
        rest: [PatternNode]
    ) throws(AutomatonRefusal) -> PatternNode {
        let isLazy = preference == .lazy
        if let maximum {
            let more: PatternNode = .sequence(
                maximum == 1 ? [inner] : [inner, .repeated(inner, minimum: 0, maximum: maximum - 1, preference)]
            )
            if rest.isEmpty, !isLazy, !Self.mayBeEmpty(inner) {
                // As many as there are; a match of more than one begins with a match of one.
                return .choice([try first(of: [more]), try not([inner])])
            }
            return try first(ofChoice: isLazy ? [.sequence([]), more] : [more, .sequence([])], rest)
        }
        if isLazy, rest.isEmpty { return .sequence([]) }
        guard !Self.mayBeEmpty(inner) else { throw .atomic }
        guard Self.hasOneMatch(inner) else {
            // Each time the first match will do, because nothing comes after the last one that could fail.
            guard rest.isEmpty else { throw .atomic }
            let one = try first(of: [inner])
            return .sequence([.repeated(one, minimum: 0, maximum: nil, .greedy), try not([inner])])
        }
        let one = try resolve(inner)
        if isLazy {
            let another: PatternNode = .sequence([try not(rest), one])
            return .sequence([.repeated(another, minimum: 0, maximum: nil, .greedy), try first(of: rest)])
        }
        let more: [PatternNode] =
            rest.isEmpty ? [inner] : [.repeated(inner, minimum: 1, maximum: nil, .greedy)] + rest
        return .sequence([.repeated(one, minimum: 0, maximum: nil, .greedy), try not(more), try first(of: rest)])
    }

    // MARK: Facts

    /// Returns true if PCRE2 may misread what is in front of an atomic group with this content.
    ///
    /// It makes `b*(?>(?:c)?)b` into `b*+(?>(?:c)?)b`, which matches nothing (seen in 10.42): it takes the end of an
    /// atomic group that it has reached past an optional group for the end of what can follow. The tree does not
    /// distinguish `(?:c)?` and `c?`, with which it is right.
    private func misleadsPCRE2(_ content: PatternNode) -> Bool {
        hasRepeatedByte && Self.mayBeEmpty(content) && Self.hasOption(content)
    }

    private static func hasOption(_ node: PatternNode) -> Bool {
        switch node {
        case .choice, .repeated(_, 0, _, _): true
        default: node.parts.contains(where: hasOption)
        }
    }

    private static func hasRepeatedByte(_ node: PatternNode) -> Bool {
        switch node {
        case .repeated(let inner, let minimum, let maximum, let preference) where inner.isOneByte:
            minimum != maximum && preference != .possessive
        default: node.parts.contains(where: hasRepeatedByte)
        }
    }

    /// Returns true if a part has at most one match at any place, whatever follows it.
    private static func hasOneMatch(_ node: PatternNode) -> Bool {
        switch node {
        case .literal, .set, .start, .end, .absoluteEnd, .wordBoundary, .matchStart, .lookaround, .atomic: true
        case .repeated(_, _, _, .possessive): true
        case .repeated(let inner, let minimum, let maximum, _): minimum == maximum && hasOneMatch(inner)
        case .sequence(let nodes): nodes.allSatisfy(hasOneMatch)
        case .capture(let inner, _): hasOneMatch(inner)
        case .choice, .backreference, .lineBreak: false
        }
    }

    /// Returns true if a part may match without taking a byte.
    private static func mayBeEmpty(_ node: PatternNode) -> Bool {
        switch node {
        case .literal(let bytes, _): bytes.isEmpty
        case .set, .lineBreak: false
        case .start, .end, .absoluteEnd, .wordBoundary, .matchStart, .lookaround, .backreference: true
        case .repeated(let inner, let minimum, _, _): minimum == 0 || mayBeEmpty(inner)
        case .sequence(let nodes): nodes.allSatisfy(mayBeEmpty)
        case .choice(let branches): branches.contains(where: mayBeEmpty)
        case .capture(let inner, _), .atomic(let inner): mayBeEmpty(inner)
        }
    }
}
