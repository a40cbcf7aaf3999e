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
    package var patterns: [RegularExpression] { list.expressions }

    private let list: ExpressionList

    private let prefixes: ByteTrie
    private let suffixes: ByteTrie
    private let inners: LiteralScan
    private let hasPrefixes: Bool
    private let hasSuffixes: Bool
    private let hasInners: Bool
    private let hasAlways: Bool
    /// The bucket of the first suffix, of the first inner literal, and of the patterns that are always tried.
    private let firstSuffix: Int
    private let firstInner: Int
    private let always: Int
    private let buckets: PatternBuckets

    /// Indexes `patterns`.
    ///
    /// Complexity: proportional to the text of the patterns, about 5 µs for one of 40 bytes.
    package init(_ patterns: [RegularExpression]) {
        let builder = PatternIndexBuilder(patterns)
        list = ExpressionList(patterns)
        prefixes = ByteTrie(bytes: builder.prefixes.bytes, starts: builder.prefixes.starts)
        suffixes = ByteTrie(bytes: builder.suffixes.bytes, starts: builder.suffixes.starts)
        inners = LiteralScan(bytes: builder.inners.bytes, starts: builder.inners.starts)
        hasPrefixes = builder.prefixes.count > 0
        hasSuffixes = builder.suffixes.count > 0
        firstSuffix = builder.prefixes.count
        firstInner = firstSuffix + builder.suffixes.count
        always = firstInner + builder.inners.count
        hasInners = builder.inners.count > 0
        hasAlways = !builder.always.isEmpty
        buckets = PatternBuckets(starts: builder.bucketStarts, postings: builder.postings)
    }

    /// The memory the index takes besides the patterns, in bytes.
    package var byteCount: Int {
        prefixes.byteCount + suffixes.byteCount + inners.byteCount + buckets.byteCount
    }

    /// The patterns that are tried on every subject, ascending.
    ///
    /// They are what makes a set of patterns slow.
    package var alwaysTried: [Int] {
        buckets[always]
    }

    /// Why a pattern is tried on every subject; nil when it is not.
    package func reasonForAlwaysTrying(_ pattern: Int) -> String? {
        guard patterns.indices.contains(pattern) else { return nil }
        return LiteralAnalysis(patterns[pattern]).reason
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
        let range = max(0, start)..<max(0, start, min(end, patterns.count))
        if range.isEmpty { return .none }
        switch mode {
        case .indexed: return indexedMatch(subject, range, scratch)
        case .linear: return linearMatch(subject, range, scratch)
        }
    }

    private func linearMatch(_ subject: Span<UInt8>, _ range: Range<Int>, _ scratch: MatchScratch) -> IndexOutcome {
        for index in range {
            switch list.match(index, subject, scratch: scratch) {
            case .matched: return .match(index)
            case .noMatch: continue
            case .limitExceeded: return .limitExceeded(index)
            }
        }
        return .none
    }

    private func indexedMatch(_ subject: Span<UInt8>, _ range: Range<Int>, _ scratch: MatchScratch) -> IndexOutcome {
        scratch.candidates.removeAll()
        collect(subject, Int32(range.lowerBound)..<Int32(range.upperBound), scratch)
        while let pattern = scratch.candidates.first, pattern < range.upperBound {
            switch list.match(Int(pattern), subject, scratch: scratch) {
            case .matched: return .match(Int(pattern))
            case .noMatch: scratch.candidates.removeFirst(buckets.lists)
            case .limitExceeded: return .limitExceeded(Int(pattern))
            }
        }
        return .none
    }

    /// Collects the patterns of `range` whose literals the subject has.
    @inline(__always)
    private func collect(_ subject: Span<UInt8>, _ range: Range<Int32>, _ scratch: MatchScratch) {
        let queue = scratch.candidates
        if hasAlways { buckets.add(always, range, to: queue) }
        if hasPrefixes {
            var key = prefixes.longest(subject, end: subject.count, folding: true, fromEnd: false)
            while key >= 0 {
                buckets.add(Int(key), range, to: queue)
                key = prefixes.shorter(than: key)
            }
        }
        if hasSuffixes {
            collectSuffixes(subject, end: subject.count, range, queue)
            if subject.count > 0, subject[subject.count - 1] == UInt8(ascii: "\n") {
                collectSuffixes(subject, end: subject.count - 1, range, queue)
            }
        }
        if hasInners {
            inners.scan(
                subject,
                into: LiteralScan.Target(buckets: buckets, firstBucket: firstInner, patterns: range, queue: queue)
            )
        }
    }

    @inline(__always)
    private func collectSuffixes(_ subject: Span<UInt8>, end: Int, _ range: Range<Int32>, _ queue: CandidateQueue) {
        var key = suffixes.longest(subject, end: end, folding: true, fromEnd: true)
        while key >= 0 {
            buckets.add(firstSuffix &+ Int(key), range, to: queue)
            key = suffixes.shorter(than: key)
        }
    }
}
