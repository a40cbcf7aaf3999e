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

    init(_ builder: borrowing ByteTableBuilder) {
        let keys = builder.keys
        var starts = [0]
        starts.reserveCapacity(keys.ends.count + 1)
        for end in keys.ends { starts.append(Int(end)) }
        trie = ByteTrie(bytes: keys.keys, starts: starts, values: builder.values)
        count = builder.values.count
    }

    package func longestPrefix(of subject: Span<UInt8>) -> Entry? {
        let count = subject.count
        let match = trie.longest(subject, end: count, limit: count, folding: false, fromEnd: false)
        return match.value < 0 ? nil : Entry(value: match.value, length: match.length)
    }
}

extension ByteTableBuilder {
    /// The keys as prefixes, whose values are not negative; the empty one is a prefix of everything.
    package consuming func buildPrefixes() -> PrefixTable { PrefixTable(self) }
}
