/// A regular expression as a text with wildcards, which takes at least as much.
struct WildcardText {
    private(set) var text = ""

    /// Writes `*` for any characters and `?` for one; nil if the expression has more than classes and repetitions.
    init?(expression: String) {
        var rest = Substring(expression)
        if rest.first == "^" { rest.removeFirst() }
        if rest.last == "$" { rest.removeLast() }
        while let first = rest.popFirst() {
            if first == "$", rest.first == "(", let end = rest.firstIndex(of: ")") {
                text += "$" + rest[...end]
                rest = rest[rest.index(after: end)...]
                continue
            }
            var isClass = false
            var literal = String(first)
            switch first {
            case "|": return nil
            case "(":
                if rest.hasPrefix("?:") { rest.removeFirst(2) }
                continue
            case ")":
                if rest.first.map({ "*+?{".contains($0) }) ?? false { return nil }
                continue
            case "\\":
                guard let next = rest.popFirst() else { return nil }
                isClass = "dDwWsS".contains(next)
                literal = String(next)
            case "[":
                guard let end = rest.firstIndex(of: "]") else { return nil }
                isClass = true
                rest = rest[rest.index(after: end)...]
            default: break
            }
            guard append(literal, isClass: isClass, isAny: isClass || first == ".", &rest) else { return nil }
        }
        if text == expression { return nil }
    }

    /// Appends a character, or a wildcard for one of a class, as often as the repetition after it.
    private mutating func append(_ literal: String, isClass: Bool, isAny: Bool, _ rest: inout Substring) -> Bool {
        guard let mark = rest.first, "*+?{".contains(mark), isAny || mark == "+" || mark == "?" else {
            text += isClass ? "?" : literal
            return true
        }
        guard isAny, mark != "?" else { return false }
        rest.removeFirst()
        if mark == "{" {
            guard let end = rest.firstIndex(of: "}"), let count = Int(rest[..<end]), (1...32).contains(count) else {
                return false
            }
            text += String(repeating: "?", count: count)
            rest = rest[rest.index(after: end)...]
        } else {
            text += mark == "+" ? "?*" : "*"
            if rest.first == "?" { rest.removeFirst() }
        }
        return true
    }
}
