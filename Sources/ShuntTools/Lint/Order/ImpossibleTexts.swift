import ShuntCore
import ShuntPatterns
import ShuntRules

extension LintCheck {
    static let impossibleText = LintCheck(
        "impossible-text",
        group: .order,
        severity: .warning,
        basis: .structure,
        summary: "a location, a key or a name that no request has",
        explanation: """
            A location and `$uri` are the path alone: decoded, with a slash first, without scheme, host, query and fragment. \
            `$request_uri` is the path and the query as sent. `$host` and the names of a server have no scheme and no port.
            """,
        example: """
            map $uri $new { about-us /about/; /product?id=5 /five/; default ""; }
            server {
                location = /tags?tag=cool { return 404; }
                if ($new) { return 301 $new; }
            }
            """
    ) { subject in
        locations(subject) + keys(subject) + names(subject) + tests(subject)
    }

    // MARK: Locations

    private static func locations(_ subject: LintSubject) -> [LintFound] {
        subject.model.locations.compactMap { location in
            guard !location.modifier.isRegex, location.modifier != .named,
                let node = subject.tree.directive(at: location.position), let word = node.arguments.last
            else { return nil }
            let beginsWithSlash = subject.expressions.pathsBeginWithSlash(inServer: location.server)
            if location.modifier == .prefix, let found = expression(word, beginsWithSlash: beginsWithSlash) {
                return found
            }
            return ImpossibleText(ofPath: word.bytes, beginsWithSlash: beginsWithSlash)
                .map {
                    LintFound(word, "no request reaches this location: \($0.reason)", advice: $0.advice)
                }
        }
    }

    /// A prefix that was meant as an expression.
    private static func expression(_ word: Word, beginsWithSlash: Bool) -> LintFound? {
        let text = word.text
        let signs = ["(.*)", ".*", ".+", "[^", "[0-9", "[a-z", "\\.", "\\d", "(?:", "(?i)", "|"]
        let isMeant =
            text.hasPrefix("^") && beginsWithSlash || text.hasSuffix("$") || signs.contains { text.contains($0) }
        guard isMeant else { return nil }
        return LintFound(
            word,
            "this is compared as text, and not as an expression: no path has it",
            advice: "write ~ before it"
        )
    }

    // MARK: Keys

    private static func keys(_ subject: LintSubject) -> [LintFound] {
        let beginsWithSlash = subject.model.servers.allSatisfy(subject.expressions.pathsBeginWithSlash)
        return subject.model.maps.flatMap { map -> [LintFound] in
            guard let part = KeyedPart(map.source) else { return [] }
            let hasHosts = map.hasHosts
            return map.entries
                .compactMap { entry in
                    guard entry.expression == nil, !entry.key.bytes.elementsEqual("default".utf8) else { return nil }
                    let key = entry.key.plainKey
                    let problem: ImpossibleText? =
                        switch part {
                        case .path:
                            ImpossibleText(ofWildcard: entry.key.text)
                                ?? ImpossibleText(ofPath: key, beginsWithSlash: beginsWithSlash)
                        case .target: ImpossibleText(ofWildcard: entry.key.text) ?? ImpossibleText(ofTarget: key)
                        case .host: ImpossibleText(ofHost: key, hasWildcards: hasHosts)
                        case .hostAndPath: ImpossibleText(ofHostAndPath: key)
                        }
                    return problem.map {
                        LintFound(entry.key, "no request has this key: \($0.reason)", advice: $0.advice)
                    }
                }
        }
    }

    // MARK: Names of servers

    private static func names(_ subject: LintSubject) -> [LintFound] {
        (subject.tree.named["server_name"] ?? [])
            .flatMap { subject.tree.nodes[$0].arguments }
            .filter { !$0.text.isEmpty && !$0.text.hasPrefix("~") && $0.text != "_" && $0.text != "$hostname" }
            .compactMap { word in
                ImpossibleText(ofHost: word.bytes, isName: true)
                    .map {
                        LintFound(word, "no request has this host: \($0.reason)", advice: $0.advice)
                    }
            }
    }

    // MARK: Tests

    /// Tests of a server that compare a variable with a text which it never is.
    private static func tests(_ subject: LintSubject) -> [LintFound] {
        subject.model.steps.compactMap { step in
            guard step.position.isPlace, let condition = step.condition, let server = step.sequence?.server,
                condition.kind == .equal, let variable = condition.variable, variable.assignments.isEmpty,
                let text = condition.text?.constant, !text.isEmpty,
                let builtin = variable.builtin,
                let problem = ImpossibleText(
                    of: builtin,
                    text,
                    beginsWithSlash: subject.expressions.pathsBeginWithSlash(inServer: server),
                    subject.checker
                )
            else { return nil }
            return LintFound(
                step.position,
                "this is \(condition.isNegated ? "always" : "never") true: \(problem.reason)",
                advice: problem.advice
            )
        }
    }
}

/// The reason why a text is never a part of a request, and what was meant.
struct ImpossibleText {
    var reason: String
    var advice: String?

    private init(_ reason: String, _ advice: String?) {
        self.reason = reason
        self.advice = advice
    }

