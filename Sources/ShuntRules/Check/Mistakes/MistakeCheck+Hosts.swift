import ShuntCore

/// Names of hosts that no host can have.
extension MistakeCheck {
    mutating func checkHosts(_ directives: [CheckedDirective]) {
        var names: [(word: Word, directive: CheckedDirective)] = []
        Self.forEach(directives) { directive in
            if directive.keyword == .renameHost {
                for word in directive.arguments { names.append((word, directive)) }
            } else if let matcher = WrittenMatcher(of: directive), matcher.kind == "host" {
                for word in matcher.values { names.append((word, directive)) }
            }
        }
        for (word, directive) in names { checkHost(word, of: directive) }
    }

    private mutating func checkHost(_ word: Word, of directive: CheckedDirective) {
        let bytes = word.bytes
        guard bytes.first != UInt8(ascii: "~") else { return }
        let isNewName = directive.keyword == .renameHost && word.position == directive.arguments.last?.position
        // With an expression in front the new name may be made of captures.
        let isMade = isNewName && bytes.contains(UInt8(ascii: "$"))
        guard !isMade, let problem = HostMistake(bytes) else { return }
        let advice = problem.suggestion(for: directive.name.text, isNewName: isNewName)
        source.report(.error(.impossibleHost), "\(word.shownText) \(problem.message)", at: word, suggestion: advice)
    }
}

/// The reason why a text can be the name of no host.
struct HostMistake {
    /// The kind of the text, as the end of a sentence.
    let message: String
    /// The host that was meant, if one can be seen.
    private let host: String?
    /// The rest that was meant to count, too: a scheme, a path, a port.
    private let rest: Rest

    private enum Rest {
        case url(String)
        case path(String)
        case port(String)
        case list
        case network
        case variable
        case address
        case date(String)
        case other
    }

    /// Nil for a text that may be a host's name, with or without a wildcard.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let hasBrackets = text.hasPrefix("[") && text.hasSuffix("]")
        if let mark = text.firstRange(of: "://") {
            let behind = text[mark.upperBound...]
            host = Self.name(behind.prefix { !"/?#:".contains($0) })
            rest = .url(text)
            message = "is a URL, and a host is one part of it"
        } else if text.contains("$") {
            (host, rest, message) = (nil, .variable, "has a variable, and names of hosts are literal")
        } else if text.contains(",") {
            host = Self.name(text.prefix { $0 != "," })
            (rest, message) = (.list, "has a comma, which no host has")
        } else if Self.isNetwork(text) {
            (host, rest, message) = (nil, .network, "is a network, and no host")
        } else if let mark = text.firstIndex(where: { "/?#".contains($0) }) {
            host = Self.name(text[..<mark])
            rest = .path(text)
            message = "has a path, and a host is the part before it"
        } else if !hasBrackets, case .v6? = InternetAddress(text) {
            (host, rest, message) = ("[\(text)]", .address, "is an address without its brackets")
        } else if !hasBrackets, let colon = text.firstIndex(of: ":") {
            host = Self.name(text[..<colon])
            rest = .port(String(text[text.index(after: colon)...]))
            message = "has a port, and a host is the part before it"
        } else if TimeValue.looksLikeDate(bytes) {
            (host, rest, message) = (nil, .date(text), "is a date, and no host")
        } else if text.contains(where: { "@\\<>\"|^`{}".contains($0) }) || text.utf8.contains(0x20) {
            (host, rest, message) = (nil, .other, "has a character that no host has")
        } else {
            return nil
        }
    }

    private static func name(_ text: some StringProtocol) -> String? { text.isEmpty ? nil : String(text) }

    /// Returns true if a text is an address with the number of bits that count.
    static func isNetwork(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy(\.isASCIIDigit) else { return false }
        return InternetAddress(String(parts[0])) != nil
    }

    func suggestion(for directive: String, isNewName: Bool) -> String? {
        let isURLMatcher = ["block", "degrade", "match"].contains(directive)
        switch rest {
        case .url(let url) where isURLMatcher:
            return
                "write \(directive) host \(host ?? "NAME"), or \(directive) ^~ \(url) for this URL and all that begin with it"
        case .path(let text) where isURLMatcher:
            return "write \(directive) host \(host ?? "NAME"), or \(directive) ^~ https://\(text) for one page"
        case .url, .path:
            let more = directive == "rename_host" ? "; rewrite_url changes more than the host" : ""
            return host.map { "write \($0)\(more)" }
        case .port:
            let more = isNewName ? "; set $port changes the port" : ": a rule for a host is for all its ports"
            return host.map { "write \($0)\(more)" }
        case .list: return "put spaces between hosts, and no commas"
        case .network: return "for hosts that are addresses write an expression, such as ~^10\\."
        case .variable: return "compare the variable in an if: if ($host = $name) { ... }"
        case .address: return host.map { "write \($0)" }
        case .date(let text): return "put the rule into an if: if ($time < \(text)) { ... }"
        case .other: return nil
        }
    }
}
