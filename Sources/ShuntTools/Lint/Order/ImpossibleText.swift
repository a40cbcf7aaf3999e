import Shunt
import ShuntPatterns

/// The reason why a text is never a part of a request, or rarely, and what was meant.
struct ImpossibleText {
    var reason: String
    var advice: String?
    /// True if requests can have the text, but not the intended requests.
    private let isPossible: Bool

    private init(_ reason: String, _ advice: String?, isPossible: Bool = false) {
        self.reason = reason
        self.advice = advice
        self.isPossible = isPossible
    }

    /// The finding about a word, with the claim that follows from the reason where one does.
    func found(_ word: Word, _ claim: String) -> LintFound { LintFound(word, message(claim), advice: advice) }

    /// The reason, with the claim that follows from it where one does.
    func message(_ claim: String) -> String { isPossible ? reason : "\(claim): \(reason)" }

    /// Nil for what a variable may be in a server that is compared by an operator.
    init?(
        of variable: BuiltinVariable,
        _ text: [UInt8],
        by sign: String,
        beginsWithSlash: Bool,
        _ checker: ValueChecker
    ) {
        let string = String(decoding: text, as: UTF8.self)
        let isWildcard = string.wholeMatch(of: /\/[\w.\/*-]*\*/) != nil
        switch variable {
        case .uri where isWildcard, .requestURI where isWildcard:
            let expression = Self.expression(ofWildcards: string) ?? string
            let reason = "\(sign) compares the whole text: this matches a * only"
            self.init(reason, "write \(sign == "!=" ? "!~" : "~") \(expression)", isPossible: true)
        case .uri: self.init(ofPath: text, beginsWithSlash: beginsWithSlash, insteadOf: sign)
        case .requestURI where !text.contains(0x20) && text.first == UInt8(ascii: "/"): self.init(ofTarget: text)
        case .host where text.contains(UInt8(ascii: "*")):
            self.init("= compares the whole text", "write ~ and an expression", isPossible: true)
        case .host where text.contains(where: \.isASCIIUppercase):
            self.init("hosts are in lower case", "write \(string.lowercased())")
        case .host: self.init(ofHost: text)
        default:
            guard let values = KnownValues(variable), checker.automaton(values.expression)?.accepts(text) == false
            else { return nil }
            self.init(of: values, string, operator: sign == "!=" ? "!~ " : "~ ")
        }
    }

    /// A text that is not one of the known values.
    private init(of values: KnownValues, _ text: String, operator: String) {
        if text.contains("|") {
            self.init("this is compared as text, and not as an expression", "write \(`operator`)^(\(text))$")
            return
        }
        let meant: String? =
            switch values {
            case .method: "write \(text.uppercased())"
            case .port where text.contains(/^\D*\d+$/): "write \(text.drop { !$0.isNumber })"
            case .address where AddressNetwork.parse(Array(text.utf8).span) != nil:
                "write geo $NAME { … }, whose keys are networks"
            default: nil
            }
        self.init(values.fact, meant)
    }

    /// Nil for a key of a map that known values may be, for which the case of letters does not count.
    init?(of values: KnownValues, key: [UInt8], _ checker: ValueChecker) {
        let text = String(decoding: key, as: UTF8.self)
        guard let automaton = checker.automaton(values.expression),
            ![text, text.lowercased(), text.uppercased()].contains(where: { automaton.accepts($0.utf8) })
        else { return nil }
        self.init(of: values, text, operator: "~")
    }

    /// Nil for what a path may be; `sign` is before the text and marks that it is compared as one, if anything does.
    init?(ofPath text: [UInt8], beginsWithSlash: Bool, insteadOf sign: String? = nil) {
        guard let string = String(validating: text, as: UTF8.self) else { return nil }
        if beginsWithSlash, text.first != UInt8(ascii: "/") {
            if let rest = Self.afterHost(string) {
                self.init("a path has no scheme and no host", "write \(rest)")
            } else {
                self.init(
                    "a path begins with a slash",
                    string.hasPrefix("^")
                        ? "write \(sign == "!=" ? "!~" : "~") \(sign.map { "in place of \($0)" } ?? "before it")"
                        : "write \(string.hasPrefix(" ") ? "" : "/")\(string.drop { $0 == " " })"
                )
            }
        } else if text.contains(UInt8(ascii: "?")) {
            self.init(
                "a path has no query: this matches an encoded question mark only",
                "test $arg_NAME, or $request_uri",
                isPossible: true
            )
        } else if text.dropLast().contains(UInt8(ascii: "#")) {
            self.init("a path has no fragment: this matches an encoded # only", "leave it out", isPossible: true)
        } else if let plain = Self.decoded(text) {
            self.init(
                "a path is decoded before it is compared: this matches an encoded percent sign only",
                plain.contains("\\x") ? "write ~ and an expression with \(plain)" : "write \(plain)",
                isPossible: true
            )
        } else {
            return nil
        }
    }

    /// Nil for what a path may be after it has been normalized.
    init?(ofPath text: [UInt8], mergingSlashes: Bool) {
        guard text.first == UInt8(ascii: "/"), let string = String(validating: text, as: UTF8.self) else { return nil }
        var parts: [Substring] = []
        let written = string.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (number, part) in written.enumerated() {
            let isLast = number == written.count - 1
            if part == "..", !parts.isEmpty { parts.removeLast() }
            if part == "." || part == ".." {
                if isLast { parts.append("") }
            } else if !part.isEmpty || isLast || !mergingSlashes {
                parts.append(part)
            }
        }
        guard parts != written else { return nil }
        let hasDots = written.contains { $0 == "." || $0 == ".." }
        self.init(
            hasDots ? "the dots of a path are resolved before" : "slashes in a row are merged before",
            "write /\(parts.joined(separator: "/"))"
        )
    }

    /// Nil for what the path and the query may be as they are sent.
    init?(ofTarget text: [UInt8]) {
        let string = String(decoding: text, as: UTF8.self)
        guard let first = text.first else { return nil }
        if first != UInt8(ascii: "/"), let rest = Self.afterHost(string) {
            self.init("a path has no scheme and no host", "write \(rest)")
        } else if first != UInt8(ascii: "/") {
            self.init("it begins with a slash", "write /\(string)")
        } else if text.contains(0x20) {
            self.init("a space in it is sent as %20", "write \(string.replacing(" ", with: "%20"))")
        } else if text.contains(UInt8(ascii: "#")) {
            self.init("clients do not send what follows #", "leave it out", isPossible: true)
        } else if let encoded = Self.encoded(text) {
            self.init("browsers send letters beyond ASCII encoded", "write \(encoded)", isPossible: true)
        } else {
            return nil
        }
    }

    /// Nil for what the query, or an argument, may be as it is sent.
    init?(ofQuery text: [UInt8]) {
        guard let encoded = Self.encoded(text) else { return nil }
        let hasSpace = text.contains(0x20)
        self.init(
            "a query is compared as sent: \(hasSpace ? "a space in it is %20 or +" : "letters beyond ASCII are encoded")",
            "write \(encoded)\(hasSpace ? ", and \(encoded.replacing("%20", with: "+"))" : "")",
            isPossible: true
        )
    }

    /// The expression that a path with wildcards stands for; nil without any, and for what has other signs.
    static func expression(ofWildcards text: String) -> String? {
        guard text.contains("*"), text.wholeMatch(of: /[\w.\/*%~-]+/) != nil else { return nil }
        let plain = text.replacing(".", with: "\\.").replacing("*", with: ".*")
        if text.hasPrefix("*") { return plain.dropFirst(2) + (text.hasSuffix("*") ? "" : "$") }
        return "^" + (text.hasSuffix("*") ? String(plain.dropLast(2)) : plain + "$")
    }

    /// Nil for what is not meant as an expression or a wildcard.
    init?(ofWildcard text: String) {
        guard text.hasPrefix("/") else { return nil }
        if text.hasSuffix("/*") {
            self.init("a key has no wildcards: this matches a * only", "write ~^\(text.dropLast())", isPossible: true)
        } else if text.contains(".*") {
            self.init("this is compared as text, and not as an expression", "write ~^ before it", isPossible: true)
        } else if text.hasSuffix(",") {
            self.init("the comma is a part of the key", "write \(text.dropLast())", isPossible: true)
        } else {
            return nil
        }
    }

    /// Nil for what a host may be; a sent one may have a port and a final dot.
    init?(ofHost text: [UInt8], isName: Bool = false, isSent: Bool = false, hasWildcards: Bool = true) {
        let string = String(decoding: text, as: UTF8.self)
        if !hasWildcards, string.hasPrefix("*.") || string.hasPrefix(".") || string.hasSuffix(".*") {
            self.init(
                "keys have wildcards only in a map with hostnames",
                "write hostnames; before the keys",
                isPossible: true
            )
        } else if string.hasSuffix(",") || isName && string.contains(/^[\w.*-]+(?:,[\w.*-]+)+$/) {
            self.init(
                isName ? "names are separated by blanks" : "the comma is a part of the key",
                "write \(string.replacing(/,$/, with: "").replacing(",", with: " "))",
                isPossible: true
            )
        } else if isName, string.hasPrefix("^") || string.hasSuffix("$") {
            self.init("this is compared as text, and not as an expression", "write ~ before it", isPossible: true)
        } else if string.contains("://") {
            self.init("a host has no scheme", "write the name alone")
        } else if text.contains(UInt8(ascii: "/")) {
            self.init("a host has no path", "write the name alone")
        } else if isName, string.contains("$") {
            self.init("a name has no variables", "write the names, or _ for a server that serves the rest")
        } else if let colon = string.lastIndex(of: ":"), !string.hasPrefix("["),
            string.prefix(upTo: colon).contains("."), !isSent || [":80", ":443"].contains(string[colon...])
        {
            let reason = isSent ? "clients leave the usual port out" : "a host has no port"
            self.init(reason, "write \(string[..<colon])", isPossible: isSent)
        } else if !isSent, string.count > 1, string.hasSuffix("."), !string.hasSuffix("*.") {
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

    /// The text as browsers send it; nil for one of other bytes, and for one that is the same.
    private static func encoded(_ text: [UInt8]) -> String? {
        guard String(validating: text, as: UTF8.self) != nil, text.contains(where: { $0 == 0x20 || $0 >= 0x80 })
        else { return nil }
        let bytes = text.flatMap { $0 == 0x20 || $0 >= 0x80 ? RequestAssembly.encoded([$0]) : [$0] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text without percent signs; nil where nothing is encoded in it.
    private static func decoded(_ text: [UInt8]) -> String? {
        guard let plain = URLComponentCoding.decode(text.span), plain.count != text.count else { return nil }
        return "\"\(ShownBytes.text(plain))\""
    }
}
