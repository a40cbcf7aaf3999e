/// For each literal of an index, the patterns that need it, ascending.
final class PatternBuckets: Sendable {
    /// For each bucket its one pattern, or `listFlag` and where in `lists` its patterns are.
    private let entries: FrozenBuffer<UInt32>
    /// For each bucket of several patterns their number and then the patterns.
    let lists: FrozenBuffer<Int32>

    private static let listFlag: UInt32 = 1 << 31

    /// Bucket `n` has the patterns `postings[starts[n]..<starts[n + 1]]`.
    init(starts: [UInt32], postings: [Int32]) {
        var entries: [UInt32] = []
        entries.reserveCapacity(starts.count)
        var lists: [Int32] = []
        for (start, end) in zip(starts, starts.dropFirst()) {
            let patterns = postings[Int(start)..<Int(end)]
            if let only = patterns.first, patterns.count == 1 {
                entries.append(UInt32(only))
            } else {
                entries.append(Self.listFlag | UInt32(lists.count))
                lists.append(Int32(patterns.count))
                lists += patterns
            }
        }
        self.entries = FrozenBuffer(entries)
        self.lists = FrozenBuffer(lists)
    }

    var byteCount: Int { entries.byteCount + lists.byteCount }

    /// The patterns of a bucket.
    subscript(bucket: Int) -> [Int] {
        let entry = entries[bucket]
        if entry & Self.listFlag == 0 { return [Int(entry)] }
        let list = Int(entry & ~Self.listFlag)
        return (0..<Int(lists[list])).map { Int(lists[list + 1 + $0]) }
    }

    /// Adds the patterns of a bucket that are in `patterns` to a queue.
    @inline(__always)
    func add(_ bucket: Int, _ patterns: Range<Int32>, to queue: CandidateQueue) {
        let entry = entries[bucket]
        if entry & Self.listFlag == 0 {
            let pattern = Int32(truncatingIfNeeded: entry)
            if pattern >= patterns.lowerBound, pattern < patterns.upperBound { queue.add(pattern) }
        } else {
            let list = entry & ~Self.listFlag
            let start = list &+ 1
            let end = start &+ UInt32(truncatingIfNeeded: lists[list])
            if start != end { queue.add(lists, start, end, patterns: patterns) }
        }
    }
}