    /// Nil for what a variable may be in a server.
    init?(of variable: BuiltinVariable, _ text: [UInt8], beginsWithSlash: Bool, _ checker: ValueChecker) {
        let string = String(decoding: text, as: UTF8.self)
        switch variable {
        case .uri: self.init(ofPath: text, beginsWithSlash: beginsWithSlash)
        case .requestURI where !text.contains(0x20) && text.first == UInt8(ascii: "/"): self.init(ofTarget: text)
        case .host where text.contains(UInt8(ascii: "*")):
            self.init("= compares the whole text", "write ~ and an expression")
        case .host where text.contains(where: \.isASCIIUppercase):
            self.init("hosts are in lower case", "write \(string.lowercased())")
        case .host: self.init(ofHost: text)
        default:
            guard let values = KnownValues(variable), checker.automaton(values.expression)?.accepts(text) == false
            else { return nil }
            self.init(values.fact, nil)
        }
    }

    /// Nil for what a path may be.
    init?(ofPath text: [UInt8], beginsWithSlash: Bool) {
        guard !text.isEmpty, let string = String(validating: text, as: UTF8.self) else { return nil }
        if beginsWithSlash, text[0] != UInt8(ascii: "/") {
            if let rest = Self.afterHost(string) {
                self.init("a path has no scheme and no host", "write \(rest)")
            } else {
                self.init(
                    "a path begins with a slash",
                    string.hasPrefix("^") ? "write ~ before it" : "write /\(string)"
                )
            }
        } else if text.contains(UInt8(ascii: "?")) {
            self.init(
                "a path has no query, and an encoded question mark is rarely meant",
                "test $arg_NAME, or $request_uri"
            )
        } else if text.dropLast().contains(UInt8(ascii: "#")) {
            self.init("a path has no fragment, and an encoded # is rarely meant", "leave it out")
        } else if let plain = Self.decoded(text) {
            self.init("a path is decoded before it is compared", "write \(plain)")
        } else {
            return nil
        }
    }

    /// Nil for what the path and the query may be as they are sent.
    init?(ofTarget text: [UInt8]) {
        let string = String(decoding: text, as: UTF8.self)
        guard let first = text.first, !string.hasPrefix("http://"), !string.hasPrefix("https://") else { return nil }
        if first != UInt8(ascii: "/") {
            self.init("it begins with a slash", "write /\(string)")
        } else if text.contains(0x20) {
            self.init("a space in it is sent as %20", "write \(string.replacing(" ", with: "%20"))")
        } else if text.contains(UInt8(ascii: "#")) {
            self.init("clients do not send what follows #", "leave it out")
        } else {
            return nil
        }
    }

    /// Nil for what is not meant as an expression or a wildcard.
    init?(ofWildcard text: String) {
        guard text.hasPrefix("/") else { return nil }
        if text.hasSuffix("/*") {
            self.init("a key has no wildcards", "write ~^\(text.dropLast())")
        } else if text.contains(".*") {
            self.init("it is compared as text, and not as an expression", "write ~^ before it")
        } else {
            return nil
        }
    }

    /// Nil for what a host may be.
    init?(ofHost text: [UInt8], isName: Bool = false, hasWildcards: Bool = true) {
        let string = String(decoding: text, as: UTF8.self)
        if !hasWildcards, string.hasPrefix("*.") || string.hasPrefix(".") || string.hasSuffix(".*") {
            self.init("keys have wildcards only in a map with hostnames", "write hostnames; before the keys")
        } else if isName, string.hasSuffix(",") {
            self.init("names are separated by blanks", "write \(string.dropLast())")
        } else if string.contains("://") {
            self.init("a host has no scheme", "write the name alone")
        } else if text.contains(UInt8(ascii: "/")) {
            self.init("a host has no path", "write the name alone")
        } else if isName, string.contains("$") {
            self.init("a name has no variables", "write the names, or _ for a server that serves the rest")
        } else if let colon = string.lastIndex(of: ":"), !string.hasPrefix("["),
            string.prefix(upTo: colon).contains(".")
        {
            self.init("a host has no port", "write \(string[..<colon])")
        } else if string.count > 1, string.hasSuffix("."), !string.hasSuffix("*.") {
            self.init("the final dot is removed", "write \(string.dropLast())")
        } else {
            return nil
        }
    }

    /// Nil for what a host with the path after it may be.
    init?(ofHostAndPath text: [UInt8]) {
        let string = String(decoding: text, as: UTF8.self)
        guard !string.contains("://") else {
            self.init("a host has no scheme", "leave the scheme out")
            return
        }
        guard let slash = text.firstIndex(of: UInt8(ascii: "/")) else {
            self.init("a path follows the host", "write \(string)/")
            return
        }
        self.init(ofPath: Array(text[slash...]), beginsWithSlash: true)
    }

    /// The path of a text that begins with a scheme or a name of a host.
    private static func afterHost(_ text: String) -> String? {
        var rest = text[...]
        if let mark = rest.firstRange(of: "://") {
            rest = rest[mark.upperBound...]
        } else {
            guard rest.prefix(while: { $0 != "/" }).contains("."), rest.contains("/") else { return nil }
        }
        guard let slash = rest.firstIndex(of: "/") else { return "/" }
        return String(rest[slash...])
    }

    /// The text without percent signs; nil where nothing is encoded in it.
    private static func decoded(_ text: [UInt8]) -> String? {
        guard let plain = URLComponentCoding.decode(text.span), plain.count != text.count else { return nil }
        return "\"\(ShownBytes.text(plain))\""
    }
}
