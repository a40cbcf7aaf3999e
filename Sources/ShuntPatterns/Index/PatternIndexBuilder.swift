/// Chooses the literals of an index and lists, for each, the patterns that need it.
struct PatternIndexBuilder {
    /// The strings of one kind that are keys of the index; numbers run on from one kind to the next.
    struct Keys {
        private(set) var bytes: [UInt8] = []
        /// Where each key begins, and where the last one ends.
        private(set) var starts = [0]
        /// For each string of the options its number as a key, or -1 while it is none.
        private var numbers: [Int32]

        init(of strings: KeyTableBuilder) {
            numbers = [Int32](repeating: -1, count: strings.ends.count)
        }

        var count: Int { starts.count - 1 }

        /// Makes a string of the options a key, unless it is one already, and gives the key's number.
        mutating func number(_ string: Int, of strings: KeyTableBuilder) -> UInt32 {
            if numbers[string] < 0 {
                numbers[string] = Int32(count)
                bytes += strings.key(string)
                starts.append(bytes.count)
            }
            return UInt32(numbers[string])
        }
    }

    private(set) var prefixes: Keys
    private(set) var suffixes: Keys
    private(set) var inners: Keys
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
        prefixes = Keys(of: options.prefixes)
        suffixes = Keys(of: options.suffixes)
        inners = Keys(of: options.inners)
        choose(options)
    }

    private mutating func choose(_ options: LiteralOptions) {
        var entries: [Entry] = []
        entries.reserveCapacity(options.branches.count)
        for branch in options.branches {
            guard let option = options.best(of: branch) else {
                if always.last != branch.pattern { always.append(branch.pattern) }
                continue
            }
            for index in option.keys {
                let string = Int(options.keys[Int(index)])
                let key =
                    switch option.kind {
                    case .prefix: prefixes.number(string, of: options.prefixes)
                    case .suffix: suffixes.number(string, of: options.suffixes)
                    case .inner: inners.number(string, of: options.inners)
                    }
                entries.append(Entry(kind: option.kind, key: key, pattern: branch.pattern))
            }
        }
        always.sort()
        list(entries)
    }

    /// Sorts the patterns into buckets by key, ascending in each; the bucket after the last key's is `always`.
    private mutating func list(_ entries: [Entry]) {
        let prefixCount = prefixes.count
        let suffixCount = suffixes.count
        let keyCount = prefixCount + suffixCount + inners.count
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
