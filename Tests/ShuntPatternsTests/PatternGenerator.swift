import SeededRandom

/// Draws regular expressions and subjects that come close to matching them.
struct PatternGenerator {
    var random: SeededGenerator

    /// The number of times that an atom is an odd one.
    var exoticPercent = 22

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    // MARK: Small alphabets, every construct

    /// An expression over a few letters, with anchors, classes, groups, options and repetition in odd places.
    mutating func expression(depth: Int = 3) -> String {
        switch random.below(10) {
        case 0: return "^" + choice(depth) + "$"
        case 1: return "^" + choice(depth)
        case 2: return choice(depth) + "$"
        case 3: return "(?i)" + choice(depth)
        case 4: return "^(?:" + choice(depth) + ")$"
        default: return choice(depth)
        }
    }

    private mutating func choice(_ depth: Int) -> String {
        let count = random.chance(70) ? 1 : 1 + random.below(3)
        return (0..<count).map { _ in sequence(depth) }.joined(separator: "|")
    }

    private mutating func sequence(_ depth: Int) -> String {
        (0..<(1 + random.below(5))).map { _ in piece(depth) }.joined()
    }

    private mutating func piece(_ depth: Int) -> String {
        var text = atom(depth)
        if random.chance(25) {
            text += random.pick([
                "*", "+", "?", "{2}", "{0}", "{1,2}", "{0,1}", "{3,}", "{,2}", "*?", "+?", "??", "*+", "{2}{2}",
            ])
        }
        return text
    }

    private static let atoms = [
        ".", "\\d", "\\w", "\\W", "\\s", "\\S", "\\h", "\\v", "\\N", "\\R", "\\D", "[ab]", "[^a]", "[a-c]", "[]a]",
        "[^]a]", "[\\w-]", "[A\\-b]", "[[:digit:]]", "[\\x61]", "\\x62", "\\.", "\\/", "\\-", "\\_", "\\n", "\\t",
        "[a\\n]", "{", "}", "]", "a{", "{a}", "\\b", "\\B", "\\K", "\\Qa.b\\E", "(?#x)", "\\1", "\\101", "\\cA",
        "\\x{61}",
        "\\0", "^", "$", "\\A", "\\z", "\\Z", "\n", "\u{E9}", "[B]", "[^\\n]", "\\e",
    ]

    private mutating func atom(_ depth: Int) -> String {
        if depth > 0, random.chance(22) {
            let opening =
                random.chance(100 - 3 * exoticPercent)
                ? random.pick(["(", "(?:"])
                : random.pick([
                    "(", "(?:", "(?>", "(?=", "(?!", "(?<=", "(?<!", "(?i:", "(?-i:", "(?s:", "(?x:",
                    "(?m:",
                    "(?|", "(?<n>", "(?i", "(?s-i:",
                ])
            if opening == "(?i" { return "(?i)" }
            return opening + choice(depth - 1) + ")"
        }
        if random.chance(exoticPercent) { return random.pick(Self.atoms) }
        return random.pick(["a", "b", "A", "/", "ab", "/a", "abc", "aab", "ba/b"])
    }

    /// A short text over the letters of `expression()`.
    mutating func text(upTo length: Int = 12) -> [UInt8] {
        let alphabet = [UInt8]("aaabbbccAB//.-_1{}] \n") + [0xE9]
        return random.bytes(alphabet, random.below(length + 1))
    }

    // MARK: Rules as people write them

    /// A rule of the shapes found in real configurations.
    mutating func rule() -> String {
        let word = random.pick(["blog", "shop", "news", "item", "en", "old"])
        let number = random.below(30)
        switch random.below(14) {
        case 0: return "^/\(word)/section-\(number)/(.*)$"
        case 1: return "^/\(word)-\(number)/?$"
        case 2: return "^/\(word)/(\\d{4})/(\\d{2})/post-\(number)(?:\\.html)?$"
        case 3: return "^/(en|de|fr)/\(word)-\(number)/([^/]+)/?$"
        case 4: return "/\(word)_item\(number)\\.php$"
        case 5: return "(?i)^/\(word)/\(number)"
        case 6: return "^https?://(?:www\\.)?\(word)\(number)\\.example/(.*)"
        case 7: return "\\.(?:php|aspx?|jsp)$"
        case 8: return "[?&]\(word)=(\\d+)"
        case 9: return "^(.*)/\(word)\(number)\\.html?$"
        case 10: return "\(word)\(number)|^/\(word)$"
        case 11: return "^/\(word)$"
        case 12: return "/\(word)/[^/]*-\(number)/"
        default: return random.pick(["^/(.*)$", "^/", "", "\\d{5}\\.html$", "^/a(?=b)", "wp-admin", "(?x) a b", "/$"])
        }
    }

    /// A subject that some rule nearly or fully matches.
    mutating func subject() -> [UInt8] {
        let word = random.pick(["blog", "shop", "news", "item", "en", "old", "BLOG"])
        let number = random.below(32)
        var text: String
        switch random.below(10) {
        case 0: text = "/\(word)/section-\(number)/a/b.php"
        case 1: text = "/\(word)-\(number)/"
        case 2: text = "/\(word)/2024/0\(random.below(10))/post-\(number).html"
        case 3: text = "/de/\(word)-\(number)/name"
        case 4: text = "/x/\(word)_item\(number).php"
        case 5: text = "http\(random.chance(50) ? "s" : "")://www.\(word)\(number).example/p?\(word)=12"
        case 6: text = "/deep/er/\(word)\(number).htm"
        case 7: text = "/\(word)"
        case 8: text = "/x/\(word)/y-\(number)/z12345.html"
        default: text = random.pick(["/", "", "/wp-admin/x", "/ab", "a b ab", "/x.jsp"])
        }
        var bytes = [UInt8](text)
        if random.chance(15), !bytes.isEmpty { bytes[random.below(bytes.count)] = random.pick([UInt8]("/a1\n-")) }
        if random.chance(10), !bytes.isEmpty { bytes.remove(at: random.below(bytes.count)) }
        if random.chance(10) { bytes.append(UInt8(ascii: "\n")) }
        return bytes
    }
}
