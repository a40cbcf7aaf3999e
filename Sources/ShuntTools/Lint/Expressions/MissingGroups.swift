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
}
