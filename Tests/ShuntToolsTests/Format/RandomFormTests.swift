import SeededRandom
import ShuntTools
import Testing

/// Files of random words, blocks and comments with random white space between them.
///
/// That nothing but white space changes is checked here without the formatter's own reader: what is not white space
/// stays, byte by byte, in its order.
@Suite("Random files in the form")
struct RandomFormTests {
    struct Writer {
        var random: SeededGenerator
        var text = ""

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
        }

        static let words = [
            "a", "$b", "^/x(\\d+)$", "\"q;{ # }\"", "'it\\'s'", "=", "~*", "^~", "é", "a\\ b", "${c}", "'{2\n  3}'",
            "x#",
        ]

        mutating func space(_ choices: [String]) { text += random.pick(choices) }

        mutating func directives(depth: Int) {
            for _ in 0..<random.below(6) {
                switch random.below(10) {
                case 0: text += random.pick(["# note\n", "#: name=x \n", "\n\n# a # b\t\r\n"])
                case 1...2 where depth < 4:
                    words(random.pick(["server", "map", "if", "else", "location", "expect"]))
                    space(["", " ", "\n", "  "])
                    text += "{"
                    space(["", " ", "\n", " # open\n"])
                    directives(depth: depth + 1)
                    text += "}"
                    space(["", "\n", "\n\n\n", " # close\n", "  # close\n"])
                default:
                    words(random.pick(["set", "input", "return", "b"]))
                    text += ";"
                    space(["", "\n", "\n\n\n", " # why\n", "   # why\n", "\t# why\n", "\r\n"])
                }
            }
        }

        mutating func words(_ name: String) {
            text += name
            for _ in 0..<random.below(5) {
                space([" ", "  ", "\t", "    ", "\n", "\r\n  ", " # between\n"])
                text += random.pick(Self.words)
            }
            if random.below(12) == 0 { text += " # last\n" }
        }
    }

    /// The bytes that are not white space, but for that at the ends of comments.
    private static func visible(_ text: String) -> [UInt8] { text.utf8.filter { !" \t\r\n".utf8.contains($0) } }

    @Test("Nothing but white space changes, and a second run changes nothing", arguments: [UInt64(1), 2, 3, 4])
    func random(seed: UInt64) throws {
        var count = 0
        for number in 0..<300 {
            var writer = Writer(seed: seed &* 1_000_003 &+ UInt64(number))
            writer.directives(depth: 0)
            guard let result = try? FormTests.formatted(writer.text) else { continue }
            count += 1
            #expect(Self.visible(result) == Self.visible(writer.text))
            #expect(try FormTests.formatted(result) == result, "of \(writer.text.debugDescription)")
            #expect(!result.contains(" \n") || writer.text.contains("'"))
        }
        #expect(count > 250)
    }
}
