import SeededRandom
import ShuntPatterns
import Testing

@Suite struct PrefixTableTests {
    @Test func agreesWithTryingEveryPrefix() {
        var random = SeededGenerator(seed: 12)
        for round in 0..<200 {
            let alphabet = round % 2 == 0 ? [UInt8]("ab/") : [UInt8](0...255)
            var stored: [[UInt8]] = []
            var builder = ByteTableBuilder()
            for _ in 0..<random.below(60) {
                var prefix = random.bytes(alphabet, random.below(random.chance(80) ? 5 : 40))
                if random.chance(40), let base = stored.randomElement(using: &random) { prefix = base + prefix }
                let insertion = builder.add(prefix.span, value: Int32(stored.count))
                if let first = stored.firstIndex(of: prefix) {
                    #expect(insertion == .duplicate(Int32(first)))
                } else {
                    #expect(insertion == .added)
                    stored.append(prefix)
                }
            }
            let table = builder.buildPrefixes()
            #expect(table.count == stored.count)
            for _ in 0..<100 {
                var subject = random.bytes(alphabet, random.below(20))
                if random.chance(70), let base = stored.randomElement(using: &random) { subject = base + subject }
                if random.chance(30), !subject.isEmpty { subject[random.below(subject.count)] ^= 1 }
                let expected = stored.indices.filter { subject.starts(with: stored[$0]) }
                    .sorted { stored[$0].count > stored[$1].count }
                var found: [Int] = []
                var entry = table.longestPrefix(of: subject.span)
                while let current = entry {
                    #expect(current.length == stored[Int(current.value)].count)
                    found.append(Int(current.value))
                    if current.length == 0 { break }
                    subject.removeLast(subject.count - current.length + 1)
                    entry = table.longestPrefix(of: subject.span)
                }
                #expect(found == expected)
            }
        }
    }
}
