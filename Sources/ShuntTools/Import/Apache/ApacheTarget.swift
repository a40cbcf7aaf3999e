/// Redirects and proxies, with the query that Apache would send.
extension ApacheRewriteRule {
    /// The end of a target with its query, after which the query of the request follows unless it is a question mark.
    func ending(_ query: String?) -> String {
        guard let query else { return has("QSD") ? "?" : "" }
        if query.isEmpty { return has("QSA") ? "" : "?" }
        return "?\(query)" + (has("QSA") && !has("QSD") ? "" : "?")
    }

    func redirect(_ rule: inout ImportedRule, path: String, query: String?, status: Int) throws(Unsaid) {
        let location = has("NE") ? path : ApacheText.escaped(path)
        let isWhole = ApacheText.losesEscapes(location)
        if (status == 301 || status == 302) && !isWhole {
            rule.action = .redirect(status, location + ending(query))
            return
        }
        rule.hasWholeTarget = isWhole
        let hasGroups = rule.pattern != nil && !rule.testsPathFirst
        let text = hasGroups ? rule.keepingGroups(of: location) : location
        var suffix = query.map { $0.isEmpty ? "" : "?\($0)" } ?? (has("QSD") ? "" : "$is_args$args")
        if query != nil, has("QSA"), !has("QSD") { suffix += suffix.isEmpty ? "$is_args$args" : moreArguments }
        rule.action = .redirect(status, text + suffix)
    }

    /// A path without the doubled slashes that the path of the request brings, which are one when Apache looks it up.
    func withSingleSlashes(_ path: String, _ tests: [[ImportedTest]]) -> String {
        let path = path.replacing("/$uri", with: "$uri").replacing("/${uri}", with: "${uri}")
        let hasEnd = tests.contains {
            $0.count == 1 && !$0[0].isNegated && ["/$", #"\/$"#].contains($0[0].pathExpression)
        }
        return hasEnd ? path.replacing("$uri/", with: "${uri}") : path
    }

    /// A path without the segments `.` and `..`, which Apache resolves before it looks for access rules; throws where
    /// that needs a value or a part above the root.
    static func resolved(_ path: String) throws(Unsaid) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.contains(where: { $0 == ".." || $0 == "." }) else { return path }
        var kept: [Substring] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            if segment == ".." {
                guard kept.count > 1, let above = kept.popLast(), !above.isEmpty, !above.contains("$") else {
                    throw Unsaid("a target with .. after a part that is not known")
                }
                if isLast { kept.append("") }
            } else if segment == "." {
                if isLast { kept.append("") }
            } else {
                kept.append(segment)
            }
        }
        return kept.joined(separator: "/")
    }

    func proxy(_ rule: inout ImportedRule, text: String, query: String?) throws(Unsaid) {
        guard !has("QSD") else { throw Unsaid("a proxy without the query") }
        guard let match = text.firstMatch(of: #/^(https?:\/\/[^\/$]+)(\/.*)?$/#), query == nil, !rule.testsPathFirst
        else { throw Unsaid("a proxy whose server or query is computed") }
        rule.action = .proxy(String(match.1), path: match.2.map(String.init) ?? "/")
    }
}
