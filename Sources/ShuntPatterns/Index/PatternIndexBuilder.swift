/// Chooses the literals of an index and lists, for each, the patterns that need it.
struct PatternIndexBuilder {
    /// The strings of one kind that are keys of the index; numbers run on from one kind to the next.
    struct Keys {
        private(set) var bytes: [UInt8] = []
        /// The place where each key begins, and where the last one ends.
        private(set) var starts = [0]
        /// For each key the entry of the patterns that need it.
        fileprivate(set) var entries: [Int32] = []
        /// For each string of the options its number as a key, or -1 while it is not a key.
        private var numbers: [Int32]

        init(of strings: KeyTableBuilder) { numbers = [Int32](repeating: -1, count: strings.ends.count) }

        var count: Int { starts.count - 1 }

        /// Makes a string of the options a key, unless it is one already, and returns the key's number.
        mutating func number(_ string: Int, of strings: KeyTableBuilder) -> UInt32 {
            if numbers[string] < 0 {
                numbers[string] = Int32(count)
                bytes += strings.key(string)
                starts.append(bytes.count)
            }
            return UInt32(numbers[string])
        }
    }

    /// The keys, by kind.
    private var keys: [Keys]
    /// The entry of the patterns to try on every subject; -1 for none.
    private(set) var always: Int32 = -1
    private(set) var lists = PatternListsBuilder()

    private struct Need {
        var kind: LiteralOptions.Kind
        var key: UInt32
        var pattern: Int32
    }

    var prefixes: Keys { keys[LiteralOptions.Kind.prefix.rawValue] }
    var suffixes: Keys { keys[LiteralOptions.Kind.suffix.rawValue] }
    var inners: Keys { keys[LiteralOptions.Kind.inner.rawValue] }

    init(_ patterns: [RegularExpression]) {
        var options = LiteralOptions()
        var always: [Int32] = []
        for (index, pattern) in patterns.enumerated() {
            let analysis = LiteralAnalysis(pattern)
            if analysis.reason == nil {
                options.add(analysis.branches, pattern: Int32(index))
            } else {
                always.append(Int32(index))
            }
        }
        keys = options.strings.map { Keys(of: $0) }
        let needs = choose(options, &always)
        always.sort()
        if !always.isEmpty { self.always = lists.entry(always[...]) }
        list(needs)
    }

    /// Chooses the keys; a branch that none is left for makes its pattern one of those that are always tried.
    private mutating func choose(_ options: LiteralOptions, _ always: inout [Int32]) -> [Need] {
        var needs: [Need] = []
        needs.reserveCapacity(options.branches.count)
        for branch in options.branches {
            guard let option = options.best(of: branch) else {
                if always.last != branch.pattern { always.append(branch.pattern) }
                continue
            }
            for index in option.keys {
                let string = Int(options.keys[Int(index)])
                let kind = option.kind.rawValue
                let key = keys[kind].number(string, of: options.strings[kind])
                needs.append(Need(kind: option.kind, key: key, pattern: branch.pattern))
            }
        }
        return needs
    }

    /// Sorts the patterns by key, ascending for each.
    private mutating func list(_ needs: [Need]) {
        let counts = keys.map(\.count)
        let firsts = [0, counts[0], counts[0] + counts[1]]
        func key(_ need: Need) -> Int { firsts[need.kind.rawValue] + Int(need.key) }
        var starts = [Int](repeating: 0, count: counts.reduce(1, +))
        for need in needs { starts[key(need) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        var next = starts
        var sorted = [Int32](repeating: 0, count: needs.count)
        // Branches were added in the order of the patterns, so those of each key are ascending.
        for need in needs {
            let key = key(need)
            sorted[next[key]] = need.pattern
            next[key] += 1
        }
        for (kind, first) in firsts.enumerated() {
            for key in first..<(first + counts[kind]) {
                keys[kind].entries.append(lists.entry(sorted[starts[key]..<starts[key + 1]]))
            }
        }
    }
}
