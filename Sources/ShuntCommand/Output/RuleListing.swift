import Shunt

/// The rules of a rule set, for reading.
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

    /// A rule for programs: one object on a line.
    static func json(_ rule: ListedRule) -> [UInt8] {
        let members: JSONObject = [
            "kind": rule.kind, "matcher": rule.matcher, "target": rule.target, "in": rule.context,
            "lookup": rule.lookup.rawValue, "note": rule.note.map(object),
        ]
        return rule.location.members.adding(members).line
    }

    private static func object(_ note: RuleNote) -> JSONObject {
        let allowed = note.entries.filter { $0.key == "allow" }.map(\.value)
        var written: Set<String> = ["allow"]
        let others = note.entries.filter { written.insert($0.key).inserted }.map { ($0.key, $0.value) }
        return JSONObject(others).adding(["allow": allowed.isEmpty ? nil : allowed])
    }
}
