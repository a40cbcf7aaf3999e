import SeededRandom

/// Draws expressions of every construct that an automaton has to get right, over few bytes, and subjects over the same.
struct ExpressionGenerator {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func expression() -> String {
        let choice = choice(depth: 3)
        return switch random.below(10) {
        case 0: "^" + choice + "$"
        case 1: "^" + choice
        case 2: choice + "$"
        case 3: "(?i)" + choice
        case 4: "^(?:" + choice + ")\\z"
        default: choice
        }
    }

    /// A short subject over the bytes that expressions speak of.
    mutating func subject() -> [UInt8] {
        random.bytes(Array("aaaabbbb//A_. \n\n".utf8) + [0xE9], random.below(10))
    }

    private mutating func choice(depth: Int) -> String {
        let count = random.chance(65) ? 1 : 2 + random.below(2)
        return (0..<count).map { _ in sequence(depth: depth) }.joined(separator: "|")
    }

    private mutating func sequence(depth: Int) -> String {
        (0..<random.below(5)).map { _ in piece(depth: depth) }.joined()
    }

    private static let quantifiers = [
        "*", "+", "?", "{2}", "{0}", "{1,2}", "{0,2}", "{2,}", "*?", "+?", "??", "{1,3}?", "*+", "++", "?+", "{1,2}+",
        "{0,2}+", "{2,}+",
    ]

    private mutating func piece(depth: Int) -> String {
        let atom = atom(depth: depth)
        return random.chance(28) ? atom + random.pick(Self.quantifiers) : atom
    }

    private static let groups = [
        "(", "(?:", "(?:", "(?:", "(?>", "(?>", "(?=", "(?!", "(?=", "(?!", "(?<=", "(?<!", "(?i:", "(?s:", "(?-i:",
        "(?<n>",
    ]
    private static let rare = [
        ".", "\\w", "\\W", "\\d", "\\s", "\\S", "[ab]", "[^a]", "[^/]", "[a-z]", "[[:alpha:]]", "[^[:upper:]]", "\\b",
        "\\B", "^", "$", "\\A", "\\z", "\\Z", "\\K", "\\n", "\n", "\\.", "A", "\\N", "\\x{e9}", "(?#x)", "(?i)", "\\R",
        "\\1", "(?x)", "$", "\\b", "\\B", "[^\\n]", "_",
    ]

    private mutating func atom(depth: Int) -> String {
        if depth > 0, random.chance(24) { return random.pick(Self.groups) + choice(depth: depth - 1) + ")" }
        return random.chance(35) ? random.pick(Self.rare) : random.pick(["a", "b", "/", "ab", "a", "b"])
    }
}
