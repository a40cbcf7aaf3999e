import Shunt

extension LintSubject {
    func unusedDefinition() -> [LintFound] {
        let read = namesRead()
        return tree.nodes.compactMap { node in
            let word: Word?
            switch node.name {
            case "map", "geo", "split_clients": word = node.arguments.last
            case "input": word = node.arguments.first
            case "upstream":
                guard let name = node.arguments.first, !usesUpstream(name.text) else { return nil }
                return LintFound(name, "no rule sends anything to \(name.text)", advice: "remove it")
            default: return nil
            }
            guard let word, word.bytes.first == UInt8(ascii: "$"), !read.contains(word.text.dropFirst().lowercased())
            else { return nil }
            return LintFound(word, "nothing reads \(word.text)", advice: "remove it, or use it")
                .fixed(by: node.name != "input" ? removal(of: node.position) : [])
        }
    }

    private func usesUpstream(_ name: String) -> Bool {
        tree.nodes.contains { node in
            node.name.hasSuffix("_pass")
                && node.arguments.contains { $0.text.contains(name) || $0.text.contains("$") }
        }
    }

    /// The variables that some word mentions, but for the variable that a definition defines.
    private func namesRead() -> Set<String> {
        var read: Set<String> = []
        for node in tree.nodes {
            var words = node.arguments
            switch node.name {
            case "map", "geo", "split_clients": words.removeLast(min(1, words.count))
            case "input": words.removeFirst(min(1, words.count))
            case "set": words.removeFirst(min(1, words.count))
            default: words.append(node.directive.name)
            }
            // The value of a map may be the name of a variable.
            for word in words {
                for part in word.text.lowercased().split(separator: "$")
                    .dropFirst(word.bytes.first == UInt8(ascii: "$") ? 0 : 1)
                {
                    let name = part.drop { $0 == "{" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                    read.insert(String(name))
                }
            }
        }
        return read
    }
}
