import Shunt

enum RuleListing {
    /// The widest that a column gets.
    private static let columnWidth = 60

    /// One line for each rule: place, kind, matcher, target, how it is found, the blocks around it, and its note.
    static func text(_ rules: [ListedRule], style: Style) -> String {
        var table = TextTable(maximum: columnWidth)
        for rule in rules {
            let cells = [
                rule.location.description, rule.kind, rule.matcher ?? "", rule.target.map { "→ \($0)" } ?? "",
                rule.lookup.rawValue, rule.context.map { "in \($0)" } ?? "",
            ]
            table.add(cells.map { ShownBytes.text($0) } + [rule.note.map { style(text($0), .faint) } ?? ""])
        }
        return table.text
    }

    private static func text(_ note: RuleNote) -> String {
        let words = note.entries.map { entry in
            entry.key == "allow" ? "allow \(entry.value)" : "\(entry.key)=\(entry.value)"
        }
        return ShownBytes.text(words.joined(separator: " "))
    }
}
