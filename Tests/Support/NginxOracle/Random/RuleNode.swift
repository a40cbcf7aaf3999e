/// One directive of a generated rule set: words as in the text, and the block after them, if any.
///
/// A tree of them can be shrunk.
package struct RuleNode: Sendable, Hashable {
    package var words: [String]
    package var children: [RuleNode]?

    package init(_ words: String..., children: [RuleNode]? = nil) {
        self.words = words
        self.children = children
    }

    package init(words: [String], children: [RuleNode]? = nil) {
        self.words = words
        self.children = children
    }

    /// The text of some nodes, one directive a line.
    package static func render(_ nodes: [RuleNode], depth: Int = 0) -> String {
        let indent = String(repeating: "    ", count: depth)
        return
            nodes.map { node in
                let words = indent + node.words.joined(separator: " ")
                guard let children = node.children else { return words + ";\n" }
                if children.isEmpty { return words + " { }\n" }
                return words + " {\n" + render(children, depth: depth + 1) + indent + "}\n"
            }
            .joined()
    }

    /// A word for the rule text: quoted where it has to be.
    package static func quoted(_ text: String) -> String {
        let special: Set<Character> = [" ", ";", "{", "}", "\t", "\n", "\"", "'", "#"]
        guard text.isEmpty || text.contains(where: special.contains) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
    }
}
