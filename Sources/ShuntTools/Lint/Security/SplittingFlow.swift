import Shunt
import ShuntPatterns

/// The place where decoded values come into headers that nginx sends: seen in what is written.
///
/// nginx sends a line feed in a header unchanged; there is no request to ask Shunt with that shows it.
struct SplittingFlow {
    private let subject: LintSubject

    init(_ subject: LintSubject) { self.subject = subject }

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
    private static func texts(of node: RuleDocument.Node) -> [Word] {
        let words = node.arguments
        switch node.name {
        case "return":
            return words.count > 1 && words[0].text.hasPrefix("3") ? [words[1]] : words.count == 1 ? words : []
        case "rewrite":
            guard words.count > 1 else { return [] }
            return words[words.count - 1].isRedirectFlag || words[1].beginsWithScheme ? [words[1]] : []
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
        if name == "uri" || name == "document_uri" { return true }
        // nginx escapes numbered groups in the target of a redirect, and no variables.
        if subject.tree.nodes[index].name == "rewrite", Int(name) != nil { return false }
        for groups in groups(around: index) {
            if let node = groups.group(name) { return node.mayHoldLineFeed }
        }
        return assigned(name, index) || mapped(name)
    }

    /// Returns true if a `map` sets a variable to such a value.
    private func mapped(_ name: String, depth: Int = 0) -> Bool {
        guard depth < 4 else { return false }
        for map in subject.tree.named["map"] ?? [] {
            let node = subject.tree.nodes[map]
            guard node.arguments.count == 2, node.arguments[1].text.lowercased() == "$" + name else { continue }
            let isPath = ["$uri", "$document_uri"].contains(node.arguments[0].text)
            for entry in node.children {
                let key = subject.tree.nodes[entry].directive.name.bytes
                let names = subject.tree.nodes[entry].arguments.first.map { variables(in: $0.text) } ?? []
                if names.contains("uri") || names.contains("document_uri") { return true }
                for other in names where other != name {
                    if mapped(other, depth: depth + 1) { return true }
                }
                guard isPath, key.first == UInt8(ascii: "~"),
                    let groups = Self.tree(Array(key.drop { "~*".utf8.contains($0) }))
                else { continue }
                for other in names {
                    if groups.group(other)?.mayHoldLineFeed == true { return true }
                }
            }
        }
        return false
    }

    /// An expression with its groups, by number and by name.
    private static func tree(_ text: [UInt8]) -> Groups? {
        guard let expression = try? RegularExpression(text, caseless: false), let tree = try? PatternNode(expression)
        else { return nil }
        return Groups(expression: expression, tree: tree)
    }

    private struct Groups {
        var expression: RegularExpression
        var tree: PatternNode

        func group(_ name: String) -> PatternNode? {
            let number = Int(name) ?? expression.captureNames.first { $0.name == Array(name.utf8) }?.number
            return number.flatMap { tree.group($0) }
        }
    }

    /// Returns true if a `set` sets a variable to such a value.
    private func assigned(_ name: String, _ index: Int) -> Bool {
        for other in subject.tree.named["set"] ?? [] where other != index {
            let words = subject.tree.nodes[other].arguments
            guard words.count == 2, words[0].text.lowercased() == "$" + name else { continue }
            for inner in variables(in: words[1].text) where inner != name {
                if inner == "uri" || inner == "document_uri" { return true }
                if groups(around: other).contains(where: { $0.group(inner)?.mayHoldLineFeed == true }) { return true }
            }
        }
        return false
    }

    /// The expressions whose groups may be read, the nearest first.
    private func groups(around index: Int) -> [Groups] {
        ([index] + subject.tree.ancestors(of: index))
            .compactMap { node in
                Self.pathExpression(of: subject.tree.nodes[node]).flatMap(Self.tree)
            }
    }

    /// The expression of a directive that is matched with the decoded path.
    private static func pathExpression(of node: RuleDocument.Node) -> [UInt8]? {
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

    /// True if some byte of it may be a line feed.
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
