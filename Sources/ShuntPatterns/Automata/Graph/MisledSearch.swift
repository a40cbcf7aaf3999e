/// Searches that PCRE2 gets wrong, as seen in 10.42: it misses matches that are there.
///
/// What PCRE2 finds is what counts here, so such expressions are refused. Anchored expressions are not searched for. What
/// goes wrong when PCRE2 optimizes is not compiled that way, and needs no refusal.
///
/// `(?:|^a){0}b` is found at the start only. Where PCRE2 asks with what a match begins, it takes the second of
/// alternatives that are repeated `{0}` times for a part of the expression.
struct MisledSearch {
    /// Returns true if PCRE2 may pass over matches of `pattern`, which can begin anywhere.
    ///
    /// It may if alternatives are repeated `{0}` times anywhere.
    static func mayMiss(_ pattern: PatternNode) -> Bool {
        if case .repeated(let inner, _, 0, _) = pattern, hasChoice(inner) { return true }
        return pattern.parts.contains(where: mayMiss)
    }

    private static func hasChoice(_ node: PatternNode) -> Bool {
        if case .choice = node { return true }
        return node.parts.contains(where: hasChoice)
    }
}
