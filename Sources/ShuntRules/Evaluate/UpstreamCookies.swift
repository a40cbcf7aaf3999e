import ShuntCore
import ShuntPatterns

/// The changes to the cookies of an upstream's answer, for one request.
package struct UpstreamCookies: Sendable {
    let domains: UpstreamRedirects?
    let paths: UpstreamRedirects?
    let flags: [(name: [UInt8], expression: ExpressionIndex, flags: CookieFlags)]
}

/// Flags that a cookie gets or loses; nil for those that stay.
struct CookieFlags: Sendable {
    private var isSecure: Bool?
    private var isHTTPOnly: Bool?
    /// Empty where it is removed.
    private var sameSite: String?

    /// As in nginx, unknown words are ignored.
    init(_ words: [[UInt8]]) {
        for word in words {
            switch String(decoding: word, as: UTF8.self) {
            case "secure": isSecure = true
            case "nosecure": isSecure = false
            case "httponly": isHTTPOnly = true
            case "nohttponly": isHTTPOnly = false
            case "samesite=strict": sameSite = "Strict"
            case "samesite=lax": sameSite = "Lax"
            case "samesite=none": sameSite = "None"
            case "nosamesite": sameSite = ""
            default: break
            }
        }
    }

    var isEmpty: Bool { isSecure == nil && isHTTPOnly == nil && sameSite == nil }

    private static func sameSite(_ value: String) -> CookieAttribute {
        CookieAttribute(key: Array("SameSite".utf8), value: Array(value.utf8))
    }

    func edit(_ attributes: inout [CookieAttribute]) {
        var missing = self
        attributes = attributes.enumerated()
            .compactMap { index, attribute in
                if index == 0 { return attribute }
                if let isSecure, attribute.isNamed("secure") {
                    missing.isSecure = nil
                    return isSecure ? attribute : nil
                }
                if let isHTTPOnly, attribute.isNamed("httponly") {
                    missing.isHTTPOnly = nil
                    return isHTTPOnly ? attribute : nil
                }
                guard let sameSite, attribute.isNamed("samesite") else { return attribute }
                missing.sameSite = nil
                return sameSite.isEmpty ? nil : Self.sameSite(sameSite)
            }
        if missing.isSecure == true { attributes.append(CookieAttribute(key: Array("Secure".utf8))) }
        if missing.isHTTPOnly == true { attributes.append(CookieAttribute(key: Array("HttpOnly".utf8))) }
        if let sameSite = missing.sameSite, !sameSite.isEmpty {
            attributes.append(Self.sameSite(sameSite))
        }
    }
}

/// The name and value of a cookie, or one of its attributes.
struct CookieAttribute {
    let key: [UInt8]
    /// Nil without an equals sign.
    var value: [UInt8]?

    init(key: [UInt8], value: [UInt8]? = nil) { (self.key, self.value) = (key, value) }

    /// As in nginx, only blanks count as such.
    init(_ text: ArraySlice<UInt8>) {
        func trimmed(_ part: ArraySlice<UInt8>) -> [UInt8] {
            Array(part.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed())
        }
        let equals = text.firstIndex(of: UInt8(ascii: "="))
        key = trimmed(text[..<(equals ?? text.endIndex)])
        value = equals.map { trimmed(text[($0 + 1)...]) }
    }

    func isNamed(_ name: String) -> Bool { key.lazy.map(\.asciiLowercased).elementsEqual(name.utf8) }
}

/// The changes to the cookies of one answer.
package struct CookieChanges {
    fileprivate let domains: LocationChanges?
    fileprivate let paths: LocationChanges?
    fileprivate let flags: [(name: [UInt8], expression: RegularExpression?, flags: CookieFlags)]
    fileprivate let scratch: MatchScratch

    /// The value of a Set-Cookie in place of the upstream's; nil where that stays.
    package func changed(_ cookie: Span<UInt8>) -> [UInt8]? {
        var attributes = Array(copying: cookie).split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { CookieAttribute($0) }
        guard let name = attributes.first?.key, attributes[0].value != nil else { return nil }
        var isChanged = false
        for index in attributes.indices.dropFirst() {
            let list = attributes[index].isNamed("domain") ? domains : attributes[index].isNamed("path") ? paths : nil
            guard let value = attributes[index].value, let changed = list?.rewritten(value.span) else { continue }
            attributes[index].value = changed
            isChanged = true
        }
        if let rule = flags.first(where: { isFor(name, name: $0.name, expression: $0.expression) }), !rule.flags.isEmpty
        {
            rule.flags.edit(&attributes)
            isChanged = true
        }
        guard isChanged else { return nil }
        return Array(
            attributes.map { $0.key + ($0.value.map { [UInt8(ascii: "=")] + $0 } ?? []) }.joined(separator: "; ".utf8)
        )
    }

    private func isFor(_ cookie: [UInt8], name: [UInt8], expression: RegularExpression?) -> Bool {
        guard let expression else {
            return cookie.lazy.map(\.asciiLowercased).elementsEqual(name.lazy.map(\.asciiLowercased))
        }
        scratch.renew()
        return expression.match(cookie.span, scratch: scratch) == .matched
    }
}

extension LocationRewriter {
    package func changes(by cookies: UpstreamCookies) -> CookieChanges {
        CookieChanges(
            domains: cookies.domains.map { changes(by: $0, at: nil) },
            paths: cookies.paths.map { changes(by: $0, at: nil) },
            flags: cookies.flags.map { ($0.name, $0.expression.isNone ? nil : expression($0.expression), $0.flags) },
            scratch: scratch
        )
    }
}

extension Evaluation {
    mutating func cookies(_ rules: CookieRules) throws(EvaluationFailure) -> UpstreamCookies {
        var flags: [(name: [UInt8], expression: ExpressionIndex, flags: CookieFlags)] = []
        for rule in rules.flags {
            var words: [[UInt8]] = []
            for word in rule.words { words.append(arena.array(try evaluate(template: word))) }
            let name = rule.name.isNone ? [] : arena.array(try evaluate(template: rule.name))
            flags.append((name, rule.expression, CookieFlags(words)))
        }
        return UpstreamCookies(
            domains: try replacements(rules.domains),
            paths: try replacements(rules.paths),
            flags: flags
        )
    }

    private mutating func replacements(
        _ rules: TableIndex<[RedirectRule]>
    ) throws(EvaluationFailure) -> UpstreamRedirects? {
        guard !rules.isNone else { return nil }
        let values = try replacementValues(rules).map { arena.array($0) }
        return UpstreamRedirects(rules: rules, settings: server.settings, server: server.index, values: values)
    }
}
