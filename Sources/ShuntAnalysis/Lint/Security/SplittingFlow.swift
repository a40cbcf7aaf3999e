import ShuntCore
import ShuntPatterns
import ShuntRules

/// Where decoded values come into headers that nginx sends: seen in what is written.
///
/// nginx sends a line feed in a header as it is; there is no request to ask Shunt with that shows it.
struct SplittingFlow {
    private let subject: LintSubject

    init(_ subject: LintSubject) {
        self.subject = subject
    }

    /// The words that may put a line feed into a header, each with the variable.
    var found: [(word: Word, variable: String)] {
        var result: [(Word, String)] = []
        for (index, node) in subject.tree.nodes.enumerated() {
            for word in Self.texts(of: node) {
                if let name = variables(in: word.text).first(where: { mayHoldLineFeed($0, in: index) }) {
                    result.append((word, name))
                }
            }
        }
        return result
    }

    /// The words of a directive that come into a header.
    private static func texts(of node: DirectiveTree.Node) -> [Word] {
        let words = node.arguments
        switch node.name {
        case "return":
            return words.count > 1 && words[0].text.hasPrefix("3") ? [words[1]] : words.count == 1 ? words : []
        case "rewrite": return words.count > 1 ? [words[1]] : []
        case "add_header", "proxy_set_header", "more_set_headers", "add_trailer": return Array(words.dropFirst())
        case "proxy_pass": return words
        default: return []
        }
    }

    private func variables(in text: String) -> [String] {
        text.split(separator: "$", omittingEmptySubsequences: false).dropFirst()
            .compactMap { part in
                let isNumber = part.first?.isNumber == true
                let name = part.drop { $0 == "{" }
                    .prefix { isNumber ? $0.isNumber : $0.isLetter || $0.isNumber || $0 == "_" }
                return name.isEmpty ? nil : name.lowercased()
            }
    }

    private func mayHoldLineFeed(_ name: String, in index: Int) -> Bool {
        if name == "uri" || name == "document_uri" { return subject.tree.nodes[index].name != "rewrite" }
        for (expression, group) in groups(name, around: index) {
            guard let node = group(expression) else { continue }
            return node.mayHoldLineFeed
        }
        return assigned(name, index)
    }

    /// Whether a `set` gives a variable such a value.
    private func assigned(_ name: String, _ index: Int) -> Bool {
        (subject.tree.named["set"] ?? [])
            .contains { other in
                let words = subject.tree.nodes[other].arguments
                guard words.count == 2, words[0].text.lowercased() == "$" + name, other != index else { return false }
                return variables(in: words[1].text)
                    .contains { inner in
                        inner == "uri" || inner == "document_uri"
                            || inner != name
                                && groups(inner, around: other).contains { $0.1($0.0)?.mayHoldLineFeed == true }
                    }
            }
    }

    /// The expressions whose groups a name may be, the nearest first, each with what finds the group.
    private func groups(_ name: String, around index: Int) -> [(PatternNode, (PatternNode) -> PatternNode?)] {
        var found: [(PatternNode, (PatternNode) -> PatternNode?)] = []
        for node in [index] + subject.tree.ancestors(of: index) {
            guard let text = Self.pathExpression(of: subject.tree.nodes[node]),
                let expression = try? RegularExpression(text, caseless: false), let tree = try? PatternNode(expression)
            else { continue }
            let number = Int(name) ?? expression.captureNames.first { $0.name == Array(name.utf8) }?.number
            guard let number, number <= expression.captureCount else { continue }
            found.append((tree, { $0.group(number) }))
        }
        return found
    }

    /// The expression of a directive that is matched with the decoded path.
    private static func pathExpression(of node: DirectiveTree.Node) -> [UInt8]? {
        switch node.name {
        case "rewrite": return node.arguments.first?.bytes
        case "location":
            return node.arguments.count == 2 && node.arguments[0].text.hasPrefix("~") ? node.arguments[1].bytes : nil
        case "if":
            guard node.arguments.count == 3, ["($uri", "($document_uri"].contains(node.arguments[0].text),
                ["~", "~*"].contains(node.arguments[1].text)
            else { return nil }
            return Array(node.arguments[2].bytes.dropLast())
        default: return nil
        }
    }
}

extension PatternNode {
    /// The content of a group.
    func group(_ number: Int) -> PatternNode? {
        if case .capture(let inner, number) = self { return inner }
        for part in parts { if let found = part.group(number) { return found } }
        return nil
    }

    /// Whether some byte of it may be a line feed.
    var mayHoldLineFeed: Bool {
        switch self {
        case .set(let set): set.contains(0x0a)
        case .literal(let text, _): text.contains(0x0a)
        case .lineBreak, .backreference: true
        case .lookaround: false
        default: parts.contains(where: \.mayHoldLineFeed)
        }
    }
}
