import ShuntCore

/// Matchers on whole URLs that no URL matches, because it begins with its scheme.
extension MistakeCheck {
    mutating func checkURLs(_ directives: [CheckedDirective]) {
        var found: [(word: Word, matcher: WrittenMatcher)] = []
        Self.forEach(directives) { directive in
            guard let matcher = WrittenMatcher(of: directive), let word = matcher.values.first else { return }
            let isImpossible =
                switch matcher.kind {
                case "=": !Self.hasScheme(word.bytes)
                case "^~": !Self.mayBeginURL(word.bytes)
                case "~", "~*": Self.isOnPath(word.bytes)
                default: false
                }
            if isImpossible { found.append((word, matcher)) }
        }
        for (word, matcher) in found {
            let isExpression = matcher.kind.hasPrefix("~")
            let path = isExpression ? String(word.text.dropFirst()) : word.text
            let advice =
                if isExpression {
                    "write ^https?://[^/]+\(path), or use rewrite in a server"
                } else {
                    "write \(matcher.kind) https://HOST\(path.hasPrefix("/") ? "" : "/")\(path)"
                }
            source.report(
                .warning(.neverMatches),
                "no URL \(isExpression ? "matches" : matcher.kind == "=" ? "is" : "begins with") \(word.shownText)",
                at: word,
                suggestion: "a URL begins with its scheme: \(advice)"
            )
        }
    }

    private static func hasScheme(_ bytes: [UInt8]) -> Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return mayBeginURL(Array(bytes[...colon]))
    }

    /// Returns true if a URL can begin with the bytes: with a scheme, or the beginning of one.
    private static func mayBeginURL(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, first.isASCIILetter else { return bytes.isEmpty }
        for byte in bytes {
            if byte == UInt8(ascii: ":") { return true }
            let isOfScheme = byte.isASCIILetter || byte.isASCIIDigit || "+-.".utf8.contains(byte)
            guard isOfScheme else { return false }
        }
        return true
    }

    /// Returns true if an expression begins with the beginning of a path: `^/`.
    private static func isOnPath(_ bytes: [UInt8]) -> Bool {
        let starts = ["^/", "^\\/"]
        guard let start = starts.first(where: { bytes.starts(with: $0.utf8) }) else { return false }
        // `^/?x` needs no slash, and `^/|x` may match by its other half.
        if let next = bytes.dropFirst(start.utf8.count).first, "?*{".utf8.contains(next) { return false }
        return !bytes.contains(UInt8(ascii: "|"))
    }
}
