/// An immutable map from byte strings to numbers: `map` keys, exact locations, equality chains.
///
/// Exact, flat, thread safe; a look-up allocates nothing and costs the same for ten keys and a million.
package final class ByteTable: Sendable {
    private let table: KeyTable

    init(_ builder: borrowing ByteTableBuilder) {
        table = KeyTable(builder.keys, values: builder.values.map { UInt32(bitPattern: $0) })
    }

    package var count: Int { table.count }

    /// The value of `key`, nil when it is not in the table.
    package func value(_ key: Span<UInt8>) -> Int32? {
        table.value(of: key, from: 0, to: key.count).map { Int32(bitPattern: $0) }
    }
}

/// The result of adding a key to a table.
package enum TableInsertion: Sendable, Hashable {
    case added
    /// The key was there already, with this value, which stays.
    case duplicate(Int32)
    /// The table has as many keys, or as many bytes of keys, as it may have.
    case full
    /// The text is not a key of this table (for example a host name with a `*` in the wrong place).
    case malformed
}

package struct ByteTableBuilder {
    private(set) var keys: KeyTableBuilder
    private(set) var values: [Int32] = []

    /// Makes an empty builder.
    ///
    /// In a `caseless` table keys that differ in the case of ASCII letters are the same key.
    package init(caseless: Bool = false) { keys = KeyTableBuilder(caseless: caseless) }

    package var isEmpty: Bool { values.isEmpty }

    /// Sets a value for `key`, unless it has one already.
    package mutating func add(_ key: Span<UInt8>, value: Int32) -> TableInsertion {
        switch keys.insert(key) {
        case .added:
            values.append(value)
            return .added
        case .existing(let index): return .duplicate(values[index])
        case .full: return .full
        }
    }

    package consuming func build() -> ByteTable { ByteTable(self) }
}
