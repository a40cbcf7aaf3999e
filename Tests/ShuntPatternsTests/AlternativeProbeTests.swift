import ShuntPatterns
import Testing

/// The way of a match through an expression.
@Suite struct AlternativeProbeTests {
    private func probe(_ pattern: String) throws -> AlternativeProbe? {
        AlternativeProbe(try RegularExpression(Array(pattern.utf8), caseless: false))
    }

    static let ways: [(pattern: String, subject: String, ways: [String])] = [
        ("a|b", "xb", ["b"]), ("^(?:a|ab)c$", "abc", ["ab"]), ("^(a|b)+$", "ab", ["a", "b"]),
        ("^a(b)?$", "a", ["-(b)"]), ("^a(b)?$", "ab", ["(b)"]), ("^(?:a(?:b|c)?|d)$", "d", ["d"]),
        ("^(?:a(?:b|c)?|d)$", "a", ["a(?:b|c)?", "-(?:b|c)"]), ("^(?:a|)b$", "b", [""]),
        (#"^[|(]\|(x|[)y])$"#, "||)", ["[)y]"]), ("(?i)^(?:A|B)$", "b", ["B"]),
        ("^(?<n>a|b)(?<m>c|d)?$", "b", ["b", "-(?<m>c|d)"]), ("^(?=a|b)(?:a|b)$", "b", ["b"]), ("a|b", "c", []),
        ("^((a)|(b))((c)|d)$", "bd", ["(b)", "d"]), ("^(?:a|b$|(?:c|d)e)", "de", ["(?:c|d)e", "d"]),
    ]

    @Test("The alternatives that took part, and the groups that did not", arguments: ways)
    func takes(_ asked: (pattern: String, subject: String, ways: [String])) throws {
        let probe = try #require(try probe(asked.pattern))
        let bytes = Array(asked.pattern.utf8)
        let taken = probe.waysTaken(in: Array(asked.subject.utf8).span, scratch: MatchScratch())
            .map { number in
                let way = probe.ways[number]
                return (way.kind == .leftOut ? "-" : "") + String(decoding: bytes[way.range], as: UTF8.self)
            }
        #expect(taken == asked.ways)
    }

    @Test(
        "There is no probe where there are no ways, or they cannot be distinguished",
        arguments: [
            "abc", "a?b", "(a)(b)", "(?=a|b)", #"(a|b)\1"#, "(?|a|b)", #"\Qa|b\E"#, "(?i:a)(?i)b|c", "(*ANY)a|b",
        ]
    )
    func refused(_ pattern: String) throws { #expect(try probe(pattern) == nil) }
}
