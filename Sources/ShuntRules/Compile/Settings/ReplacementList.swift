import ShuntCore

/// Rules that put something in the place of a text of an upstream, in their order: those of `proxy_redirect`, `proxy_cookie_domain` and
/// `proxy_cookie_path`.
struct ReplacementList {
    private(set) var rules: [RedirectRule] = []
    /// The number of values that are computed when a request is passed on.
    private(set) var valueCount: Int32 = 0

    mutating func append(_ rule: RedirectRule) { rules.append(rule) }

    /// Adds a rule of two words; the first one is an expression if it begins with `~`.
    mutating func add(_ from: Word, _ replacement: Word, isDomain: Bool = false, in context: inout CompileContext) {
        guard from.bytes.first == UInt8(ascii: "~") else {
            func template(_ word: Word) -> TemplateIndex {
                let isDotted = isDomain && word.bytes.first == UInt8(ascii: ".")
                return isDotted ? context.template(Array(word.bytes.dropFirst()), of: word) : context.template(word)
            }
            var rule = RedirectRule(prefix: template(from), replacement: template(replacement))
            rule.isDomain = isDomain
            let isConstant = [rule.prefix, rule.replacement].allSatisfy { context.tables.parts[$0].isConstant }
            if !isConstant {
                rule.firstValue = valueCount
                valueCount += 2
            }
            return rules.append(rule)
        }
        let isCaseless = from.bytes.dropFirst().first == UInt8(ascii: "*")
        let offset = isCaseless && !isDomain ? 2 : 1
        let pattern = Array(from.bytes.dropFirst(offset))
        if pattern.isEmpty {
            let message = "the expression is empty, and so matches everything"
            let advice = "write it after the \(from.text), without a space"
            context.warning(.emptyRegex, message, at: from, suggestion: advice)
        }
        guard let expression = context.pattern(pattern, of: from, offset: offset, isCaseless: isCaseless || isDomain)
        else { return }
        let value = context.template(replacement, groups: context.groupCount(of: expression))
        var rule = RedirectRule(expression: expression, replacement: value)
        let count = context.tables.parts[value.position...]
            .count { $0.kind == .variable && context.tables.group(named: $0.variable, of: expression) == nil }
        if count > 0 {
            rule.firstValue = valueCount
            valueCount += Int32(count)
        }
        rules.append(rule)
    }
}
