/// An immutable table of byte strings that finds the longest one a subject begins with: prefix locations, `^~` rules.
///
/// Exact, flat, thread safe; a look-up allocates nothing and costs no more than a pass over the prefix it finds.
package final class PrefixTable: Sendable {
    /// One stored prefix.
    package struct Entry: Sendable, Hashable {
        /// Its number: 0, 1, 2 … in the order prefixes were added.
        let index: Int32
        /// The value it was given.
        package let value: Int32
        /// How many bytes it has.
        package let length: Int
    }

    private let trie: ByteTrie
    private let values: FrozenBuffer<Int32>
    private let lengths: FrozenBuffer<UInt32>

    init(_ builder: borrowing PrefixTableBuilder) {
        let keys = builder.keys
        var starts = [0]
        starts.reserveCapacity(keys.ends.count + 1)
        for end in keys.ends { starts.append(Int(end)) }
        trie = ByteTrie(bytes: keys.keys, starts: starts)
        values = FrozenBuffer(builder.values)
        lengths = FrozenBuffer(zip(starts, starts.dropFirst()).map { UInt32($1 - $0) })
    }

    /// The number of prefixes.
    package var count: Int { values.count }

    /// The memory this takes, in bytes.
    package var byteCount: Int { trie.byteCount + values.byteCount + lengths.byteCount }

    /// The longest stored prefix of `subject`.
    package func longestPrefix(of subject: Span<UInt8>) -> Entry? {
        entry(trie.longest(subject, end: subject.count, folding: false, fromEnd: false))
    }

    /// The next shorter stored prefix after `entry`, which it begins with.
    package func next(shorterThan entry: Entry) -> Entry? {
        self.entry(trie.shorter(than: entry.index))
    }

    @inline(__always)
    private func entry(_ index: Int32) -> Entry? {
        index < 0 ? nil : Entry(index: index, value: values[Int(index)], length: Int(lengths[Int(index)]))
    }
}

/// Collects the prefixes of a `PrefixTable`.
package struct PrefixTableBuilder {
    private(set) var keys = KeyTableBuilder(caseless: false)
    private(set) var values: [Int32] = []

    /// Makes an empty builder.
    package init() {}

    /// Gives a prefix a value, unless it has one already.
    ///
    /// The empty prefix is a prefix of everything.
    package mutating func add(_ prefix: Span<UInt8>, value: Int32) -> TableInsertion {
        switch keys.insert(prefix) {
        case .added:
            values.append(value)
            return .added
        case .existing(let index): return .duplicate(values[index])
        case .full: return .full
        }
    }

    /// The frozen table.
    package consuming func build() -> PrefixTable {
        PrefixTable(self)
    }
}
