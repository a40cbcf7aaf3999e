import SeededRandom
import ShuntPatterns
import Testing

@Suite struct HostTableTests {
    @Test(arguments: [
        "*", "*.", ".", "a..b", "*.a.*", "a.*.b", "a*", "*a", "*.*", "a.b*", "..a", "*..a", "a..*", "a\u{0}b", ".*",
        "*.a*",
    ]) func refuses(_ name: String) {
        var builder = HostTableBuilder()
        #expect(builder.add([UInt8](name).span, value: 1) == .malformed)
    }

    @Test func precedenceIsThatOfServerNames() {
        var builder = HostTableBuilder()
        let names = [
            "a.example", "*.example", "*.b.example", "www.*", "www.a.*", ".c.example", "", "WWW.B.Example", "x.y",
        ]
        for (value, name) in names.enumerated() {
            #expect(builder.add([UInt8](name).span, value: Int32(value)) == .added)
        }
        let table = builder.build()
        let expected: [(host: String, value: Int32?)] = [
            ("a.example", 0), ("z.example", 1), ("example", nil), ("x.b.example", 2), ("y.x.b.example", 2),
            ("b.example", 1), ("www.x", 3), ("www.x.y", 3), ("www", nil), ("www.a.x", 4), ("www.a", 3),
            ("www.example", 1), ("c.example", 5), ("x.c.example", 5), ("", 6), ("www.b.example", 7), ("x.y", 8),
            ("y", nil), ("a.x.y", nil),
        ]
        for item in expected {
            #expect(table.value(of: [UInt8](item.host).span) == item.value, "\(item.host)")
            #expect(table.contains([UInt8](item.host).span) == (item.value != nil), "\(item.host)")
        }
    }

    @Test func aNameMayHaveManyValues() {
        var builder = HostTableBuilder()
        #expect(builder.add([UInt8]("a.b").span, value: 7) == .added)
        #expect(builder.add([UInt8]("*.a.b").span, value: 9) == .added)
        #expect(builder.add([UInt8]("a.b").span, value: 3) == .duplicate(7))
        #expect(builder.add([UInt8](".a.b").span, value: 5) == .duplicate(9))
        #expect(builder.add([UInt8]("a.b").span, value: HostTableBuilder.maximumValue) == .duplicate(7))
        #expect(builder.add([UInt8]("c").span, value: -1) == .full)
        let table = builder.build()
        let host = [UInt8]("a.b")
        let below = [UInt8]("x.a.b")
        #expect(table.value(of: host.span) == 3)
        let fromHost = [0, 4, 6, 8].map { table.firstValue(of: host.span, from: $0) }
        #expect(fromHost == [3, 5, 7, HostTableBuilder.maximumValue])
        let fromBelow = [0, 6, 10].map { table.firstValue(of: below.span, from: $0) }
        #expect(fromBelow == [5, 9, nil])
    }

    @Test func aNameOfAListThatIsThereTwiceTakesNoMemory() {
        var once = HostTableBuilder()
        var twice = HostTableBuilder()
        for number in 0..<300 {
            let name = Array(".host-\(number).example".utf8)
            #expect(once.add(name.span, value: 4) == .added)
            #expect(twice.add(name.span, value: 4) == .added)
            #expect(twice.add(name.span, value: 4) == .duplicate(4))
            #expect(twice.add(Array(name.dropFirst()).span, value: 4) == .duplicate(4))
        }
        let table = twice.build()
        #expect(table.byteCount == once.build().byteCount)
        #expect(table.value(of: [UInt8]("host-299.example").span) == 4)
        #expect(table.firstValue(of: [UInt8]("x.host-0.example").span, from: 4) == 4)
        #expect(table.firstValue(of: [UInt8]("host-0.example").span, from: 5) == nil)
    }

    @Test func namesOfAnyLength() {
        let lengths = Array(1...18) + [63, 64, 252, 253, 254, 255, 256, 300]
        var builder = HostTableBuilder()
        for length in lengths {
            #expect(builder.add([UInt8](repeating: 0x61, count: length).span, value: Int32(length)) == .added)
            let leading = Array("*.".utf8) + [UInt8](repeating: 0x62, count: length)
            #expect(builder.add(leading.span, value: Int32(length)) == .added)
        }
        let table = builder.build()
        for length in 1...301 {
            let expected = lengths.contains(length) ? Int32(length) : nil
            #expect(table.value(of: [UInt8](repeating: 0x61, count: length).span) == expected)
            #expect(table.value(of: ([0x63, 0x2E] + [UInt8](repeating: 0x62, count: length)).span) == expected)
            #expect(table.value(of: [UInt8](repeating: 0x62, count: length).span) == nil)
        }
    }

    @Test func agreesWithTryingEveryName() {
        var random = SeededGenerator(seed: 13)
        let labels = ["a", "b", "ab", "example", "a-rather-long-label", "www", "com"]
        func name(_ random: inout SeededGenerator) -> String {
            (0...random.below(5)).map { _ in random.pick(labels) }.joined(separator: ".")
        }
        for _ in 0..<150 {
            var builder = HostTableBuilder()
            var names: [String] = []
            for value in 0..<random.below(50) {
                var text = name(&random)
                switch random.below(5) {
                case 0: text = "*." + text
                case 1: text = "." + text
                case 2: text += ".*"
                default: break
                }
                _ = builder.add([UInt8](text).span, value: Int32(value))
                names.append(text)
            }
            let table = builder.build()
            for _ in 0..<100 {
                let host = name(&random)
                let matching = names.indices.filter { Self.stands(names[$0], for: host) }
                let start = random.below(names.count + 1)
                let first = table.firstValue(of: [UInt8](host).span, from: Int32(start))
                #expect(first == matching.first { $0 >= start }.map { Int32($0) })
                let best = matching.max { Self.rank(names[$0], host) < Self.rank(names[$1], host) }
                    .flatMap { best in matching.first { Self.rank(names[$0], host) == Self.rank(names[best], host) } }
                #expect(table.value(of: [UInt8](host).span) == best.map { Int32($0) })
                #expect(table.contains([UInt8](host).span) == (best != nil))
            }
        }
    }

    static func stands(_ name: String, for host: String) -> Bool {
        if name.hasPrefix("*.") { return host.hasSuffix(name.dropFirst()) }
        if name.hasSuffix(".*") { return host.hasPrefix(name.dropLast()) }
        if name.hasPrefix(".") { return host == name.dropFirst() || host.hasSuffix(name) }
        return host == name
    }

    static func rank(_ name: String, _ host: String) -> Int {
        if name == host || name == "." + host { return 3_000 }
        return (name.hasSuffix(".*") ? 1_000 : 2_000) + name.split(separator: ".").count { $0 != "*" }
    }
}
