import Testing

@testable import ShuntPatterns

/// The table in every frozen table, at the sizes where its form changes.
@Suite struct KeyTableTests {
    private final class Table {
        let table: KeyTable

        init(_ keys: [[UInt8]], values: [UInt32], caseless: Bool = false, bucketCount: Int? = nil) {
            var builder = KeyTableBuilder(caseless: caseless)
            for key in keys { _ = builder.insert(key.span) }
            table = KeyTable(builder, values: values, bucketCount: bucketCount)
        }

        var count: Int { table.count }
        var byteCount: Int { table.byteCount }

        subscript(_ key: [UInt8]) -> UInt32? { table.value(of: key.span, from: 0, to: key.count) }
    }

    @Test func anEmptyTableHasNothing() {
        let table = Table([], values: [])
        #expect(table[[]] == nil)
        #expect(table[[0]] == nil)
    }

    /// Lengths below, at and above those that are written in one byte.
    @Test func keysOfEveryLength() {
        let lengths = Array(0...20) + [63, 64, 253, 254, 255, 256, 257, 511, 65_534, 65_535, 65_536, 100_000]
        // Three of each length, so that long keys lie before and behind others in their bucket.
        let keys = lengths.flatMap { (length: Int) -> [[UInt8]] in
            guard length > 0 else { return [[]] }
            let start = [UInt8](repeating: 0x61, count: length - 1)
            return [start + [0x61], start + [0x62], start + [0x63]]
        }
        let table = Table(keys, values: keys.indices.map { UInt32($0) })
        for (index, key) in keys.enumerated() {
            #expect(table[key] == UInt32(index), "length \(key.count)")
            #expect(table[key + [0x7A]] == nil, "length \(key.count)")
            #expect(table[Array(key.dropLast()) + [0x7A]] == nil, "length \(key.count)")
        }
    }

    /// Values that need no byte, one, two, three and four.
    @Test(arguments: [[0], [7], [UInt32.max], [0, 255], [0, 256], [1, 65_535], [65_536], [0, 1 << 24], [3, .max]])
    func valuesOfEveryWidth(_ choices: [UInt32]) {
        let keys = (0..<100).map { Array("key \($0)".utf8) }
        let values = keys.indices.map { choices[$0 % choices.count] }
        let table = Table(keys, values: values)
        for (key, expected) in zip(keys, values) { #expect(table[key] == expected) }
        #expect(table[Array("key 100".utf8)] == nil)
    }

    @Test(arguments: [1, 2, 3, 7, 8, 9, 100, 5_000])
    func tablesOfEverySize(_ count: Int) {
        let keys = (0..<count).map { Array("Host-\($0).Example".utf8) }
        let table = Table(keys, values: keys.indices.map { UInt32($0) }, caseless: true)
        #expect(table.count == count)
        for index in keys.indices {
            #expect(table[Array("hOST-\(index).example".utf8)] == UInt32(index))
            #expect(table[Array("host-\(index + count).example".utf8)] == nil)
        }
    }

    /// Three hundred keys in one bucket: what a list made by an enemy could be.
    @Test func aBucketMayHaveAnyNumberOfKeys() {
        let table = Table((0..<300).map { Array("\($0)".utf8) }, values: (0..<300).map { UInt32($0) }, bucketCount: 1)
        for number in 0..<300 { #expect(table[Array("\(number)".utf8)] == UInt32(number)) }
        for number in 300..<2_000 { #expect(table[Array("\(number)".utf8)] == nil) }
    }

    /// The reason why long lists need little memory.
    @Test func equalValuesTakeNoMemory() {
        let keys = (0..<30_000).map { Array("\($0)".utf8) }
        let text = keys.reduce(0) { $0 + $1.count }
        #expect(Table(keys, values: keys.map { _ in 9 }).byteCount <= text + 5 * keys.count + 8)
        #expect(Table(keys, values: keys.indices.map { UInt32($0) }).byteCount <= text + 7 * keys.count + 8)
    }
}
