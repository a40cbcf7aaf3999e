/// Writes a rule of another server in the idioms of nginx's language, which has neither `&&` nor nested tests.
struct RuleIdioms {
    private let rule: ImportedRule
    private let name: String
    private(set) var lines: [String] = []

    /// The lines of a rule.
    init(_ rule: ImportedRule) {
        self.rule = rule
        name = "rule_\(rule.lines.upperBound)"
        write()
    }

    // MARK: Words

    /// A word of the rule language, in quotes where it needs them.
    static func word(_ text: String) -> String {
        let needsQuotes =
            text.isEmpty || text.contains { " \t;{}".contains($0) || $0.isNewline }
            || "\"'#".contains(text.first ?? " ")
        let isQuoted = needsQuotes && !isVariableInBraces(text)
        var escaped = ""
        var rest = text[...]
        while let next = rest.popFirst() {
            // A backslash is lost before these, and would keep what follows in the word at its end.
            let isEscaped = next == "\\" && "\\\"'trn".contains(rest.first ?? "\\") || isQuoted && next == "\""
            escaped += isEscaped ? "\\\(next)" : "\(next)"
        }
        return isQuoted ? "\"\(escaped)\"" : escaped
    }

    private static func isVariableInBraces(_ text: String) -> Bool {
        !text.contains { " \t;".contains($0) } && !text.isEmpty
            && text.replacing(#/\$\{\w+\}/#, with: "").allSatisfy { !"{}\"'#".contains($0) }
    }

    // MARK: Tests

    private func condition(_ test: ImportedTest, _ subject: String) -> String {
        let sign = test.isNegated ? "!" : ""
        switch test.kind {
        case .matches(let expression, let ignoresCase):
            return "\(subject) \(sign)~\(ignoresCase ? "*" : "") \(Self.word(expression))"
        case .equals(let text): return "\(subject) \(sign)= \(Self.word(text))"
        case .isTrue: return test.isNegated ? "\(subject) = \"\"" : subject
        case .file: return "\(sign)-f \(Self.word(subject))"
        case .directory: return "\(sign)-d \(Self.word(subject))"
        case .fileOrDirectory: return "\(sign)-e \(Self.word(subject))"
        }
    }

    /// The condition of a test; a subject of several parts becomes a variable before it.
    private mutating func condition(_ test: ImportedTest) -> String {
        if test.isOfFiles || test.subject.wholeMatch(of: #/\$\w+/#) != nil { return condition(test, test.subject) }
        let variable = "$\(name)_value"
        lines.append("set \(variable) \(Self.word(test.subject));")
        return condition(test, variable)
    }

    // MARK: Rules

    /// True if the expression on the path is that of a `rewrite`, and needs no separate test.
    private var carriesPattern: Bool {
        guard rule.keptGroups.isEmpty, rule.sets.isEmpty, !rule.testsPathFirst, !rule.hasWholeTarget,
            rule.pattern?.isNegated != true
        else { return false }
        switch rule.action {
        case .rewrite: return true
        case .redirect(let status, _): return status == 301 || status == 302
        case .respond, .proxy, .stop, .set: return false
        }
    }

    private mutating func write() {
        var groups = rule.tests
        var body = statements
        if let pattern = rule.pattern, !carriesPattern {
            let test = ImportedTest(
                "$uri",
                .matches(pattern.expression, ignoresCase: pattern.ignoresCase),
                isNegated: pattern.isNegated
            )
            groups.insert([test], at: rule.testsPathFirst ? 0 : groups.count)
        }
        guard let last = groups.last else {
            lines += kept + body
            return
        }
        body = (rule.pattern == nil || carriesPattern ? [] : kept) + body
        if groups.count == 1, last.count == 1 {
            append("if (\(condition(last[0])))", body)
        } else {
            writeJoined(groups, body)
        }
    }

    /// The directives that keep groups of the expression.
    private var kept: [String] { rule.keptGroups.map { "set $rest_\($0) $\($0);" } }

    /// Sets a variable where one of tests is passed.
    private mutating func set(_ variable: String, to value: String, where tests: [ImportedTest], after: [String] = []) {
        for test in tests { append("if (\(condition(test)))", after + ["set \(variable) \(Self.word(value));"]) }
    }

    private mutating func writeJoined(_ groups: [[ImportedTest]], _ body: [String]) {
        if groups.count == 1 {
            lines.append("set $\(name) 0;")
            set("$\(name)", to: "1", where: groups[0])
            append("if ($\(name))", body)
            return
        }
        lines.append("set $\(name) \"\";")
        var whole = ""
        for (index, group) in groups.enumerated() {
            let isPattern =
                index == (rule.testsPathFirst ? 0 : groups.count - 1) && rule.pattern != nil && !carriesPattern
            let letter = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(truncatingIfNeeded: index % 26)))
            let value = whole.isEmpty ? letter : "${\(name)}\(letter)"
            whole += letter
            if group.count == 1 || index == 0 {
                set("$\(name)", to: value, where: group, after: isPattern ? kept : [])
            } else {
                let any = "$\(name)_\(letter)"
                lines.append("set \(any) 0;")
                set(any, to: "1", where: group)
                append("if (\(any))", ["set $\(name) \(Self.word(value));"])
            }
        }
        append("if ($\(name) = \(whole))", body.filter { !$0.hasPrefix("set $rest_") })
    }

    private mutating func append(_ head: String, _ body: [String]) {
        if body.count == 1 {
            lines.append("\(head) { \(body[0]) }")
        } else {
            lines += ["\(head) {"] + body.map { "    \($0)" } + ["}"]
        }
    }

    /// The directives where the tests are passed.
    private var statements: [String] { rule.sets.map { "set $\($0.name) \(Self.word($0.value));" } + action }

    private var action: [String] {
        let expression =
            rule.pattern.flatMap { $0.isNegated ? nil : Self.word(($0.ignoresCase ? "(?i)" : "") + $0.expression) }
            ?? "^"
        switch rule.action {
        case .rewrite(let target, let continuation):
            let flag = continuation == .next ? "" : " \(continuation.rawValue)"
            return ["rewrite \(rule.testsPathFirst ? "^" : expression) \(Self.word(target))\(flag);"]
        case .redirect(let status, let target):
            if rule.keptGroups.isEmpty, !rule.hasWholeTarget, status == 301 || status == 302 {
                return ["rewrite \(expression) \(Self.word(target)) \(status == 301 ? "permanent" : "redirect");"]
            }
            return ["return \(status) \(Self.word(target));"]
        case .respond(let status, let body): return ["return \(status)\(body.map { " " + Self.word($0) } ?? "");"]
        case .proxy(let server, let path):
            // The first that applies decides, not the last.
            guard path != nil || rule.tests.isEmpty && rule.pattern == nil else {
                return ["proxy_pass \(Self.word(server));", "break;"]
            }
            return (path.map { ["rewrite \(expression) \(Self.word($0)) break;"] } ?? []) + [
                "proxy_pass \(Self.word(server));"
            ]
        case .stop: return ["break;"]
        case .set: return []
        }
    }
}
