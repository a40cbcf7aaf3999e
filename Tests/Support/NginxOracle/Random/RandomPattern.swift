/// A generated regular expression, with texts it matches.
struct RandomPattern {
    var text: String
    /// The number of its groups, named ones included.
    var groups = 0
    var names: [String] = []
    /// A text that matches, or nearly so.
    var sample = ""

    /// Makes a pattern for paths.
    ///
    /// `name` returns names for named groups; `quoted` is true if braces may be used.
    static func path(_ random: inout RandomSource, literals: [String], name: (inout RandomSource) -> String) -> Self {
        var pattern = RandomPattern(text: "")
        if random.chance(85) { pattern.text = random.chance(90) ? "^" : "^(?i)" }
        if random.chance(8) {
            return RandomPattern(
                text: random.pick(["^", "", "^/", ".*", "^(.*)$", "^/?$", "/$"]),
                groups: 0,
                sample: "/"
            )
        }
        let start = random.pick(literals, else: "/a")
        pattern.append(escaped: start)
        for _ in 0..<random.within(0...3) { pattern.appendPiece(&random, name: name) }
        if random.chance(45) { pattern.text += "$" }
        return pattern
    }

    /// Makes a pattern for other texts: arguments, hosts, headers.
    static func text(_ random: inout RandomSource, literals: [String], name: (inout RandomSource) -> String) -> Self {
        var pattern = RandomPattern(text: random.chance(50) ? "^" : "")
        for _ in 0..<random.within(1...3) {
            if random.chance(50) {
                pattern.append(escaped: random.pick(literals, else: "a"))
            } else {
                pattern.appendPiece(&random, name: name)
            }
        }
        if random.chance(40) { pattern.text += "$" }
        return pattern
    }

    mutating func append(escaped literal: String) {
        for character in literal {
            if ".+*?()[]|^${}\\".contains(character) { text += "\\" }
            text.append(character)
        }
        sample += literal
    }

    private mutating func appendPiece(_ random: inout RandomSource, name: (inout RandomSource) -> String) {
        switch random.below(17) {
        case 0: add("(\\d+)", groups: 1, random.pick(["1", "2024", "07"]))
        case 1: add("(\\w+)", groups: 1, random.pick(["a", "ab_1", "Zz"]))
        case 2: add("([^/]+)", groups: 1, random.pick(["x", "a b", "a.b", "\u{e4}"]))
        case 3, 4: add("(.*)", groups: 1, random.pick(["", "x/y", "a b", "%", "a+b", "?q", "&"]))
        case 5: add("(.+)", groups: 1, random.pick(["x", "/", "a&b"]))
        case 6, 7:
            let group = name(&random)
            names.append(group)
            add("(?<\(group)>\(random.pick(["\\w+", ".*", "[^/]*", "a|b"])))", groups: 1, random.pick(["a", "b"]))
        case 8: add("(a|b|ab)", groups: 1, random.pick(["a", "b", "ab"]))
        case 9: add("(?:x|y)", groups: 0, random.pick(["x", "y"]))
        case 10: add("[a-c]", groups: 0, random.pick(["a", "c"]))
        case 11: add("(x)?", groups: 1, random.pick(["", "x"]))
        case 12: add("/?", groups: 0, random.pick(["", "/"]))
        case 13: add("\\.(gif|png)", groups: 1, random.pick([".gif", ".png"]))
        case 14: add("/", groups: 0, "/")
        case 15: add("\\d{2}", groups: 0, "12")
        default: add(random.pick(["/a", "b", "-", "x"]), groups: 0, nil)
        }
    }

    private mutating func add(_ piece: String, groups: Int, _ sample: String?) {
        text += piece
        self.groups += groups
        self.sample += sample ?? piece
    }
}
