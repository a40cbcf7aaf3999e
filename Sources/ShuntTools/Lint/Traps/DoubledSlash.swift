import ShuntRules

/// Slashes before variables that begin with one.
enum DoubledSlash {
    /// The words of a directive that have one, each with the variable.
    static func found(in index: Int, of subject: LintSubject, texts: ConstantTexts) -> [(Word, String)] {
        let tree = subject.tree
        let node = tree.nodes[index]
        if node.name == "map" {
            return node.children.flatMap { tree.nodes[$0].arguments }
                .compactMap { word in
                    variable(in: word.text, names: paths, isTarget: false).map { (word, $0) }
                }
        }
        var words = node.arguments
        var names = paths
        let first = words.first?.text ?? ""
        if node.name == "rewrite" {
            words.removeFirst()
            // All of the path, and a part that begins with a slash.
            if first.firstMatch(of: /^(?:\^?\(\.[*+]\)|\^\(\/\.[*+]\))\$?$/) != nil { names.append("1") }
        }
        // Without the slash the path stays in its location, for ever.
        if node.name == "rewrite", tree.block("location", around: index) != nil,
            words.count == 1 || words.last?.text == "last",
            words.first.map({ word in names.contains { ["/$\($0)", "/${\($0)}"].contains(word.text) } }) == true
        {
            return []
        }
        let isTarget =
            ["proxy_pass", "rewrite"].contains(node.name)
            || node.name == "return" && node.arguments.first?.isRedirectStatus == true
        return words.compactMap { word in
            let text = isTarget ? texts.filled(word.text) : word.text
            return variable(in: text, names: names, isTarget: isTarget).map { (word, $0) }
        }
    }

    private static let paths = ["request_uri", "uri", "document_uri"]

    /// The variable with a slash before it, where that slash is neither the first of a query nor of a scheme.
    private static func variable(in text: String, names: [String], isTarget: Bool) -> String? {
        for name in names.flatMap({ ["$\($0)", "${\($0)}"] }) {
            guard let range = text.firstRange(of: "/" + name) else { continue }
            let before = text[..<range.lowerBound]
            let rest = text[range.upperBound...]
            // A longer name is another variable.
            if !name.hasSuffix("}"), rest.first.map({ $0.isLetter || $0.isNumber || $0 == "_" }) == true { continue }
            let isDoubled = before.contains("://") || isTarget && !before.contains("?")
            if before.isEmpty && (isTarget || !text.contains("://")) || isDoubled && !before.hasSuffix("/") {
                return name
            }
        }
        return nil
    }
}
