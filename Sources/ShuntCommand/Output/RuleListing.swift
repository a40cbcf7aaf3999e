import Shunt

/// The rules of a rule set, for reading.
enum RuleListing {
    /// The widest that a column gets.
    private static let columnWidth = 60

    /// One line for each rule: place, kind, matcher, target, how it is found, the blocks around it, and its note.
    static func text(_ rules: [ListedRule], style: Style) -> String {
        let rows = rules.map { rule in
            [
                rule.location.description, rule.kind, rule.matcher ?? "", rule.target.map { "→ \($0)" } ?? "",
                rule.lookup.rawValue, rule.context.map { "in \($0)" } ?? "",
            ]
            .map { ShownBytes.text(Array($0.utf8)) }
        }
        var widths = [0, 0, 0, 0, 0, 0]
        for row in rows {
            for (index, text) in row.enumerated() {
                widths[index] = min(columnWidth, max(widths[index], text.unicodeScalars.count))
            }
        }
        var result = ""
        for (row, rule) in zip(rows, rules) {
            let note = rule.note.map { style(Self.text($0), .faint) } ?? ""
            var line = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ") + "  " + note
            while line.hasSuffix(" ") { line.removeLast() }
            result += line + "\n"
        }
        return result
    }

    private static func text(_ note: RuleNote) -> String {
        let words = note.entries.map { entry in
            entry.key == "allow" ? "allow \(entry.value)" : "\(entry.key)=\(entry.value)"
        }
        return ShownBytes.text(Array(words.joined(separator: " ").utf8))
    }

    /// A rule for programs: one object on a line.
    static func json(_ rule: ListedRule) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("file", rule.location.file)
        writer.member("line", rule.location.line)
        writer.member("column", rule.location.column)
        writer.member("kind", rule.kind)
        if let matcher = rule.matcher { writer.member("matcher", matcher) }
        if let target = rule.target { writer.member("target", target) }
        if let context = rule.context { writer.member("in", context) }
        writer.member("lookup", rule.lookup.rawValue)
        if let note = rule.note {
            writer.name("note")
            write(note, to: &writer)
        }
        writer.endObject()
        writer.newline()
        return writer.bytes
    }

    private static func write(_ note: RuleNote, to writer: inout JSONWriter) {
        writer.beginObject()
        var allowed: [String] = []
        var written: Set<String> = []
        for entry in note.entries {
            if entry.key == "allow" {
                allowed.append(entry.value)
            } else if written.insert(entry.key).inserted {
                writer.member(entry.key, entry.value)
            }
        }
        if !allowed.isEmpty {
            writer.name("allow")
            writer.beginArray()
            for check in allowed { writer.string(check) }
            writer.endArray()
        }
        writer.endObject()
    }
}
