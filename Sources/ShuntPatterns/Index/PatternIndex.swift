/// The answer of the index for one subject.
package enum IndexOutcome: Sendable, Hashable {
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
    /// The way the index searches; the answer is the same.
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
    private let hasInners: Bool
    /// The entry of the patterns that are always tried; -1 for none.
    private let always: Int32
    private let lists: PatternLists
    package let count: Int

    /// Indexes `patterns`.
    ///
    /// Complexity: proportional to the text of the patterns, about 5 µs for one of 40 bytes.
    package init(_ patterns: [RegularExpression]) {
        let builder = PatternIndexBuilder(patterns)
        let (prefixes, suffixes, inners) = (builder.prefixes, builder.suffixes, builder.inners)
        count = patterns.count
        list = ExpressionList(patterns)
        self.prefixes = ByteTrie(bytes: prefixes.bytes, starts: prefixes.starts, values: prefixes.entries)
        self.suffixes = ByteTrie(bytes: suffixes.bytes, starts: suffixes.starts, values: suffixes.entries)
        self.inners = LiteralScan(bytes: inners.bytes, starts: inners.starts, entries: inners.entries)
        hasInners = inners.count > 0
        always = builder.always
        lists = builder.lists.build()
    }

    /// The patterns that are tried on every subject, ascending.
    ///
    /// They are what makes a set of patterns slow.
    package var alwaysTried: [Int] { always < 0 ? [] : lists[always] }

    /// The reason why a pattern is tried on every subject; nil when it is not.
    package func reasonForAlwaysTrying(_ pattern: Int) -> String? {
        guard patterns.indices.contains(pattern) else { return nil }
        return LiteralAnalysis(patterns[pattern]).reason
    }

    /// The first pattern at or after `start` and before `end` that matches `subject`.
    package func firstMatch(
        _ subject: Span<UInt8>,
        from start: Int,
        to end: Int,
        scratch: MatchScratch,
        mode: Mode = .indexed
    ) -> IndexOutcome {
        let range = max(0, start)..<max(0, start, min(end, count))
        if range.isEmpty { return .none }
        switch mode {
        case .indexed: return indexedMatch(subject, range: range, scratch: scratch)
        case .linear: return linearMatch(subject, range: range, scratch: scratch)
        }
    }

    /// Calls `body` with each pattern whose literals the subject has, in order and until it returns false: all that match it are
    /// among them.
    package func forEachCandidate(_ subject: Span<UInt8>, scratch: MatchScratch, _ body: (Int) -> Bool) {
        scratch.candidates.removeAll()
        collect(subject, range: 0..<Int32(count), scratch: scratch)
        while let pattern = scratch.candidates.first, body(Int(pattern)) { scratch.candidates.removeFirst(lists.lists) }
    }

    @inline(never)
    private func linearMatch(_ subject: Span<UInt8>, range: Range<Int>, scratch: MatchScratch) -> IndexOutcome {
        for index in range {
            switch list.match(index, subject, scratch: scratch) {
            case .matched: return .match(index)
            case .noMatch: continue
            case .limitExceeded: return .limitExceeded(index)
            }
        }
        return .none
    }

    @inline(__always)
    private func indexedMatch(_ subject: Span<UInt8>, range: Range<Int>, scratch: MatchScratch) -> IndexOutcome {
        scratch.candidates.removeAll()
        collect(subject, range: Int32(range.lowerBound)..<Int32(range.upperBound), scratch: scratch)
        while let pattern = scratch.candidates.first, pattern < range.upperBound {
            switch list.match(Int(pattern), subject, scratch: scratch) {
            case .matched: return .match(Int(pattern))
            case .noMatch: scratch.candidates.removeFirst(lists.lists)
            case .limitExceeded: return .limitExceeded(Int(pattern))
            }
        }
        return .none
    }

    /// Collects the patterns of `range` whose literals the subject has.
    @inline(__always) private func collect(_ subject: Span<UInt8>, range: Range<Int32>, scratch: MatchScratch) {
        let queue = scratch.candidates
        if always >= 0 { lists.add(always, range, to: queue) }
        if !prefixes.isEmpty {
            let longest = prefixes.longest(
                subject,
                end: subject.count,
                limit: subject.count,
                folding: true,
                fromEnd: false
            )
            if longest.value >= 0 {
                add(longest, of: prefixes, subject: subject, end: subject.count, range: range, queue: queue)
            }
        }
        if !suffixes.isEmpty, mayHaveSuffix(subject) { collectSuffixes(subject, range: range, queue: queue) }
        if hasInners { inners.scan(subject, into: LiteralScan.Target(lists: lists, patterns: range, queue: queue)) }
    }

    /// Returns true if the subject may end with a suffix, or does so with an LF, before which one may also be, as `$`
    /// does.
    @inline(__always) private func mayHaveSuffix(_ subject: Span<UInt8>) -> Bool {
        let count = subject.count
        guard count > 1 else { return count > 0 }
        let last = subject[count &- 1]
        return suffixes.mayBegin(with: last, subject[count &- 2]) || last == UInt8(ascii: "\n")
    }

    @inline(never) private func collectSuffixes(_ subject: Span<UInt8>, range: Range<Int32>, queue: CandidateQueue) {
        collectSuffixes(subject, end: subject.count, range: range, queue: queue)
        if subject[subject.count - 1] == UInt8(ascii: "\n") {
            collectSuffixes(subject, end: subject.count - 1, range: range, queue: queue)
        }
    }

    @inline(__always)
    private func collectSuffixes(_ subject: Span<UInt8>, end: Int, range: Range<Int32>, queue: CandidateQueue) {
        let match = suffixes.longest(subject, end: end, limit: end, folding: true, fromEnd: true)
        if match.value >= 0 {
            add(match, of: suffixes, subject: subject, end: end, fromEnd: true, range: range, queue: queue)
        }
    }

    /// Adds the patterns of the longest key that was found and of those that it begins with.
    @inline(__always) private func add(
        _ longest: ByteTrie.Match,
        of trie: borrowing ByteTrie,
        subject: Span<UInt8>,
        end: Int,
        fromEnd: Bool = false,
        range: Range<Int32>,
        queue: CandidateQueue
    ) {
        var match = longest
        lists.add(match.value, range, to: queue)
        while match.extendsKey {
            match = trie.shorter(than: match, subject, end: end, folding: true, fromEnd: fromEnd)
            lists.add(match.value, range, to: queue)
        }
    }
}
