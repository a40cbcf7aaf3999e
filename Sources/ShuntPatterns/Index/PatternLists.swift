/// The patterns that need the same literal, for literals that several patterns need.
///
/// What an index keeps with a literal is an entry: the number of its one pattern, or where in the lists its patterns are.
final class PatternLists: Sendable {
    /// For each list its length and then the patterns, ascending.
    let lists: FrozenBuffer<Int32>

    fileprivate static let listFlag: Int32 = 1 << 30

    fileprivate init(_ lists: [Int32]) { self.lists = FrozenBuffer(lists) }

    subscript(entry: Int32) -> [Int] {
        if entry & Self.listFlag == 0 { return [Int(entry)] }
        let list = Int(entry & ~Self.listFlag)
        return (0..<Int(lists[list])).map { Int(lists[list + 1 + $0]) }
    }

    /// Adds the patterns of an entry that are in `patterns` to a queue.
    @inline(__always) func add(_ entry: Int32, _ patterns: Range<Int32>, to queue: CandidateQueue) {
        if entry & Self.listFlag == 0 {
            if entry >= patterns.lowerBound, entry < patterns.upperBound { queue.add(entry) }
        } else {
            let list = UInt32(bitPattern: entry & ~Self.listFlag)
            let start = list &+ 1
            queue.add(lists, start: start, end: start &+ UInt32(truncatingIfNeeded: lists[list]), patterns: patterns)
        }
    }
}

struct PatternListsBuilder {
    private var lists: [Int32] = []

    /// The entry for some patterns, at least one, ascending.
    mutating func entry(_ patterns: ArraySlice<Int32>) -> Int32 {
        if let only = patterns.first, patterns.count == 1 { return only }
        let entry = PatternLists.listFlag | Int32(lists.count)
        lists.append(Int32(patterns.count))
        lists += patterns
        return entry
    }

    func build() -> PatternLists { PatternLists(lists) }
}
