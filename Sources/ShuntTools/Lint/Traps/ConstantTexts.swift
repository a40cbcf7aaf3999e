import ShuntRules

/// The variables that one `set` sets to a value without variables, with these values.
struct ConstantTexts {
    private var values: [Substring: String] = [:]

    init(_ tree: RuleDocument) {
        var counts: [String: Int] = [:]
        let sets = (tree.named["set"] ?? []).map { tree.nodes[$0].arguments.map(\.text) }.filter { $0.count == 2 }
        for words in sets { counts[words[0], default: 0] += 1 }
        for words in sets where counts[words[0]] == 1 && !words[1].contains("$") {
            values[words[0].dropFirst()] = words[1]
        }
    }

    /// A text with the values in the place of their variables.
    func filled(_ text: String) -> String {
        text.contains("$")
            ? text.replacing(/\$\{?([A-Za-z0-9_]+)\}?/) { match in values[match.1] ?? String(match.0) } : text
    }
}
