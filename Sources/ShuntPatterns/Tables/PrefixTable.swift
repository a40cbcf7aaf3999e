/// An immutable table of byte strings that finds the longest one a subject begins with: prefix locations, `^~` rules.
///
/// Exact, flat, thread safe; a look-up allocates nothing and costs no more than a pass over the prefix it finds.
package final class PrefixTable: Sendable {
    package struct Entry: Sendable, Hashable {
        package let value: Int32
        package let length: Int
    }

    private let trie: ByteTrie
    package let count: Int

    init(_ builder: borrowing PrefixTableBuilder) {
        let keys = builder.table.keys
        var starts = [0]
        starts.reserveCapacity(keys.ends.count + 1)
        for end in keys.ends { starts.append(Int(end)) }
        trie = ByteTrie(bytes: keys.keys, starts: starts, values: builder.table.values)
        count = builder.table.values.count
    }

    package func longestPrefix(of subject: Span<UInt8>) -> Entry? {
        let count = subject.count
        let match = trie.longest(subject, end: count, limit: count, folding: false, fromEnd: false)
        return match.value < 0 ? nil : Entry(value: match.value, length: match.length)
    }
}

package struct PrefixTableBuilder {
    private(set) var table = ByteTableBuilder()

    package init() {}

    /// Gives a prefix a value, which is not negative, unless it has one already.
    ///
    /// The empty prefix is a prefix of everything.
    package mutating func add(_ prefix: Span<UInt8>, value: Int32) -> TableInsertion { table.add(prefix, value: value) }

    package consuming func build() -> PrefixTable { PrefixTable(self) }
}
