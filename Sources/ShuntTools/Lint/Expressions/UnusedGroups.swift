import Shunt
import ShuntPatterns

extension LintSubject {
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
