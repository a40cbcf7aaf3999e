import Shunt
import ShuntPatterns

extension LintSubject {
    /// Directives of servers that read a group which no expression of their server has, nor one of the definitions around.
    ///
    /// A group may be that of any expression which matched before, so only what none of them can have is reported.
    func neverCaptured() -> [LintFound] {
        var most: [Int: Int] = [:]
        for (index, node) in tree.nodes.enumerated() {
            guard let pattern = Self.expression(of: node) else { continue }
            // What does not compile here has as many as anybody asks for.
            let count = (try? RegularExpression(pattern, caseless: false)).map(\.captureCount) ?? Int.max
            let server = tree.nodes[index].name == "server" ? index : tree.block("server", around: index)
            most[server ?? -1] = max(most[server ?? -1] ?? 0, count)
        }
        var found: [LintFound] = []
        for (index, node) in tree.nodes.enumerated() {
            // A rewrite is reported with its own expression.
            guard let server = tree.block("server", around: index), node.name != "rewrite",
                !["if", "location", "map", "server_name"].contains(node.name), !Self.hasOwnGroups.contains(node.name)
            else { continue }
            let groups = max(most[server] ?? 0, most[-1] ?? 0)
            for word in node.arguments {
                guard let number = Self.groupsRead(word.text).max(), number > groups else { continue }
                found.append(
                    LintFound(
                        word,
                        "$\(number) is always empty: no expression of this server has such a group",
                        advice: isComparedAsText(around: index)
                            ? "write ~ before the expression of the location" : "put parentheses around what is meant"
                    )
                )
            }
        }
        return found
    }

    /// Directives whose groups are of an expression in themselves.
    private static let hasOwnGroups: Set<String> = [
        "proxy_redirect", "proxy_cookie_domain", "proxy_cookie_path", "fastcgi_split_path_info", "sub_filter",
    ]

    /// Returns true if a directive is in a location whose text has groups, and is compared as text.
    private func isComparedAsText(around index: Int) -> Bool {
        tree.ancestors(of: index)
            .contains { node in
                let words = tree.nodes[node].arguments.map(\.text)
                return tree.nodes[node].name == "location" && words.first?.hasPrefix("~") != true
                    && words.last?.contains("(") == true
            }
    }

    /// Returns true if an expression around a directive has a group with a number.
    func isCaptured(_ number: Int, around position: SourcePosition) -> Bool {
        (tree.node(at: position).map(tree.ancestors) ?? [])
            .contains { node in
                let pattern = Self.expression(of: tree.nodes[node])
                let expression = pattern.flatMap { try? RegularExpression($0, caseless: false) }
                return (expression?.captureCount ?? 0) >= number
            }
    }

    /// The expression that a directive matches with; nil for one that has none.
    private static func expression(of node: RuleDocument.Node) -> [UInt8]? {
        let words = node.arguments.map(\.bytes)
        switch node.name {
        case "rewrite": return words.first
        case "location": return words.count > 1 && words[0].first == UInt8(ascii: "~") ? words[1] : nil
        case "if":
            let signs = words.indices.filter { index in
                ["~", "~*", "!~", "!~*"].contains { words[index] == Array($0.utf8) }
            }
            guard let sign = signs.first, sign + 1 < words.count else { return nil }
            // With several, or a parenthesis that may be another one, it does not compile, and stands for any number.
            if signs.count > 1 { return [UInt8(ascii: "(")] }
            let closes = sign + 2 == words.count && words[sign + 1].last == UInt8(ascii: ")")
            return closes ? Array(words[sign + 1].dropLast()) : words[sign + 1]
        case "server_name":
            let patterns = words.filter { $0.first == UInt8(ascii: "~") }
            return patterns.isEmpty ? nil : patterns.count == 1 ? Array(patterns[0].dropFirst()) : [UInt8(ascii: "(")]
        default:
            // The keys of a map are where names do.
            let name = node.directive.name.bytes
            return name.first == UInt8(ascii: "~") ? Array(name.dropFirst(name.starts(with: "~*".utf8) ? 2 : 1)) : nil
        }
    }

    /// The numbers of the groups that a text reads.
    private static func groupsRead(_ text: String) -> [Int] {
        text.afterDollars.map { $0.prefix { "0123456789".contains($0) } }
            .compactMap { digits in digits.count == 1 && digits != "0" ? Int(digits) : nil }
    }

    func unusedGroup() -> [LintFound] {
        written.compactMap { expression in
            let text = expression.text
            let unused = text.captures.filter { !expression.readGroups.contains($0) }
            guard !text.refersBack, !unused.isEmpty else { return nil }
            let last = expression.readGroups.max() ?? 0
            let names = unused.map { "$\($0)" }.joined(separator: ", ")
            let written = tree.nodes[expression.node].arguments.map(\.text).joined(separator: " ")
            let foreign = unused.first { group in
                written.contains("\\\(group)")
                    || written.ranges(of: "%\(group)").contains { written[$0.upperBound...].first?.isHexDigit != true }
            }
            if let foreign {
                let advice = "write $\(foreign) for \\\(foreign) and %\(foreign)"
                return LintFound(expression.word, "nothing reads \(names)", advice: advice)
            }
            let brackets = text.groups.filter { group in
                guard case .capture(let number) = group.kind else { return false }
                return number > last
            }
            return LintFound(
                expression.word,
                unused.count == 1 ? "nothing reads \(names)" : "nothing reads \(names) of this expression",
                advice: "write (?: for the bracket"
            )
            .fixed(by: expression.edits(brackets.map { ($0.open + 1..<$0.open + 1, "?:") }))
        }
    }

    func overlappingCaptures() -> [LintFound] {
        directives("rewrite").map(\.arguments)
            .compactMap { words in
                guard words.count >= 2, let text = ExpressionText(words[0].bytes) else { return nil }
                let target = words[1].text
                let isRedirect = words.count > 2 && words[2].isRedirectFlag || words[1].beginsWithScheme
                guard isRedirect || target.contains("?") else { return nil }
                let read = text.groups.filter { group in
                    switch group.kind {
                    case .capture(let number), .named(let number): target.contains("$\(number)")
                    default: false
                    }
                }
                let isNested = read.contains { outer in
                    read.contains { $0.open > outer.open && $0.end < outer.end }
                }
                guard isNested else { return nil }
                return LintFound(
                    words[1],
                    "one of these groups is inside another",
                    advice: "use one of the two, or nginx 1.30.2 or newer"
                )
            }
    }

    func unnamedGroups() -> [LintFound] {
        let nodes = tree.nodes
        return numbers(of: "rewrite")
            .compactMap { node in
                let words = nodes[node].arguments
                // With a flag nothing that follows is run.
                guard words.count == 2, words[1].text.contains("?") else { return nil }
                let siblings =
                    nodes[node].parent >= 0 ? Array(nodes[nodes[node].parent].children) : []
                let reader = siblings.filter { $0 > node }
                    .flatMap { nodes[$0].name == "if" ? [$0] + tree.descendants(of: $0) : [$0] }
                    .first { reader in
                        ["rewrite", "set", "return"].contains(nodes[reader].name)
                            && nodes[reader].arguments.dropFirst().contains(where: \.usesCaptures)
                    }
                guard let reader else { return nil }
                return LintFound(
                    words[1],
                    "after this question mark \(shown(nodes[reader].position)) reads a group by its number",
                    advice: "name the group: (?<name>…), or use nginx 1.30.2 or newer"
                )
            }
    }
}
