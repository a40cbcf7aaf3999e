import SeededRandom

@testable import ShuntRouting

/// Patterns and paths of few different components, so that they meet often.
struct RandomRoutes {
    var generator: SeededGenerator
    private var parameterCount = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func pick(_ choices: [String]) -> String {
        choices.randomElement(using: &generator) ?? ""
    }

    private mutating func name() -> String {
        parameterCount += 1
        return ":p\(parameterCount)"
    }

    private mutating func component() -> String {
        switch Int.random(in: 0..<14, using: &generator) {
        case 0..<5: return pick(["a", "b", "ab", "12", "abcdefgh", "abcdefghi", "x.html"])
        case 5..<8: return name()
        case 8: return name() + "(uint)"
        case 9: return name() + pick(["(hex)", "(slug)"])
        case 10: return name() + pick(["(\\d{2,})", "([ab]+)"])
        case 11: return pick(["v", "a"]) + name()
        case 12: return name() + ".html"
        default: return name() + "." + name()
        }
    }

    /// A pattern of up to four components, perhaps with groups and a tail.
    mutating func pattern(allowsGroups: Bool) -> String {
        parameterCount = 0
        var text = ""
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            switch Int.random(in: 0..<(allowsGroups ? 8 : 5), using: &generator) {
            case 5: text += "(/" + component() + ")"
            case 6: text += "(/" + component() + "(/" + component() + "))"
            case 7: text += "/" + name() + "?"
            default: text += "/" + component()
            }
        }
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1: text += "/*rest"
        case 2: text += "/*some/" + component() + "/" + component()
        case 3: text += "/*some/" + component() + "/*more"
        case 4: text += "/*some/" + component() + "/*more/" + component() + "/"
        default: break
        }
        return text.isEmpty ? "/" : text
    }

    /// A path of up to five components.
    mutating func path() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            text +=
                "/"
                + pick([
                    "a", "b", "ab", "12", "7", "v1", "x.html", "a.b.html", "%61", "a%2Fb", "abcdefgh", "abcdefghi",
                    "abcdefghij", "1%32", "a-b", "v", ".html",
                ])
        }
        return text.isEmpty ? "/" : text
    }
}
