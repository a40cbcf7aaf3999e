/// Redirects and proxies, with the query that Apache would send.
extension ApacheRewriteRule {
    func redirect(
        _ rule: inout ImportedRule,
        path: String,
        query: String?,
        status: Int
    ) throws(ApacheText.Unsaid) {
        let location = has("NE") ? path : ApacheText.escaped(path)
        let isWhole = ApacheText.losesEscapes(location)
        if (status == 301 || status == 302) && !isWhole {
            let suffix = query.map {
                $0.isEmpty ? (has("QSA") ? "" : "?") : "?\($0)" + (has("QSA") && !has("QSD") ? "" : "?")
            }
            rule.action = .redirect(status, location + (suffix ?? (has("QSD") ? "?" : "")))
            return
        }
        guard query?.isEmpty != false || !has("QSA") else {
            throw ApacheText.Unsaid(reason: "a redirect with \(status) that joins two queries")
        }
        rule.hasWholeTarget = isWhole
        var text = location
        if rule.pattern != nil, !rule.testsPathFirst {
            for number in 1...9 where text.contains("$\(number)") {
                rule.keptGroups.append(number)
                text = text.replacing("$\(number)", with: "${rest_\(number)}")
            }
        }
        let suffix = query.map { $0.isEmpty ? "" : "?\($0)" } ?? (has("QSD") ? "" : "$is_args$args")
        rule.action = .redirect(status, text + suffix)
    }

    func proxy(_ rule: inout ImportedRule, text: String, query: String?) throws(ApacheText.Unsaid) {
        guard !has("QSD") else { throw ApacheText.Unsaid(reason: "a proxy without the query") }
        guard let match = text.firstMatch(of: #/^(https?:\/\/[^\/$]+)(\/.*)?$/#), query == nil, !rule.testsPathFirst
        else {
            throw ApacheText.Unsaid(reason: "a proxy whose server or query is computed")
        }
        rule.action = .proxy(String(match.1), path: match.2.map(String.init) ?? "/")
    }
}
