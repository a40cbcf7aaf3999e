/// For each literal of an index, the patterns that need it, ascending.
final class PatternBuckets: Sendable {
    private let starts: FrozenBuffer<UInt32>
    let postings: FrozenBuffer<Int32>

    /// Bucket `n` is `postings[starts[n]..<starts[n + 1]]`.
    init(starts: [UInt32], postings: [Int32]) {
        self.starts = FrozenBuffer(starts)
        self.postings = FrozenBuffer(postings)
    }

    var byteCount: Int { starts.byteCount + postings.byteCount }

    /// The patterns of a bucket.
    subscript(bucket: Int) -> [Int] {
        (starts[bucket]..<starts[bucket + 1]).map { Int(postings[$0]) }
    }

    /// Adds the patterns of a bucket that are in `patterns` to a queue.
    @inline(__always)
    func add(_ bucket: Int, _ patterns: Range<Int32>, to queue: CandidateQueue) {
        let start = starts[bucket]
        let end = starts[bucket &+ 1]
        if start != end { queue.add(postings, start, end, patterns: patterns) }
    }
}
