import SeededRandom
import ShuntPatterns
import Testing

@Suite struct ByteTableTests {
    @Test(arguments: [false, true]) func agreesWithADictionary(caseless: Bool) {
        var random = SeededGenerator(seed: 11)
        let alphabet = [UInt8]("aAbBzZ@[`{/\u{0}\u{7F}") + [0xC1, 0xE1]
        for _ in 0..<60 {
            var builder = ByteTableBuilder(caseless: caseless)
            var reference: [[UInt8]: Int32] = [:]
            for value in 0..<Int32(random.below(200)) {
                let key = random.bytes(alphabet, random.below(random.chance(80) ? 4 : 30))
                let folded = caseless ? key.map(Self.folded) : key
                let expected: TableInsertion = reference[folded].map { .duplicate($0) } ?? .added
                #expect(builder.add(key.span, value: value) == expected)
                if reference[folded] == nil { reference[folded] = value }
            }
            let table = builder.build()
            #expect(table.count == reference.count)
            for _ in 0..<200 {
                var subject = random.bytes(alphabet, random.below(5))
                if random.chance(50), let key = reference.keys.randomElement(using: &random) { subject = key }
                let folded = caseless ? subject.map(Self.folded) : subject
                #expect(table.value(subject.span) == reference[folded])
            }
            for (key, value) in reference { #expect(table.value(key.span) == value) }
        }
    }

    @Test func anEmptyTableHasNothing() {
        let table = ByteTableBuilder().build()
        #expect(table.value([UInt8]().span) == nil)
        #expect(table.value([UInt8]("a").span) == nil)
    }

    static func folded(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte + 32 : byte
    }
}
