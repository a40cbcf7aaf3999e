import Shunt

extension LintCheck {
    static let unusedAllow = LintCheck(
        "unused-allow",
        group: .upkeep,
        severity: .warning,
        basis: .structure
    ) { _ in [] }

    static let unknownNote = LintCheck(
        "unknown-note",
        group: .upkeep,
        severity: .warning,
        basis: .structure
    ) { _ in [] }

    static let expiredNote = LintCheck(
        "expired-note",
        group: .upkeep,
        severity: .warning,
        basis: .structure
    ) { subject in
        var found: [LintFound] = []
        for (position, note) in subject.tree.notes {
            guard let text = note.entries.first(where: { $0.key == "until" && !$0.isInherited })?.value else {
                continue
            }
            guard let end = LintDates.moment(text, subject) else {
                found.append(
                    LintFound(position, "\"\(text)\" after until= is not a date", advice: "write it as 2027-01-31")
                )
                continue
            }
            guard end <= subject.options.asOf else { continue }
            let owner = note["owner"].map { ", owner: \($0)" } ?? ""
            found.append(
                LintFound(position, "this was to stay until \(text)\(owner)", advice: "remove it, or change the date")
            )
        }
        return found
    }
}
