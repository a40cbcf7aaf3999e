import Shunt

extension LintCheck {
    static let unusedDefinition = LintCheck(
        "unused-definition",
        group: .order,
        severity: .note,
        basis: .structure
    ) { subject in
        let read = namesRead(subject)
        var found: [LintFound] = []
        for node in subject.tree.nodes {
            let word: Word?
            switch node.name {
            case "map", "geo", "split_clients": word = node.arguments.last
            case "input": word = node.arguments.first
            case "upstream":
                guard let name = node.arguments.first, !usesUpstream(name.text, subject) else { continue }
                found.append(LintFound(name, "no rule sends anything to \(name.text)", advice: "remove it"))
                continue
            default: continue
            }
            guard let word, word.bytes.first == UInt8(ascii: "$"), !read.contains(word.text.dropFirst().lowercased())
            else { continue }
            var finding = LintFound(word, "nothing reads \(word.text)", advice: "remove it, or use it")
            if node.name != "input" { finding.edits = subject.removal(of: node.position) }
            found.append(finding)
        }
        return found
    }

    private static func usesUpstream(_ name: String, _ subject: LintSubject) -> Bool {
        subject.tree.nodes.contains { node in
            node.name.hasSuffix("_pass")
                && node.arguments.contains { $0.text.contains(name) || $0.text.contains("$") }
        }
    }

    /// The variables that some word mentions, but for the one that a definition defines.
    private static func namesRead(_ subject: LintSubject) -> Set<String> {
        var read: Set<String> = []
        for node in subject.tree.nodes {
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
