import ShuntCore
import ShuntRouting

/// One form of a route's path as a pattern with wildcards.
struct AppLinkFormText {
    /// The pattern, and that of the fragment: more than one where a type has few values.
    private(set) var patterns: [(path: String, fragment: String?)] = []
    /// What the wildcards take that the route does not, because a slash is in it.
    private(set) var exclusions: [String] = []
    /// Why the pattern is wider than the route.
    private(set) var reasons: [String] = []
    /// How many slashes are in the path; more than any path has where a rest follows.
    private(set) var depth = 0

    init(_ form: [PatternFormPart]) {
        let fragmentStart = form.firstIndex(of: .fragment) ?? form.endIndex
        let path = Array(form[..<fragmentStart])
        let endsOpen = path.last == .rest || path.last == .other
        depth = endsOpen ? Int.max : path.count { $0 == .slash }
        let fragment = fragmentStart < form.endIndex ? texts(Array(form[(fragmentStart + 1)...])) : nil
        let paths = texts(path)
        for path in paths {
            for fragment in fragment.map({ $0.map(Optional.some) }) ?? [nil] {
                patterns.append((path.isEmpty ? "/" : path, fragment))
            }
        }
        if endsOpen { checkBeforeRest(path) } else { exclude(path) }
    }

    /// The part as patterns; each type with few values multiplies them.
    private mutating func texts(_ parts: [PatternFormPart]) -> [String] {
        var texts = [""]
        for part in parts {
            let choices = choices(part)
            texts = texts.flatMap { text in choices.map { text + $0 } }
        }
        return texts
    }

    private mutating func choices(_ part: PatternFormPart) -> [String] {
        switch part {
        case .text(let bytes): return [literal(bytes)]
        case .slash: return ["/"]
        case .rest: return ["*"]
        case .oneByte: return ["?"]
        case .value(nil): return ["?*"]
        case .value(.bool?): return ["true", "false"]
        case .value(.uuid?):
            return [[8, 4, 4, 4, 12].map { String(repeating: "$(xdigit)", count: $0) }.joined(separator: "-")]
        case .value(let type?):
            reasons.append("a wildcard takes more than the type \(type.rawValue)")
            return ["?*"]
        case .expression:
            reasons.append("a wildcard takes more than an expression")
            return ["?*"]
        case .other:
            reasons.append("a wildcard takes more than what is around the rest")
            return ["*"]
        case .fragment: return [""]
        }
    }

    /// A text, encoded; what is a wildcard there becomes one character of any kind.
    private mutating func literal(_ bytes: [UInt8]) -> String {
        let encoded = URLComponentCoding.encode(bytes.span, for: .pathSegment)
        var text = ""
        for (index, byte) in encoded.enumerated() {
            let isVariable =
                byte == UInt8(ascii: "$") && index + 1 < encoded.count && encoded[index + 1] == UInt8(ascii: "(")
            if byte == UInt8(ascii: "*") || isVariable {
                text += "?"
                let reason = "\"\(Unicode.Scalar(byte))\" cannot be said but as any character"
                if !reasons.contains(reason) { reasons.append(reason) }
            } else {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return text
    }

    private static func isOpen(_ part: PatternFormPart) -> Bool {
        switch part {
        case .value(.bool?), .value(.uuid?): false
        case .value, .expression, .oneByte, .other: true
        case .text, .slash, .rest, .fragment: false
        }
    }

    /// For each wildcard, the same paths with a slash in what it takes.
    private mutating func exclude(_ path: [PatternFormPart]) {
        for (index, part) in path.enumerated() where Self.isOpen(part) {
            var copy = self
            var texts = [""]
            for (other, part) in path.enumerated() {
                let choices = other == index ? [part == .oneByte ? "/" : "*/*"] : copy.choices(part)
                texts = texts.flatMap { text in choices.map { text + $0 } }
            }
            exclusions += texts
        }
    }

    /// Before a rest no exclusion helps, since a longer path may belong to the route: what follows a wildcard there has to
    /// take anything too.
    private mutating func checkBeforeRest(_ path: [PatternFormPart]) {
        guard let first = path.firstIndex(where: Self.isOpen) else { return }
        let follows = path[first...]
            .contains { part in
                if case .text = part { return true }
                return !Self.isOpen(part) && part != .slash && part != .rest
            }
        if follows { reasons.append("a wildcard before the rest takes slashes") }
    }
}
