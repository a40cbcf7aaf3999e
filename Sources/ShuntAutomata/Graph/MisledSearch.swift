import ShuntCore
import ShuntPatterns

/// Searches that PCRE2 gets wrong, as seen in 10.42: it misses matches that are there.
///
/// What PCRE2 finds is what counts here, so such expressions are refused. Anchored expressions are not searched for.
///
/// * `(?=a)a*a` is not found in `a`. PCRE2 looks for the byte that a lookahead in front asks for, and then for a byte that
///   every match must contain *behind* it; here both are the same byte.
/// * `(?:|^a){0}b` is found at the start only. Where PCRE2 asks with what a match begins, it takes the second of
///   alternatives that are repeated `{0}` times for a part of the expression.
struct MisledSearch {
    /// Whether PCRE2 may pass over matches of `pattern`, which can begin anywhere.
    static func mayMiss(_ pattern: PatternNode) -> Bool {
        if hasUnusedChoice(pattern) { return true }
        guard let byte = first(pattern, isAsserted: false) else { return false }
        return consumes(byte, pattern)
    }

    /// Whether alternatives are repeated `{0}` times anywhere.
    private static func hasUnusedChoice(_ node: PatternNode) -> Bool {
        if case .repeated(let inner, _, 0, _) = node, hasChoice(inner) { return true }
        return node.parts.contains(where: hasUnusedChoice)
    }

    private static func hasChoice(_ node: PatternNode) -> Bool {
        if case .choice = node { return true }
        return node.parts.contains(where: hasChoice)
    }

    /// The byte, as a small letter, with which lookaheads in front say that every match begins; nil if they do not say.
    private static func first(_ node: PatternNode, isAsserted: Bool) -> UInt8? {
        switch node {
        case .literal(let bytes, _): return isAsserted ? bytes.first?.asciiLowercased : nil
        case .set(let set):
            let folded = set.folded.members
            return isAsserted && folded.count == 1 ? folded[0] : nil
        case .lookaround(let inner, true, false): return first(inner, isAsserted: true)
        case .capture(let inner, _), .atomic(let inner): return first(inner, isAsserted: isAsserted)
        case .repeated(let inner, let minimum, _, _): return minimum > 0 ? first(inner, isAsserted: isAsserted) : nil
        case .sequence(let nodes):
            let significant = nodes.first { node in
                switch node {
                case .wordBoundary, .matchStart, .lookaround(_, false, _), .lookaround(_, _, true): false
                default: true
                }
            }
            return significant.flatMap { first($0, isAsserted: isAsserted) }
        case .choice(let branches):
            let bytes = Set(branches.map { first($0, isAsserted: isAsserted) })
            return bytes.count == 1 ? bytes.first.flatMap { $0 } : nil
        case .start, .end, .absoluteEnd, .wordBoundary, .lookaround, .matchStart, .backreference, .lineBreak: return nil
        }
    }

    /// Whether some part that takes bytes asks for just this one.
    private static func consumes(_ byte: UInt8, _ node: PatternNode) -> Bool {
        switch node {
        case .literal(let bytes, _): bytes.contains { $0.asciiLowercased == byte }
        case .set(let set): set.folded.members == [byte]
        case .lookaround: false
        default: node.parts.contains { consumes(byte, $0) }
        }
    }
}
