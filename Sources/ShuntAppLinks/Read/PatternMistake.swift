import ShuntCore

/// A reason why a pattern takes no URL, or others than it seems to, and what to write instead.
struct PatternMistake {
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
            found =
                Self.inPath(text, part, isAndroid: isAndroid) ?? Self.ofOtherSyntax(text, part, isAndroid: isAndroid)
        }
        if part == .query || part == .fragment {
            let mark = part == .query ? "?" : "#"
            if text.count > 1, text.hasPrefix(mark), text != "?*" {
                found = PatternMistake("\"\(mark)\" at the start is not part of it", "write \"\(text.dropFirst())\"")
            }
        }
        found = found ?? (isAndroid ? Self.onAndroid(text) : nil)
        if found == nil, !isAndroid, isEncoded {
            found = PatternMistake(encodedValue: text, isOldPath: part == .oldPath)
            if found == nil, part == .oldPath || part == .path { found = Self.ofPercent(text) }
        }
        guard let found else { return nil }
        self = found
    }

    /// Finds a character that no encoded URL has; nil if there is none.
    init?(encodedValue text: String, isOldPath: Bool = false) {
        let isWritten: (Unicode.Scalar) -> Bool = { $0.isASCII && $0.value > 0x20 && $0.value != 0x7f }
        guard let scalar = text.unicodeScalars.first(where: { !isWritten($0) }) else { return nil }
        let encoded = String(scalar).utf8
            .map { byte in
                String(decoding: [0x25, (byte >> 4).upperHexadecimalDigit, byte.upperHexadecimalDigit], as: UTF8.self)
            }
        let isAtEnd = scalar == " " && (text.hasPrefix(" ") || text.hasSuffix(" "))
        self.init(
            "URLs are compared encoded, and \"\(scalar)\" is \"\(encoded.joined())\" there",
            isAtEnd
                ? "leave the blank out"
                : isOldPath ? "write it encoded" : "write it encoded, or \"percentEncoded\": false"
        )
    }

    /// Finds another language in a value of a variable; nil if there is none.
    init?(value text: String) {
        if text.contains("|") {
            self.init("\"|\" is a text, not an alternative", "write a value for each", code: .otherSyntax)
        } else if Self.isParameter(text[...]) {
            let message = "a value has no parameters, and \"\(text)\" is a text"
            self.init(message, "write \"?*\" for any text", code: .otherSyntax)
        } else {
            return nil
        }
    }

    // MARK: Paths

    private static func inPath(_ text: String, _ part: Part, isAndroid: Bool) -> PatternMistake? {
        let hasNot = part == .oldPath && text.hasPrefix("NOT ")
        let path = hasNot ? String(text.dropFirst(4)) : text
        if let found = part == .oldPath ? ofExclusion(text, hasNot: hasNot) : ofMisplacedNot(text) { return found }
        if path.isEmpty {
            return PatternMistake("no path is empty", "write \"/\" for the first page, or \"*\" for every path")
        }
        let lower = path.lowercased()
        if lower.hasPrefix("http:") || lower.hasPrefix("https:") {
            return PatternMistake("a path has no scheme and no host", "leave out everything before the path")
        }
        let name = path.drop { $0 == "/" }.prefix { $0 != "/" }
        if path.hasPrefix("//") || !path.hasPrefix("/"), isHost(name), let start = path.firstRange(of: "\(name)/") {
            return PatternMistake(
                "a path has no host, and \"\(name)\" is its first component",
                "write \"/\(path[start.upperBound...])\""
            )
        }
        if path.contains("#") { return PatternMistake("a path has no \"#\"", "write what follows it as \"#\"") }
        if let first = path.unicodeScalars.first, isAndroid, !"/*?^".unicodeScalars.contains(first) {
            return PatternMistake("a path begins with \"/\"", "write \"/\(path)\"")
        }
        return nil
    }

    /// Finds an exclusion that "paths" does not have.
    private static func ofExclusion(_ text: String, hasNot: Bool) -> PatternMistake? {
        let rest = text.dropFirst(3)
        if hasNot {
            guard rest.hasPrefix("  ") else { return nil }
            return PatternMistake("one blank follows \"NOT\"", "write \"NOT \(rest.drop { $0 == " " })\"")
        }
        if text.hasPrefix("!/") || text.hasPrefix("-/") {
            return PatternMistake("only \"NOT \" excludes", "write \"NOT \(text.dropFirst())\"")
        }
        guard text.lowercased().hasPrefix("not") else { return nil }
        if rest.first == " " {
            return PatternMistake("only \"NOT \" excludes", "write \"NOT \(rest.drop { $0 == " " })\"")
        }
        guard rest.first == "/" else { return nil }
        return PatternMistake("\"NOT\" excludes only with a blank after it", "write \"NOT \(rest)\"")
    }

    /// Finds the exclusion of "paths" in a component.
    private static func ofMisplacedNot(_ path: String) -> PatternMistake? {
        guard path.hasPrefix("NOT/") || path.lowercased().hasPrefix("not ") else { return nil }
        let rest = path.dropFirst(3).drop { $0 == " " }
        let advice = "write \"/\": \"\(rest.hasPrefix("/") ? "" : "/")\(rest)\", \"exclude\": true"
        return PatternMistake("\"NOT\" excludes in \"paths\" alone", advice)
    }

    /// True for a name such as `www.example.com`, and not for the name of a file such as `index.php`.
    private static func isHost(_ name: Substring) -> Bool {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let last = labels.last, last.count > 1, last.utf8.allSatisfy(\.isASCIILetter) else {
            return false
        }
        if ["asp", "aspx", "cgi", "htm", "html", "js", "json", "jsp", "php", "pl", "py"].contains(last) {
            return false
        }
        return labels.allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
        }
    }

    /// Marks of regular expressions that plain paths do not have.
    private static let expressionMarks = ["(.*)", "(?:", ".+", "[^", "[0-9", "[a-z", "[A-Z", "\\d", "\\w", "/.*"]

    /// Finds parameters, expressions and queries, which a path cannot have.
    private static func ofOtherSyntax(_ text: String, _ part: Part, isAndroid: Bool) -> PatternMistake? {
        if text.hasPrefix("^") || text.hasSuffix("$") || expressionMarks.contains(where: text.contains) {
            let path = WildcardText(expression: text)?.text
            return PatternMistake(
                "a pattern is not a regular expression",
                path.map { "write \"\($0)\"" } ?? "write \"*\" for any text, and \"?\" for one character",
                code: .otherSyntax
            )
        }
        if text.contains("|") {
            let advice =
                part == .oldPath
                ? "write a path for each"
                : isAndroid ? "write a component for each" : "write a component for each, or a variable with the words"
            return PatternMistake("\"|\" is a text, not an alternative", advice, code: .otherSyntax)
        }
        if let found = ofQuery(text, part) { return found }
        let components = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let parameter = components.first(where: { isParameter($0) }) else { return nil }
        return PatternMistake(
            "a pattern has no parameters, and \"\(parameter)\" is a text",
            "write \"\(components.map { isParameter($0) ? "?*" : String($0) }.joined(separator: "/"))\"",
            code: .otherSyntax
        )
    }

    private static func ofQuery(_ text: String, _ part: Part) -> PatternMistake? {
        guard let mark = text.firstIndex(of: "?"), let sign = text[mark...].firstIndex(of: "="),
            text[mark..<sign].dropFirst().allSatisfy({ $0.isLetter || $0.isNumber || "_-.[]".contains($0) }),
            text.index(after: mark) < sign
        else { return nil }
        let items = text[mark...].dropFirst().split(separator: "&")
            .map { item in
                let parts = item.split(separator: "=", maxSplits: 1)
                return "\"\(parts.first ?? "")\": \"\(parts.count == 2 ? parts[1] : "*")\""
            }
        let path = mark == text.startIndex ? "" : "\"/\": \"\(text[..<mark])\", "
        return PatternMistake(
            "in a path \"?\" is any one character, not the start of a query",
            part == .oldPath
                ? "\"paths\" cannot match a query: write \"components\""
                : "write \(path)\"?\": {\(items.joined(separator: ", "))}",
            code: .otherSyntax
        )
    }

    /// Finds a percent sign that no encoded URL has.
    private static func ofPercent(_ text: String) -> PatternMistake? {
        let bytes = Array(text.utf8)
        for place in bytes.indices where bytes[place] == UInt8(ascii: "%") {
            let next = bytes[(place + 1)...].prefix(2)
            if next.contains(where: { "*?$".utf8.contains($0) }) { continue }
            if next.count == 2, next.allSatisfy({ $0.hexadecimalValue != nil }) { continue }
            return PatternMistake("two hexadecimal digits follow \"%\" in a URL", "write \"%25\" for a percent sign")
        }
        return nil
    }

    private static func isParameter(_ component: Substring) -> Bool {
        let brackets: [Character: Character] = ["{": "}", "<": ">", "[": "]"]
        guard component.count > 1, let first = component.first, let last = component.last else { return false }
        if first == ":" { return component.dropFirst().first?.isLetter ?? false }
        if first == "$" { return (component.dropFirst().first?.isLetter ?? false) || component.hasPrefix("${") }
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
