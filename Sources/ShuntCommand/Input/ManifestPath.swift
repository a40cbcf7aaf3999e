import Shunt

/// A path of an intent filter as a pattern of routes, in which `*` is any bytes and `?` one.
enum ManifestPath {
    /// A part of a path that no pattern expresses.
    struct Unsayable: Error {
        var part: String
    }

    static let attributes = ["path", "pathPrefix", "pathSuffix", "pathPattern", "pathAdvancedPattern"]

    static func pattern(_ attribute: String, _ value: String) throws(Unsayable) -> String {
        switch attribute {
        case "pathPrefix": return literal(value) + "*"
        case "pathSuffix": return "/*" + literal(value)
        case "pathPattern": return try glob(unescaped(value), isAdvanced: false)
        case "pathAdvancedPattern": return try glob(unescaped(value), isAdvanced: true)
        default: return literal(value)
        }
    }

    /// A mistake in a path, which Android reads otherwise than it looks, and the way out; nil for none.
    static func mistake(_ attribute: String, _ value: String) -> (message: String, suggestion: String)? {
        guard attributes.contains(attribute) else { return nil }
        if attribute == "pathPattern", value.contains("[") || value.contains(".+") {
            let part = value.contains(".+") ? ".+" : "["
            return ("\"\(part)\" is plain text in a pathPattern", "use pathAdvancedPattern")
        }
        guard !attribute.hasSuffix("Pattern") else { return nil }
        if let mark = value.firstIndex(where: { "?#".contains($0) }) {
            let part = value[mark] == "?" ? "query" : "fragment"
            let way = "write \"\(value[..<mark])\", and the \(part) in a <uri-relative-filter-group>"
            return ("a path has no \(part), so \"\(value)\" takes hardly any URL", way)
        }
        let decoded =
            URLComponentCoding.decode(Array(value.utf8).span).map { String(decoding: $0, as: UTF8.self) } ?? value
        if decoded != value {
            return ("Android compares decoded paths, so \"\(value)\" takes hardly any URL", "write \"\(decoded)\"")
        }
        guard value.contains("*") else { return nil }
        let start = value.prefix { $0 != "*" }
        let prefix = start.hasSuffix(".") ? start.dropLast() : start
        let isPrefix = attribute != "pathSuffix" && value.hasSuffix("*") && start.count == value.count - 1
        let way = isPrefix ? "write pathPrefix=\"\(prefix)\"" : "use pathPattern, with .* for any text"
        return ("\"*\" is plain text in a \(attribute)", way)
    }

    /// A text with everything escaped that means something in patterns.
    ///
    /// Punctuation has a backslash, and what no pattern has, such as a blank, is encoded as in URLs.
    private static func literal(_ text: some StringProtocol) -> String {
        text.unicodeScalars
            .map { scalar in
                guard let byte = UInt8(exactly: scalar.value), scalar.isASCII else { return String(scalar) }
                if byte.isASCIILetter || byte.isASCIIDigit || "/-._~".utf8.contains(byte) { return String(scalar) }
                guard byte <= 0x20 || byte == 0x7f else { return "\\\(scalar)" }
                let digits = [byte >> 4, byte].map { Character(Unicode.Scalar($0.upperHexadecimalDigit)) }
                return "%\(String(digits))"
            }
            .joined()
    }

    /// The value as Android sees it: resource files double the backslashes.
    static func unescaped(_ text: String) -> String { text.replacing("\\\\", with: "\\") }

    private static func glob(_ text: String, isAdvanced: Bool) throws(Unsayable) -> String {
        var result = ""
        var rest = Substring(text)
        var number = 1
        while let first = rest.first {
            var token = String(rest.removeFirst())
            var isLiteral = first != "."
            if first == "\\", let next = rest.popFirst() {
                token = String(next)
                isLiteral = true
            } else if isAdvanced, first == "[", let end = rest.firstIndex(of: "]") {
                token += rest[...end]
                rest = rest[rest.index(after: end)...]
                isLiteral = false
            }
            let modifier = modifier(&rest, isAdvanced: isAdvanced)
            switch (token, isLiteral, modifier) {
            case (_, true, ""): result += literal(token)
            case (".", false, ""): result += "?"
            case (".", false, "*"): result += "*"
            case (".", false, "+"): result += "?*"
            case (_, false, let modifier) where token.hasPrefix("[") && modifier != "*":
                result += ":p\(number)(\(token)\(modifier))"
                number += 1
            default: throw Unsayable(part: token + modifier)
            }
        }
        return result
    }

    /// The repetition that follows a token; empty if none does.
    private static func modifier(_ rest: inout Substring, isAdvanced: Bool) -> String {
        guard let first = rest.first else { return "" }
        if first == "*" || (isAdvanced && first == "+") { return String(rest.removeFirst()) }
        guard isAdvanced, first == "{", let end = rest.firstIndex(of: "}") else { return "" }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[...end])
    }
}
