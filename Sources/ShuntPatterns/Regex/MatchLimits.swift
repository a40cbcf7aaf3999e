/// Bounds on the work of one regular expression on one subject.
///
/// A match that would pass a bound ends with `MatchOutcome.limitExceeded`; it never runs on.
public struct MatchLimits: Sendable, Hashable {
    /// How often the matcher may try an alternative (PCRE2's match limit).
    public let steps: UInt32
    /// How deep backtracking may nest (PCRE2's depth limit); only the interpreter counts it.
    public let depth: UInt32
    /// How much heap memory, in KiB, one match may use; only the interpreter uses heap.
    public let heapKibibytes: UInt32

    /// Makes limits; every bound is at least 1.
    public init(steps: UInt32, depth: UInt32, heapKibibytes: UInt32) {
        self.steps = max(1, steps)
        self.depth = max(1, depth)
        self.heapKibibytes = max(1, heapKibibytes)
    }

    /// The default: a pattern that backtracks without end is stopped after about 2 ms.
    ///
    /// nginx stops at 10,000,000 steps, a hundred times as many. Machine code counts fewer steps than the interpreter: a
    /// pattern with four unanchored `.*` needs 1.5 ms to fail on 2,000 bytes and 24 ms on 8 KiB without counting one.
    public static let standard = MatchLimits(steps: 100_000, depth: 100_000, heapKibibytes: 4096)
}
