/// Redirects and proxies, with the query that Apache would send.
extension ApacheRewriteRule {
    func redirect(_ rule: inout ImportedRule, path: String, query: String?, status: Int) throws(ApacheText.Unsaid) {
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

    /// A path without the segments `.` and `..`, which Apache resolves before it looks for access rules.
    ///
    /// - Throws: If what is above the root, or the length of a value, would have to be known.
    static func resolved(_ path: String) throws(ApacheText.Unsaid) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.contains(where: { $0 == ".." || $0 == "." }) else { return path }
        var kept: [Substring] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            if segment == ".." {
                guard kept.count > 1, let above = kept.popLast(), !above.isEmpty, !above.contains("$") else {
                    throw ApacheText.Unsaid(reason: "a target with .. after a part that is not known")
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

    func proxy(_ rule: inout ImportedRule, text: String, query: String?) throws(ApacheText.Unsaid) {
        guard !has("QSD") else { throw ApacheText.Unsaid(reason: "a proxy without the query") }
        guard let match = text.firstMatch(of: #/^(https?:\/\/[^\/$]+)(\/.*)?$/#), query == nil, !rule.testsPathFirst
        else {
            throw ApacheText.Unsaid(reason: "a proxy whose server or query is computed")
        }
        rule.action = .proxy(String(match.1), path: match.2.map(String.init) ?? "/")
    }
}
