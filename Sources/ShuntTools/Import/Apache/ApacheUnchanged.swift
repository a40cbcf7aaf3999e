/// Rules that may leave the path unchanged: rewriting ends there in Apache, and would begin again here.
enum ApacheUnchanged {
    /// The rules in the place of one whose captures may be the path that it is tried on; nil for others.
    static func rules(for rule: ImportedRule) -> [ImportedRule]? {
        guard case .rewrite(let text, let continuation) = rule.action, continuation != .break,
            let pattern = rule.pattern, !pattern.isNegated, isPossible(pattern.expression, text)
        else { return nil }
        var same = rule
        var target = text
        if !rule.testsPathFirst {
            same.pattern?.expression = ImportedExpression.naming(pattern.expression, "path")
            same.testsPathFirst = true
            target = text.replacing(#/\$\{?(\d)\}?/#) { "${path_\($0.1)}" }
        }
        let path = String(target.prefix { $0 != "?" })
        same.tests.append([ImportedTest(path, .equals("$uri"))])
        if continuation == .last {
            same.action = text.contains("?") ? .rewrite(target, .break) : .stop
            return [same, rule]
        }
        // The rules after it see the path, which is not looked up again.
        guard !text.contains("?") else { return nil }
        var changed = same
        changed.action = .rewrite(target, .next)
        changed.tests[changed.tests.count - 1][0].isNegated = true
        same.action = .set
        return rule.sets.isEmpty ? [changed] : [same, changed]
    }

    /// Returns true if a target is the path where the parts of the expression that may be missing are.
    private static func isPossible(_ expression: String, _ target: String) -> Bool {
        let path = String(target.prefix { $0 != "?" })
        if path == "$uri" { return true }
        guard path.contains(#/\$\{?(path_)?\d/#),
            path.matches(of: #/\$/#).count == path.matches(of: #/\$\{?(path_)?\d/#).count
        else { return false }
        let shown = path.replacing(#/\$\{?(?:path_)?(\d)\}?/#) { "\u{1}\($0.1)" }
        var number = 0
        return ImportedExpression.alternatives(expression)
            .contains { text in
                let form = form(ImportedExpression.pieces(text)[...], number: &number)
                let end = text.hasSuffix("$") || text.hasSuffix("*") || text.hasSuffix("*)") ? "" : ".*"
                return ImportedExpression.matches("^(?:\(form)\(end))$", shown)
            }
    }

    /// An expression with a sign in the place of each group, and without the parts that may be missing.
    private static func form(_ pieces: ArraySlice<String>, number: inout Int) -> String {
        var result = ""
        var rest = pieces
        while let piece = rest.popFirst() {
            var text = piece
            if piece == "^" || piece == "$" { continue }
            if piece == "(" {
                let inner = rest.prefix(ImportedExpression.groupLength(rest))
                rest = rest.dropFirst(inner.count + 1)
                let isCapture = inner.first != "?" || inner.joined().hasPrefix("?<path_")
                if isCapture { number += 1 }
                text = "\u{1}\(number)"
                let content = ImportedExpression.pieces(ImportedExpression.content(ofGroup: inner.joined()))[...]
                // The groups inside have their numbers, too.
                if content.contains("(") || !isCapture {
                    let form = form(content, number: &number)
                    if !isCapture { text = "(?:\(form))" }
                }
            }
            let isOptional = rest.first == "?" || rest.first == "*"
            text += ImportedExpression.takeQuantifiers(&rest).filter { $0 == "+" }.joined()
            result += isOptional ? "" : text
        }
        return result
    }

    /// The test of a front controller that has the path after its name: what is below it is the file in Apache.
    static func frontFile(of rule: ImportedRule) -> ImportedTest? {
        guard case .rewrite(let text, _) = rule.action, let match = text.prefixMatch(of: #/(\/[^$?]*\.\w+)\//#),
            rule.isForMissingFiles
        else { return nil }
        let file = ImportedExpression.literal(String(match.1))
        return ImportedTest("$uri", .matches("^\(file)(?:/|$)"), isNegated: true)
    }
}
