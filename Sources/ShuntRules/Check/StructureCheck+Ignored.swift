import ShuntCore

extension StructureCheck {
    mutating func countIgnored(_ name: Word, _ reason: String?) {
        let text = name.text
        if ignored[text] == nil { ignoredOrder.append(text) }
        ignored[text, default: (name, 0, reason)].count += 1
    }

    /// One warning for each reason: a configuration may have dozens of directives that have no effect here.
    mutating func reportIgnored() {
        var reasons: [String] = []
        var names: [String: [String]] = [:]
        for name in ignoredOrder {
            let reason = ignored[name]?.reason ?? Self.usualReason
            if names[reason] == nil { reasons.append(reason) }
            names[reason, default: []].append(name)
        }
        for reason in reasons {
            guard let group = names[reason], let first = group.first.flatMap({ ignored[$0]?.first }) else { continue }
            let isUsual = reason == Self.usualReason
            // Of harmless ones there are dozens in many files.
            let shown = isUsual && group.count > Self.shownIgnored ? group.prefix(Self.shownIgnored - 2) : group[...]
            let list = shown.map { described(ignored: $0, isAlone: group.count == 1, file: first.position.file) }
            let more = group.count > shown.count ? " and \(group.count - shown.count) more" : ""
            source.report(
                source.diagnostic(
                    .warning,
                    code: "ignored-directive",
                    message: list.joined(separator: ", ") + more + (group.count == 1 ? " is" : " are") + " ignored: "
                        + (group.count > 1 && isUsual ? Self.usualReasonOfSeveral : reason),
                    at: first
                )
            )
        }
    }

    /// So many harmless directives are listed.
    private static let shownIgnored = 5
    private static let usualReason = "it does not change where a request goes"
    private static let usualReasonOfSeveral = "they do not change where a request goes"

    /// A name with where it stands first, unless the message says that already, and how often it stands.
    private func described(ignored name: String, isAlone: Bool, file: Int32) -> String {
        guard let (first, count, _) = ignored[name] else { return name }
        var details: [String] = []
        if !isAlone {
            let path =
                source.files.indices.contains(Int(first.position.file))
                ? source.files[Int(first.position.file)].name : ""
            details.append((first.position.file == file ? "line " : "\(path):") + "\(first.position.line)")
        }
        if count > 1 { details.append("\(count) times") }
        return "\"\(name)\"" + (details.isEmpty ? "" : " (" + details.joined(separator: ", ") + ")")
    }
}
