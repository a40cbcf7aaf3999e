/// Chooses the literals of an index and lists, for each, the patterns that need it.
struct PatternIndexBuilder {
    /// The strings of one kind with the number of each; numbers run on from one kind to the next.
    struct Keys {
        var builder = KeyTableBuilder(caseless: false)

        var starts: [Int] {
            var starts = [0]
            starts.reserveCapacity(builder.ends.count + 1)
            for end in builder.ends { starts.append(Int(end)) }
            return starts
        }
    }

    private(set) var prefixes = Keys()
    private(set) var suffixes = Keys()
    private(set) var inners = Keys()
    /// The patterns to try on every subject.
    private(set) var always: [Int32] = []
    /// The patterns of key `n` are `postings[bucketStarts[n]..<bucketStarts[n + 1]]`.
    private(set) var bucketStarts: [UInt32] = []
    private(set) var postings: [Int32] = []

    private struct Entry {
        var kind: LiteralOptions.Kind
        var key: UInt32
        var pattern: Int32
    }

    init(_ patterns: [RegularExpression]) {
        var options = LiteralOptions()
        for (index, pattern) in patterns.enumerated() {
            let analysis = LiteralAnalysis(pattern)
            if analysis.reason == nil {
                options.add(analysis.branches, pattern: Int32(index))
            } else {
                always.append(Int32(index))
            }
        }
        choose(options)
    }

    private mutating func choose(_ options: LiteralOptions) {
        var entries: [Entry] = []
        entries.reserveCapacity(options.branches.count)
        for branch in options.branches {
            let before = entries.count
            guard let option = options.best(of: branch), add(option, of: options, branch.pattern, to: &entries) else {
                entries.removeSubrange(before...)
                if always.last != branch.pattern { always.append(branch.pattern) }
                continue
            }
        }
        always.sort()
        list(entries)
    }

    private mutating func add(
        _ option: LiteralOptions.Option,
        of options: LiteralOptions,
        _ pattern: Int32,
        to entries: inout [Entry]
    ) -> Bool {
        for index in option.keys {
            let string = options.string(Int(options.keys[Int(index)]), option.kind)
            let insertion: KeyTableBuilder.Insertion
            switch option.kind {
            case .prefix: insertion = prefixes.builder.insert(string.span)
            case .suffix: insertion = suffixes.builder.insert(string.span)
            case .inner: insertion = inners.builder.insert(string.span)
            }
            switch insertion {
            case .added(let key), .existing(let key):
                entries.append(Entry(kind: option.kind, key: UInt32(key), pattern: pattern))
            case .full: return false
            }
        }
        return true
    }

    /// Sorts the patterns into buckets by key, ascending in each; the bucket after the last key's is `always`.
    private mutating func list(_ entries: [Entry]) {
        let prefixCount = prefixes.builder.ends.count
        let suffixCount = suffixes.builder.ends.count
        let keyCount = prefixCount + suffixCount + inners.builder.ends.count
        func bucket(_ entry: Entry) -> Int {
            switch entry.kind {
            case .prefix: Int(entry.key)
            case .suffix: prefixCount + Int(entry.key)
            case .inner: prefixCount + suffixCount + Int(entry.key)
            }
        }
        bucketStarts = [UInt32](repeating: 0, count: keyCount + 2)
        for entry in entries { bucketStarts[bucket(entry) + 1] += 1 }
        for index in 1..<bucketStarts.count { bucketStarts[index] += bucketStarts[index - 1] }
        var next = bucketStarts
        postings = [Int32](repeating: 0, count: entries.count)
        // Branches were added in the order of the patterns, so each bucket is ascending.
        for entry in entries {
            let bucket = bucket(entry)
            postings[Int(next[bucket])] = entry.pattern
            next[bucket] += 1
        }
        postings += always
        bucketStarts[keyCount + 1] = UInt32(postings.count)
    }
}
