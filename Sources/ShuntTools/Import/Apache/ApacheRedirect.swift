/// `Redirect` and its relatives as rules.
enum ApacheRedirect {
    /// Reads one; the path is that of a `Redirect`.
    static func rule(_ directive: ApacheDirective) throws(Unsaid) -> (rule: ImportedRule, path: String?) {
        var words = directive.words[...]
        var status = directive.key == "redirectpermanent" ? 301 : 302
        if let first = words.first, words.count > 1, let said = ApacheRewriteRule.status(first), first.first != "/" {
            status = said
            words.removeFirst()
        }
        guard let from = words.first else { throw Unsaid("it names no path") }
        let isMatch = directive.key == "redirectmatch"
        var rule = ImportedRule(directive.lines, .respond(status))
        var target = words.dropFirst().first ?? ""
        guard !target.contains("%{"), !from.contains("%{") else { throw Unsaid("an expression of Apache") }
        if isMatch {
            guard ImportedExpression.groupCount(from) != nil else { throw Unsaid("an expression that is not one here") }
            guard !target.contains("$0") else { throw Unsaid("$0, the whole match") }
            // Only the number of a group is one for Apache.
            guard !target.contains(#/\$(?!\d)/#) else { throw Unsaid("a text with a $ in it") }
            if !ImportedExpression.isAny(from) || target.contains("$") {
                rule.pattern = ImportedRule.Pattern(expression: from)
            }
        } else {
            guard !target.contains("$") else { throw Unsaid("a text with a $ in it") }
            let literal = ImportedExpression.literal(from)
            let isUsed = (300...399).contains(status)
            let expression =
                from.hasSuffix("/")
                ? "^\(literal)\(isUsed ? "(.*)$" : "")" : "^\(literal)(/\(isUsed ? ".*)?$" : "|$)")"
            rule.pattern = ImportedRule.Pattern(expression: expression)
            // What follows the path is appended to the whole of the target.
            target += "$1"
        }
        guard (300...399).contains(status) else { return (rule, isMatch ? nil : from) }
        guard words.count > 1 else { throw Unsaid("it names no target") }
        // Apache escapes the path of a RedirectMatch, and nothing of a Redirect.
        let path = target.prefix { $0 != "?" && $0 != "#" }
        if isMatch { target = ApacheText.escaped(String(path)) + target.dropFirst(path.count) }
        let hasQuery = target.contains("?")
        rule.hasWholeTarget = ApacheText.losesEscapes(target)
        if status == 301 || status == 302, !rule.hasWholeTarget {
            rule.action = .redirect(status, target + (hasQuery ? "?" : ""))
            return (rule, isMatch ? nil : from)
        }
        target = rule.keepingGroups(of: target)
        rule.action = .redirect(status, target + (hasQuery ? "" : "$is_args$args"))
        return (rule, isMatch ? nil : from)
    }
}
