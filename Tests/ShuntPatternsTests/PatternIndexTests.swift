import ShuntPatterns
import Testing

@Suite struct PatternIndexTests {
    @Test func givesTheFirstMatchOfARange() throws {
        let patterns = try ["^/a/(.*)$", "^/a", "b$", "^(a+)+$", "^/a/b$"]
            .map {
                try RegularExpression([UInt8]($0), caseless: false)
            }
        let index = PatternIndex(patterns)
        let scratch = MatchScratch()
        let subject = [UInt8]("/a/b")
        for mode in [PatternIndex.Mode.indexed, .linear] {
            scratch.renew()
            let found = (0...6).map { index.firstMatch(subject.span, from: $0, to: 5, scratch: scratch, mode: mode) }
            #expect(found == [.match(0), .match(1), .match(2), .match(4), .match(4), .none, .none])
            #expect(index.firstMatch(subject.span, from: 0, to: 0, scratch: scratch, mode: mode) == .none)
            #expect(index.firstMatch(subject.span, from: 3, to: 4, scratch: scratch, mode: mode) == .none)
            #expect(index.firstMatch(subject.span, from: -3, to: 99, scratch: scratch, mode: mode) == .match(0))
            #expect(Captures(scratch).groups == ["0-4", "3-4"])
            let endless = [UInt8](repeating: UInt8(ascii: "a"), count: 50) + [UInt8(ascii: "c")]
            #expect(index.firstMatch(endless.span, from: 0, to: 5, scratch: scratch, mode: mode) == .limitExceeded(3))
        }
    }
}
