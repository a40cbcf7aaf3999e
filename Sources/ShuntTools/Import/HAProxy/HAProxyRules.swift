/// Lines of a frontend as rules.
enum HAProxyRules {
    /// The rules of a line: one for each alternative of its condition.
    static func rules(_ line: HAProxyImport.Line, _ tests: inout HAProxyTests) throws(Unsaid) -> [ImportedRule] {
        if tests.hasChangedPath, line.action.contains(where: { $0.contains("%[url") || $0.contains("%[pathq") }) {
            throw Unsaid("the URL after a change of its path")
        }
        var alternatives = try tests.condition(line.condition)
        let rule = try action(line.action, of: line.number...line.number, with: &tests)
        if rule.rewrites { tests.hasChangedPath = true }
        // A path is changed once, whatever number of alternatives holds.
        if rule.rewrites, alternatives.count > 1 {
            guard alternatives.allSatisfy({ $0.count == 1 }) else {
                throw Unsaid("a change of the path with several alternatives")
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
        let alternatives = (try? tests.condition(line.condition, isWider: true)) ?? [[]]
        return alternatives.map { .refusal(line.number...line.number, tests: $0) }
    }

    private static func action(
        _ words: [String],
        of line: ClosedRange<Int>,
        with tests: inout HAProxyTests
    ) throws(Unsaid) -> ImportedRule {
        switch words[0] {
        case "use_backend" where words.count == 2 && words[1].contains("%["):
            return ImportedRule(line, .proxy("http://\(try tests.maps.backend(words[1]))", path: nil))
        case "use_backend", "default_backend":
            guard words.count == 2, HAProxyImport.isName(words[1]) else {
                throw Unsaid("a backend that this file does not have")
            }
            return ImportedRule(line, .proxy("http://\(words[1])", path: nil))
        case "redirect": return try redirect(words.dropFirst(), of: line, with: &tests)
        case "block": return .refusal(line)
        default: return try request(words, of: line, with: &tests)
        }
    }

    private static func request(
        _ words: [String],
        of line: ClosedRange<Int>,
        with tests: inout HAProxyTests
    ) throws(Unsaid) -> ImportedRule {
        guard words.count > 1 else { throw Unsaid("it does nothing") }
        let options = options(words.dropFirst(2))
        switch words[1] {
        case "redirect": return try redirect(words.dropFirst(2), of: line, with: &tests)
        case "deny", "tarpit":
            let status = options["deny_status"] ?? options["status"] ?? ""
            return ImportedRule(line, .respond(Int(status) ?? (words[1] == "deny" ? 403 : 500)))
        case "reject", "silent-drop": return ImportedRule(line, .respond(444))
        case "return":
            let text = options["string"] ?? options["lf-string"]
            return ImportedRule(line, .respond(Int(options["status"] ?? "200") ?? 200, try text.map(value)))
        case "set-path" where words.count == 3:
            return ImportedRule(line, .rewrite(try value(words[2]), .next))
        case "replace-path" where words.count == 4:
            // The expression may match anywhere; what replaces it is the whole path.
            let target = try value(words[3].replacing("\\", with: "\u{1}")).replacing("\u{1}", with: "$")
            return ImportedRule(line, .rewrite(target, .next), pattern: .init(expression: words[2]))
        case "set-header" where words.count == 4:
            throw Unsaid("a header of the request: write proxy_set_header")
        default: throw Unsaid("the action \(words[1])")
        }
    }

    private static func redirect(
        _ words: ArraySlice<String>,
        of line: ClosedRange<Int>,
        with tests: inout HAProxyTests
    ) throws(Unsaid) -> ImportedRule {
        let options = options(words)
        let status = Int(options["code"] ?? "302") ?? 302
        let isRewrite = status == 301 || status == 302
        guard options["set-cookie"] == nil, options["clear-cookie"] == nil, options["append-slash"] == nil else {
            throw Unsaid("an option of the redirect")
        }
        var rule = ImportedRule(line, .stop)
        var target: String
        if let scheme = options["scheme"] {
            target = "\(try value(scheme))://$host$1"
        } else if let prefix = options["prefix"] {
            // A slash alone stands for no prefix.
            target = "\(prefix == "/" ? "" : try value(prefix))$1"
        } else if let location = options["location"] {
            if let match = location.wholeMatch(of: #/([^%\[\]]*)%\[([^\[\]]+)\]([^%\[\]]*)/#),
                HAProxyMaps.isConverted(String(match.2))
            {
                return try redirect(to: (match.1, String(match.2), match.3), status: status, of: line, with: &tests)
            }
            target = try value(location)
            if target.contains("$uri"), isRewrite {
                // A group keeps the escapes of the path.
                rule.pattern = ImportedRule.Pattern(expression: "^(.*)$")
                target = target.replacing("$uri", with: "$1")
            }
            // A location has no other query than its own.
            rule.action = .redirect(status, isRewrite ? target + "?" : target)
            return rule
        } else {
            throw Unsaid("a redirect without a target")
        }
        rule.pattern = ImportedRule.Pattern(expression: "^(.*)$")
        let hasQuery = options["drop-query"] == nil
        if isRewrite {
            rule.action = .redirect(status, target + (hasQuery ? "" : "?"))
        } else {
            rule.action = .redirect(status, rule.keepingGroups(of: target) + (hasQuery ? "$is_args$args" : ""))
        }
        return rule
    }

    /// A redirect to what a map has for a sample, with texts around it.
    private static func redirect(
        to location: (start: Substring, sample: String, end: Substring),
        status: Int,
        of line: ClosedRange<Int>,
        with tests: inout HAProxyTests
    ) throws(Unsaid) -> ImportedRule {
        guard !location.start.contains("$"), !location.end.contains("$") else { throw Unsaid("a text with a $ in it") }
        let variable = try tests.maps.variable(location.sample)
        guard try HAProxyMaps.hasDefault(location.sample) || tests.found.contains(variable) else {
            throw Unsaid("a map without a default, whose value is not tested with -m found")
        }
        var rule = ImportedRule(line, .redirect(status, "\(location.start)${\(variable.dropFirst())}\(location.end)"))
        rule.hasWholeTarget = true
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
    private static func value(_ text: String) throws(Unsaid) -> String {
        guard !text.contains("$") else { throw Unsaid("a text with a $ in it") }
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
            else { throw Unsaid("a sample in a text") }
            result += variable
            rest = rest[rest.index(after: end)...]
        }
        return result
    }
}
