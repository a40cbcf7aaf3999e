/// Rules that Apache does not apply to what `DirectoryIndex` looks up: with `R` or `NS`.
enum ApacheIndex {
    /// The test that a path was not found by an index; nil where the rule decides alike for it.
    static func exception(for rule: ImportedRule, names: Set<String>) -> ImportedTest? {
        let expressions = ([rule.pattern?.expression ?? ""] + rule.tests.joined().compactMap(\.pathExpression))
        let folders = Set(["/", "/x/", "/x/y/"] + expressions.map { folder(of: ImportedExpression.sample($0)) })
        let found = names.sorted()
            .filter { name in folders.contains { holds(rule, for: $0 + name) && !holds(rule, for: $0) } }
        guard !found.isEmpty else { return nil }
        let all = found.map(ImportedExpression.literal).joined(separator: "|")
        return ImportedTest("$request_uri $uri", .matches("^[^?]*/(?:\\?.*)? .*/(?:\(all))$"), isNegated: true)
    }

    private static func folder(of path: String) -> String {
        let end = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return end.hasPrefix("/") ? String(end) : "/\(end)"
    }

    /// Returns true if a rule may apply to a path that exists; what is not a test of the path holds.
    private static func holds(_ rule: ImportedRule, for path: String) -> Bool {
        let isFolder = path.hasSuffix("/")
        let passes = rule.tests.allSatisfy { group in
            group.contains { test in
                let holds: Bool
                switch (test.subject, test.kind) {
                case ("$request_filename", .file): holds = !isFolder
                case ("$request_filename", .directory): holds = isFolder
                case ("$request_filename", .fileOrDirectory): holds = true
                case ("$uri", .matches(let text, let ignoresCase)):
                    holds = ImportedExpression.matches(text, path, ignoresCase: ignoresCase)
                case ("$uri", .equals(let text)) where !text.hasPrefix("$"): holds = text == path
                case ("$request", .matches(let text, let ignoresCase)):
                    let line = "GET \(folder(of: path)) HTTP/1.1"
                    holds = ImportedExpression.matches(text, line, ignoresCase: ignoresCase)
                default: return true
                }
                return holds != test.isNegated
            }
        }
        return passes && rule.pattern?.holds(for: path) != false
    }
}

extension ImportedExpression {
    /// A text that an expression most likely matches: the shortest one of its first alternatives.
    static func sample(_ expression: String) -> String {
        var result = ""
        var rest = pieces(alternatives(expression)[0])[...]
        while let piece = rest.popFirst() {
            var text: String
            switch piece {
            case "^", "$", "\\b", "\\B", "\\A", "\\z", "\\Z": continue
            case "(":
                let inner = rest.prefix(groupLength(rest))
                rest = rest.dropFirst(inner.count + 1)
                text = sample(content(ofGroup: inner.joined()))
            default:
                text =
                    piece.count == 1 && piece != "."
                    ? piece
                    : ["x", "7", "/", "-", ".", "X", "_"]
                        .first { matches("^(?:\(piece))$", $0) } ?? String(piece.last ?? "x")
            }
            if ["?", "*"].contains(rest.first) { text = "" }
            _ = takeQuantifiers(&rest)
            result += text
        }
        return result
    }

    /// The content of a group, without the sign of its kind; empty for one that takes no part of the text.
    static func content(ofGroup text: String) -> String {
        guard text.hasPrefix("?") else { return text }
        guard let match = text.prefixMatch(of: #/\?(?:[a-z]*:|P?<\w+>)/#) else { return "" }
        return String(text[match.range.upperBound...])
    }
}
