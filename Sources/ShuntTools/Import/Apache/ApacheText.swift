/// Text with variables and captures, as mod_rewrite has it in tests and in substitutions.
struct ApacheText: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case text(String)
        /// A variable of the rule language, with its sign.
        case variable(String)
        /// A capture of the rule.
        case group(Int)
        /// A capture of the last condition.
        case condition(Int)
        /// `on` or `off`.
        case https
        /// The status of the request before this one, empty where there was none.
        case redirectStatus
        /// The value of a key in a `RewriteMap`, and what is there if it has none.
        case lookup(map: String, key: ApacheText, otherwise: ApacheText)
    }

    var parts: [Part] = []

    /// Reads a text; `environment` has the texts of the variables of the environment.
    init(_ text: String, environment: [String: [Part]]) throws(Unsaid) {
        var rest = text[...]
        while let first = rest.first {
            rest = rest.dropFirst()
            guard let next = rest.first, "\\$%".contains(first) else {
                append(String(first))
                continue
            }
            if first == "\\" {
                append(String(next))
                rest = rest.dropFirst()
            } else if let digit = next.wholeNumberValue, next.isASCII {
                parts.append(first == "$" ? .group(digit) : .condition(digit))
                rest = rest.dropFirst()
            } else if next == "{", first == "$", let end = Self.place(of: "}", in: rest) {
                let content = rest[rest.index(after: rest.startIndex)..<end]
                guard let colon = content.firstIndex(of: ":") else { throw Unsaid("a RewriteMap without a key") }
                let words = Self.keyAndDefault(content[content.index(after: colon)...])
                parts.append(
                    .lookup(
                        map: String(content[..<colon]),
                        key: try Self(words.key, environment: environment),
                        otherwise: try Self(words.otherwise, environment: environment)
                    )
                )
                rest = rest[rest.index(after: end)...]
            } else if next == "{", let end = rest.firstIndex(of: "}") {
                let name = String(rest[rest.index(after: rest.startIndex)..<end])
                parts.append(contentsOf: try Self.variable(name, environment))
                rest = rest[rest.index(after: end)...]
            } else {
                append(String(first))
            }
        }
    }

    init(parts: [Part]) { self.parts = parts }

    /// The first place of a sign with all braces before it closed, itself included; nil for none.
    private static func place(of sign: Character, in text: Substring) -> Substring.Index? {
        var depth = 0
        return text.indices.first { index in
            if text[index] == "{" { depth += 1 }
            if text[index] == "}" { depth -= 1 }
            return depth == 0 && text[index] == sign
        }
    }

    /// The parts of a look-up, which a bar outside of braces separates.
    private static func keyAndDefault(_ text: Substring) -> (key: String, otherwise: String) {
        guard let bar = place(of: "|", in: text) else { return (String(text), "") }
        return (String(text[..<bar]), String(text[text.index(after: bar)...]))
    }

    /// Adds a text, which is one with a text before it.
    mutating func append(_ text: String) {
        if case .text(let before)? = parts.last {
            parts[parts.count - 1] = .text(before + text)
        } else {
            parts.append(.text(text))
        }
    }

    private static let variables: [String: [Part]] = [
        "HTTP_HOST": [.variable("$host")], "SERVER_NAME": [.variable("$host")], "REQUEST_URI": [.variable("$uri")],
        "QUERY_STRING": [.variable("$args")], "THE_REQUEST": [.variable("$request")],
        "REQUEST_METHOD": [.variable("$request_method")], "REMOTE_ADDR": [.variable("$remote_addr")],
        "REQUEST_SCHEME": [.variable("$scheme")], "SERVER_PORT": [.variable("$server_port")],
        "REQUEST_FILENAME": [.variable("$request_filename")], "SCRIPT_FILENAME": [.variable("$request_filename")],
        "DOCUMENT_ROOT": [.variable("$document_root")], "CONTEXT_DOCUMENT_ROOT": [.variable("$document_root")],
        "SERVER_PROTOCOL": [.variable("$server_protocol")], "HTTP_USER_AGENT": [.variable("$http_user_agent")],
        "HTTP_REFERER": [.variable("$http_referer")], "HTTP_COOKIE": [.variable("$http_cookie")],
        "HTTP_ACCEPT": [.variable("$http_accept")], "HTTP_FORWARDED": [.variable("$http_forwarded")],
        "HTTPS": [.https], "IS_SUBREQ": [.text("false")], "CONTEXT_PREFIX": [], "AUTH_TYPE": [],
    ]

    private static func variable(_ name: String, _ environment: [String: [Part]]) throws(Unsaid) -> [Part] {
        if let known = variables[name.uppercased()] { return known }
        // Other readers name variables of rules.
        if name.hasPrefix("$") { return [.variable(name)] }
        if name.uppercased().hasPrefix("HTTP:") || name.uppercased().hasPrefix("HTTP_") {
            let header = ImportedTest.header(name.dropFirst(5))
            guard header.wholeMatch(of: #/\$http_[a-z0-9_]+/#) != nil else { throw Unsaid("the header of %{\(name)}") }
            // mod_rewrite knows a few headers by HTTP_NAME only; others need HTTP:NAME.
            return name.dropFirst(4).first == ":" ? [.variable(header)] : []
        }
        if name.uppercased().hasPrefix("ENV:") {
            // Names of the environment have no case.
            let variable = name.dropFirst(4).uppercased()
            if variable == "REDIRECT_STATUS" { return [.redirectStatus] }
            if variable == "HTTPS" { return [.https] }
            if let parts = environment[variable] { return parts }
            throw Unsaid("the environment variable \(variable) has no counterpart")
        }
        throw Unsaid("%{\(name)} has no counterpart")
    }

    /// The variable in which a variable of the environment is kept.
    static func environmentVariable(_ name: String) -> String {
        "$env_\(ApacheTables.word(name))"
    }

    /// The text, if it has no variables.
    var constant: String? {
        var result = ""
        for part in parts {
            guard case .text(let text) = part else { return nil }
            result += text
        }
        return result
    }

    /// The parts, with those of a look-up in its place.
    private var allParts: [Part] {
        parts.flatMap { part -> [Part] in
            if case .lookup(_, let key, let other) = part { key.allParts + other.allParts } else { [part] }
        }
    }

    /// The groups of the rule that are used.
    var groups: Set<Int> {
        Set(allParts.compactMap { part -> Int? in if case .group(let number) = part { number } else { nil } })
    }

    /// Removes captures of groups that the expressions do not have.
    mutating func drop(groups: Int, conditions: Int) {
        parts.removeAll { part in
            switch part {
            case .group(let number): number > groups
            case .condition(let number): number > conditions
            default: false
            }
        }
    }

    /// True if something is looked up with a group of the rule.
    var looksGroupsUp: Bool {
        parts.contains { part in
            if case .lookup(_, let key, let other) = part { !key.groups.union(other.groups).isEmpty } else { false }
        }
    }

    /// True if a variable of `SetEnvIf` is used.
    var usesFound: Bool {
        parts.contains { if case .variable(let name) = $0 { name.hasPrefix("$found_") } else { false } }
    }

    /// True if a group of a condition is used.
    var usesConditions: Bool { allParts.contains { if case .condition = $0 { true } else { false } } }

    /// The text as a string of the rule language.
    func string(_ captures: ApacheCaptures) throws(Unsaid) -> String {
        var result = ""
        for (index, part) in parts.enumerated() {
            switch part {
            case .text(let text):
                guard !text.contains("$") else { throw Unsaid("a text with a $ in it") }
                result += text
            case .variable(let name): result += braced(name, before: index)
            case .group(let number): result += braced(captures.group(number), before: index)
            case .condition(let number):
                guard number > 0 else { throw Unsaid("%0, the whole match of a condition") }
                guard let condition = captures.condition else { continue }
                result += braced("$\(condition)_\(number)", before: index)
            case .https: throw Unsaid("%{HTTPS} in a text")
            case .redirectStatus: throw Unsaid("%{ENV:REDIRECT_STATUS} in a text")
            case .lookup: throw Unsaid("a RewriteMap in a text")
            }
        }
        return result
    }

    private func braced(_ name: String, before index: Int) -> String {
        guard index + 1 < parts.count, case .text(let text) = parts[index + 1], let next = text.first,
            next.isASCII, next.isLetter || next.isNumber || next == "_", name.count > 2
        else { return name }
        return "${\(name.dropFirst())}"
    }

    /// Escapes the literal parts of a location as Apache does.
    static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let character = Character(UnicodeScalar(byte))
            let isPlain =
                byte < 0x80
                && (character.isLetter || character.isNumber || "$-_.+!*'(),:;@&=/~{}".contains(character))
            result += isPlain ? String(character) : String(decoding: byte.percentEncoded, as: UTF8.self)
        }
        return result
    }

    /// Returns true if `rewrite` decodes an escape of a text when it redirects.
    static func losesEscapes(_ text: String) -> Bool {
        text.prefix { $0 != "?" }.contains(#/%(?:2[6-9a-f]|[3-6][0-9a-f]|7[0-9a-e])/#.ignoresCase())
    }
}
