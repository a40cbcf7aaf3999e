import ShuntCore

/// A reason why a pattern takes no URL, or others than it seems to, and what to write instead.
struct PatternMistake {
    /// The part of a URL that a pattern is for.
    enum Part {
        case path
        /// An item of "paths", of which `NOT ` in front is a part.
        case oldPath
        case query
        case fragment
        case item

        var name: String {
            switch self {
            case .path, .oldPath: "\"/\""
            case .query: "\"?\""
            case .fragment: "\"#\""
            case .item: "an item of \"?\""
            }
        }
    }

    let code: DiagnosticCode
    let message: String
    let advice: String

    private init(_ message: String, _ advice: String, code: DiagnosticCode = .neverMatches) {
        self.code = code
        self.message = message
        self.advice = advice
    }

    /// Finds the first mistake in a pattern; nil if there is none.
    init?(in text: String, _ part: Part, isAndroid: Bool, isEncoded: Bool) {
        var found: PatternMistake?
        if part == .path || part == .oldPath {
            found = Self.inPath(text, part, isAndroid: isAndroid) ?? Self.ofOtherSyntax(text, part)
        }
        if part == .query || part == .fragment {
            let mark = part == .query ? "?" : "#"
            if text.count > 1, text.hasPrefix(mark), text != "?*" {
                found = PatternMistake("\"\(mark)\" at the start is not part of it", "write \"\(text.dropFirst())\"")
            }
        }
        found = found ?? (isAndroid ? Self.onAndroid(text) : nil)
        if found == nil, !isAndroid, isEncoded { found = PatternMistake(encodedValue: text) }
        guard let found else { return nil }
        self = found
    }

    /// Finds a character that no encoded URL has; nil if there is none.
    init?(encodedValue text: String) {
        guard let scalar = text.unicodeScalars.first(where: { !$0.isASCII || $0 == " " }) else { return nil }
        let encoded = String(scalar).utf8
            .map { byte in
                String(decoding: [0x25, (byte >> 4).upperHexadecimalDigit, byte.upperHexadecimalDigit], as: UTF8.self)
            }
        self.init(
            "URLs are compared encoded, and \"\(scalar)\" is \"\(encoded.joined())\" there",
            "write it encoded, or \"percentEncoded\": false"
        )
    }

    // MARK: Paths

    private static func inPath(_ text: String, _ part: Part, isAndroid: Bool) -> PatternMistake? {
        let hasNot = part == .oldPath && text.hasPrefix("NOT ")
        let path = hasNot ? String(text.dropFirst(4)) : text
        if part == .oldPath, !hasNot, text.lowercased().hasPrefix("not") {
            let rest = text.dropFirst(3)
            if rest.first == " " { return PatternMistake("only \"NOT \" excludes", "write \"NOT\(rest)\"") }
            if rest.first == "/" {
                return PatternMistake("\"NOT\" excludes only with a blank after it", "write \"NOT \(rest)\"")
            }
        }
        if part == .path, let rest = ["NOT ", "NOT/"].first(where: path.hasPrefix).map({ path.dropFirst($0.count) }) {
            let advice = "write \"/\": \"\(rest.hasPrefix("/") ? "" : "/")\(rest)\", \"exclude\": true"
            return PatternMistake("\"NOT\" excludes in \"paths\" alone", advice)
        }
        if path.isEmpty {
            return PatternMistake("no path is empty", "write \"/\" for the first page, or \"*\" for every path")
        }
        let lower = path.lowercased()
        if lower.hasPrefix("http:") || lower.hasPrefix("https:") {
            return PatternMistake("a path has no scheme and no host", "leave out everything before the path")
        }
        if path.contains("#") { return PatternMistake("a path has no \"#\"", "write what follows it as \"#\"") }
        if let first = path.unicodeScalars.first, isAndroid, !"/*?^".unicodeScalars.contains(first) {
            return PatternMistake("a path begins with \"/\"", "write \"/\(path)\"")
        }
        return nil
    }

    /// Marks of regular expressions that plain paths do not have.
    private static let expressionMarks = ["(.*)", "(?:", ".+", "[^", "[0-9", "[a-z", "[A-Z", "\\d", "\\w", "/.*"]

    /// Finds parameters, expressions and queries, which a path cannot have.
    private static func ofOtherSyntax(_ text: String, _ part: Part) -> PatternMistake? {
        if text.hasPrefix("^") || text.hasSuffix("$") || expressionMarks.contains(where: text.contains) {
            var path = text.hasPrefix("^") ? String(text.dropFirst()) : text
            if path.hasSuffix("$") { path.removeLast() }
            for (mark, wildcard) in [
                ("(.*)", "*"), ("[^/]+", "?*"), ("\\d+", "?*"), (".+", "?*"), (".*", "*"), ("\\", ""),
            ] {
                path = path.replacing(mark, with: wildcard)
            }
            return PatternMistake("a pattern is not a regular expression", "write \"\(path)\"", code: .otherSyntax)
        }
        if let mark = text.firstIndex(of: "?"), let sign = text[mark...].firstIndex(of: "="),
            text[mark..<sign].dropFirst().allSatisfy({ $0.isLetter || $0.isNumber || "_-.[]".contains($0) }),
            text.index(after: mark) < sign
        {
            let (path, name) = (text[..<mark], text[mark..<sign].dropFirst())
            let value = text[sign...].dropFirst().prefix { $0 != "&" }
            return PatternMistake(
                "in a path \"?\" is any one character, not the start of a query",
                part == .oldPath
                    ? "\"paths\" cannot match a query: write \"components\""
                    : "write \"/\": \"\(path)\", \"?\": {\"\(name)\": \"\(value.isEmpty ? "*" : value)\"}",
                code: .otherSyntax
            )
        }
        let components = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let parameter = components.first(where: { isParameter($0) }) else { return nil }
        return PatternMistake(
            "a pattern has no parameters, and \"\(parameter)\" is a text",
            "write \"\(components.map { isParameter($0) ? "?*" : String($0) }.joined(separator: "/"))\"",
            code: .otherSyntax
        )
    }

    private static func isParameter(_ component: Substring) -> Bool {
        let brackets: [Character: Character] = ["{": "}", "<": ">", "[": "]"]
        guard component.count > 1, let first = component.first, let last = component.last else { return false }
        if first == ":" { return component.dropFirst().first?.isLetter ?? false }
        return component.count > 2 && brackets[first] == last
    }

    // MARK: Android

    private static func onAndroid(_ text: String) -> PatternMistake? {
        if text.contains("$(") {
            return PatternMistake("Google's file has no variables", "write a component for each value")
        }
        if text.contains("**") {
            return PatternMistake("after \"*\" Android looks for the next character", "write \"*\" once")
        }
        if text.contains("*?") {
            let better = text.replacing("*?", with: "?*")
            return PatternMistake("after \"*\" Android looks for the next character", "write \"\(better)\"")
        }
        let bytes = Array(text.utf8)
        guard text.contains("%"), let decoded = URLComponentCoding.decode(bytes.span), decoded != bytes,
            let plain = String(validating: decoded, as: UTF8.self)
        else { return nil }
        return PatternMistake("Android compares decoded URLs", "write \"\(plain)\"")
    }
}
