import CAllocationCounter
import ShuntPatterns
import Testing

/// Look-ups allocate nothing once the scratch and the programs are warm.
@Suite struct AllocationTests {
    @Test func theCounterCounts() {
        let before = allocation_count()
        let bytes = [UInt8](repeating: 0, count: 100 + Int(before % 2))
        let after = allocation_count()
        #expect(after > before)
        #expect(bytes.count >= 100)
    }

    @Test func theIndexAllocatesNothing() throws {
        var generator = PatternGenerator(seed: 31)
        let patterns = try (0..<400)
            .map { number in
                try RegularExpression([UInt8](generator.rule()), caseless: number % 20 == 0)
            }
        let index = PatternIndex(patterns)
        let scratch = MatchScratch()
        let subjects = (0..<200).map { _ in generator.subject() }
        for mode in [PatternIndex.Mode.indexed, .linear] {
            let (counted, found) = Self.allocations {
                var found = 0
                for number in subjects.indices {
                    let subject = subjects[number]
                    var start = 0
                    while start < index.count {
                        let outcome = index.firstMatch(
                            subject.span,
                            from: start,
                            to: index.count,
                            scratch: scratch,
                            mode: mode
                        )
                        guard case .match(let pattern) = outcome else { break }
                        found += 1
                        start = pattern + 1
                    }
                }
                return found
            }
            #expect(counted == 0)
            #expect(found > 200)
        }
    }

    @Test func tablesAllocateNothing() {
        var hosts = HostTableBuilder()
        var bytes = ByteTableBuilder(caseless: true)
        var prefixes = ByteTableBuilder()
        for number in 0..<300 {
            _ = hosts.add([UInt8]("\(number % 3 == 0 ? "*." : "")host\(number).example").span, value: Int32(number))
            _ = bytes.add([UInt8]("key-\(number)").span, value: Int32(number))
            _ = prefixes.add([UInt8]("/prefix/\(number)").span, value: Int32(number))
        }
        let hostTable = hosts.build()
        let byteTable = bytes.build()
        let prefixTable = prefixes.buildPrefixes()
        let names = (0..<300).map { [UInt8]("a.host\($0).example") }
        let keys = (0..<300).map { [UInt8]("KEY-\($0)") }
        let paths = (0..<300).map { [UInt8]("/prefix/\($0)/x") }
        let (counted, found) = Self.allocations {
            var found = 0
            for number in 0..<300 {
                let name = names[number]
                if hostTable.value(of: name.span) != nil { found += 1 }
                if hostTable.firstValue(of: name.span, from: 10) != nil { found += 1 }
                let key = keys[number]
                if byteTable.value(key.span) != nil { found += 1 }
                let path = paths[number]
                if prefixTable.longestPrefix(of: path.span) != nil { found += 1 }
            }
            return found
        }
        #expect(counted == 0)
        #expect(found > 750)
    }

    /// The allocations of `body` the second time, and its result.
    private static func allocations(_ body: () -> Int) -> (UInt64, Int) {
        _ = body()
        let before = allocation_count()
        let result = body()
        return (allocation_count() - before, result)
    }
}
