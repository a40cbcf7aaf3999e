/// Lines of a frontend as rules.
enum HAProxyRules {
    private typealias Unsaid = HAProxyImport.Unsaid

    /// The rules of a line: one for each alternative of its condition.
    static func rules(
        _ line: HAProxyImport.Line,
        _ tests: inout HAProxyTests
    ) throws(HAProxyImport.Unsaid) -> [ImportedRule] {
        let start = line.words.firstIndex { $0 == "if" || $0 == "unless" } ?? line.words.count
        if tests.hasChangedPath,
            line.words[..<start].contains(where: { $0.contains("%[url") || $0.contains("%[pathq") })
        {
            throw Unsaid(reason: "the URL after a change of its path")
        }
        var alternatives = try tests.condition(line.words[start...])
        let rule = try action(Array(line.words[..<start]), line.number)
        if case .rewrite = rule.action { tests.hasChangedPath = true }
        // A path is changed once, whatever number of alternatives holds.
        if case .rewrite = rule.action, alternatives.count > 1 {
            guard alternatives.allSatisfy({ $0.count == 1 }) else {
                throw Unsaid(reason: "a change of the path with several alternatives")
            }
            alternatives = [[alternatives.flatMap { $0[0] }]]
        }
        return alternatives.map { tests in
            var copy = rule
            copy.tests = tests
            return copy
        }
    }

    /// The refusals in the place of a line that refuses and has no counterpart: by its tests that have one.
    static func refusals(of line: HAProxyImport.Line, _ tests: inout HAProxyTests) -> [ImportedRule] {
        let start = line.words.firstIndex { $0 == "if" || $0 == "unless" } ?? line.words.count
        let alternatives = (try? tests.condition(line.words[start...], isWider: true)) ?? [[]]
        return alternatives.map { tests in
            var rule = ImportedRule(line.number...line.number, .respond(403, nil))
            rule.tests = tests
            return rule
        }
    }

    private static func action(_ words: [String], _ line: Int) throws(HAProxyImport.Unsaid) -> ImportedRule {
        switch words[0] {
        case "use_backend", "default_backend":
            guard words.count == 2, HAProxyImport.isName(words[1]) else {
                throw Unsaid(reason: "a backend whose name is computed, or none here")
            }
            return ImportedRule(line...line, .proxy("http://\(words[1])", path: nil))
        case "redirect": return try redirect(words.dropFirst(), line)
        case "block": return ImportedRule(line...line, .respond(403, nil))
        default: return try request(words, line)
        }
    }

    private static func request(_ words: [String], _ line: Int) throws(HAProxyImport.Unsaid) -> ImportedRule {
        guard words.count > 1 else { throw Unsaid(reason: "it does nothing") }
        let options = options(words.dropFirst(2))
        switch words[1] {
        case "redirect": return try redirect(words.dropFirst(2), line)
        case "deny", "tarpit":
            let status = options["deny_status"] ?? options["status"] ?? ""
            return ImportedRule(line...line, .respond(Int(status) ?? (words[1] == "deny" ? 403 : 500), nil))
        case "reject", "silent-drop": return ImportedRule(line...line, .respond(444, nil))
        case "return":
            let text = options["string"] ?? options["lf-string"]
            return ImportedRule(line...line, .respond(Int(options["status"] ?? "200") ?? 200, try text.map(value)))
        case "set-path" where words.count == 3:
            return ImportedRule(line...line, .rewrite(try value(words[2]), .next))
        case "replace-path" where words.count == 4:
            var rule = ImportedRule(line...line, .rewrite(try groups(words[3]), .next))
            // The expression may match anywhere; what replaces it is the whole path.
            rule.pattern = ImportedRule.Pattern(expression: words[2])
            return rule
        case "set-header" where words.count == 4:
            throw Unsaid(reason: "a header of the request: write proxy_set_header")
        default: throw Unsaid(reason: "the action \(words[1])")
        }
    }

    private static func redirect(_ words: ArraySlice<String>, _ line: Int) throws(HAProxyImport.Unsaid) -> ImportedRule
    {
        let options = options(words)
        let status = Int(options["code"] ?? "302") ?? 302
        guard options["set-cookie"] == nil, options["clear-cookie"] == nil, options["append-slash"] == nil else {
            throw Unsaid(reason: "an option of the redirect")
        }
        let query = options["drop-query"] == nil ? "" : "?"
        var rule = ImportedRule(line...line, .stop)
        if let scheme = options["scheme"] {
            rule.pattern = ImportedRule.Pattern(expression: "^(.*)$")
            rule.action = .redirect(status, "\(try value(scheme))://$host$1\(query)")
        } else if let prefix = options["prefix"] {
            rule.pattern = ImportedRule.Pattern(expression: "^(.*)$")
            // A slash alone stands for no prefix.
            rule.action = .redirect(status, "\(prefix == "/" ? "" : try value(prefix))$1\(query)")
        } else if let location = options["location"] {
            var text = try value(location)
            if text.contains("$uri"), status == 301 || status == 302 {
                // A group keeps the escapes of the path.
                rule.pattern = ImportedRule.Pattern(expression: "^(.*)$")
                text = text.replacing("$uri", with: "$1")
            }
            // A location has no other query than its own.
            rule.action = .redirect(status, status == 301 || status == 302 ? text + "?" : text)
            return rule
        } else {
            throw Unsaid(reason: "a redirect without a target")
        }
        guard status == 301 || status == 302 else {
            rule.keptGroups = [1]
            if case .redirect(_, let target) = rule.action {
                let text = target.replacing("$1", with: "${rest_1}")
                rule.action = .redirect(status, query.isEmpty ? text + "$is_args$args" : String(text.dropLast()))
            }
            return rule
        }
        return rule
    }

    private static func options(_ words: ArraySlice<String>) -> [String: String] {
        var result: [String: String] = [:]
        var rest = words
        let flags: Set = ["drop-query", "append-slash"]
        while let word = rest.popFirst() { result[word] = flags.contains(word) ? "" : rest.popFirst() ?? "" }
        return result
    }

    /// A text with samples, as a string of the rule language.
    private static func value(_ text: String) throws(HAProxyImport.Unsaid) -> String {
        guard !text.contains("$") else { throw Unsaid(reason: "a text with a $ in it") }
        let known = [
            "path": "$uri", "query": "$args", "hdr(host)": "$host", "req.hdr(host)": "$host", "src": "$remote_addr",
            "method": "$request_method", "pathq": "$request_uri", "url": "$request_uri",
            "capture.req.uri": "$request_uri",
        ]
        var result = ""
        var rest = text[...]
        while let next = rest.popFirst() {
            guard next == "%" else {
                result.append(next)
                continue
            }
            guard rest.first == "[", let end = rest.firstIndex(of: "]"),
                let variable = known[rest[rest.index(after: rest.startIndex)..<end].lowercased()]
            else { throw Unsaid(reason: "a sample in a text") }
            result += variable
            rest = rest[rest.index(after: end)...]
        }
        return result
    }

    private static func groups(_ text: String) throws(HAProxyImport.Unsaid) -> String {
        try value(text.replacing("\\", with: "\u{1}")).replacing("\u{1}", with: "$")
    }
}
