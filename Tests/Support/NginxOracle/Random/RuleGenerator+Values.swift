/// The values of rules: texts with variables and captures in them.
extension RuleGenerator {
    /// A text of a few parts.
    ///
    /// With captures there is no map in it, and the other way round.
    mutating func value(parts: ClosedRange<Int> = 1...3, literals: [String], captures: Bool = true) -> String {
        let mayCapture = captures && random.chance(60)
        var text = ""
        var endsInVariable = false
        for _ in 0..<random.within(parts) {
            var part = ""
            var isVariable = false
            switch random.below(10) {
            case 0...3: part = random.pick(literals)
            case 4 where mayCapture, 5 where mayCapture: part = random.pick(["$1", "$2", "$1", "$3", "$9"])
            case 6:
                part = variable(maps: !mayCapture)
                isVariable = true
            case 7: part = braced(variable(maps: !mayCapture))
            default: part = random.pick(["-", ".", "/", "_", "x"])
            }
            // A letter would become a part of the name before it.
            if endsInVariable, let first = part.first, first.isLetter || first.isNumber || first == "_" { text += "." }
            text += part
            endsInVariable = isVariable || (part.isEmpty && endsInVariable)
        }
        return text
    }

    /// A variable with its dollar.
    ///
    /// Where a map may be next to it, it is not a group that a map's match sets.
    mutating func variable(maps: Bool) -> String {
        let groups = maps ? captureNames.filter { !mapCaptureNames.contains($0) } : captureNames
        return switch random.below(6) {
        case 0 where !setNames.isEmpty: "$" + random.pick(setNames)
        case 1 where !groups.isEmpty: "$" + random.pick(groups)
        case 2 where maps && !mapNames.isEmpty, 3 where maps && !mapNames.isEmpty: "$" + random.pick(mapNames)
        default: random.pick(RandomNames.requestVariables)
        }
    }

    private func braced(_ variable: String) -> String { "${" + variable.dropFirst() + "}" }

    /// The replacement of an internal `rewrite`.
    mutating func replacement() -> String {
        var text: String
        switch random.below(12) {
        case 0...6:
            text = random.pick(targets.paths, else: "/a")
            for _ in 0..<random.within(0...2) {
                text += random.pick(["$1", "$2", "/", "/$1", "/b", "", "x", "%41", "%20"])
            }
        case 7: text = "/" + value(literals: ["a", "b", "/a/"])
        case 8: text = random.pick(["$1", "/$1", "$1$2", "/$2/$1", "/a//b", "/ab/../b", "/a%2fb", "/a b"])
        case 9: text = "/a$uri"
        case 10: text = variable(maps: true)
        default: text = "/" + random.pick(["a.b", "a.png", "b.gif", "\u{e4}", "A", "2024"])
        }
        // A query whose captures must not meet a map.
        let mapped = mapNames.contains { text.contains($0) }
        switch random.below(10) {
        case 0: text += "?"
        case 1: text += "?x=1"
        case 2 where !mapped: text += "?a=$1&b=$2"
        case 3 where !mapped: text += "?q=$1?"
        case 4: text += "?u=$uri&"
        case 5: text += "?" + random.pick(["a=b&c", "$args", "a=%41?b", "?"])
        default: break
        }
        return text.isEmpty ? "/" : text
    }

    /// An external address.
    mutating func address() -> String {
        let start = random.pick([
            "http://to.test", "https://to.test/", "$scheme://to.test/", "http://to.test/p%20%41%7e",
        ])
        var text =
            start + random.pick(["", "/", "$1", "/$1/$2", "$request_uri", "$uri", "/x$uri", "/a?b=$1", "/%zz%4"])
        text += random.pick(["", "", "?", "?x=1", "?x=$1&y=$2", "?$args", "$is_args$args", "#top"])
        return text
    }

    /// The body of a `return`: everything that distinguishes one run from another.
    mutating func body() -> String {
        locationCount += 1
        var text = "L\(locationCount)"
        if random.chance(50) {
            text += " $uri|$args|$1|$2"
            for name in captureNames.suffix(2) + setNames.suffix(2) { text += "|$\(name)" }
        } else {
            text += " $uri|$is_args$args"
            for name in mapNames + setNames.suffix(3) { text += "|$\(name)" }
        }
        return text
    }
}
