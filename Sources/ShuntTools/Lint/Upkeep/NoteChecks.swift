import Shunt

extension LintCheck {
    static let unusedAllow = LintCheck(
        "unused-allow",
        group: .upkeep,
        severity: .warning,
        basis: .structure,
        summary: "a note that allows a missing finding",
        explanation: """
            A note such as `#: allow open-redirect "the host is checked"` belongs to a rule that had a finding. When the rule is fixed, \
            the note would hide the next one. Remove it.
            """,
        example: """
            #: allow open-redirect "only our own pages"
            block host ads.example.com;
            """
    ) { _ in [] }

    static let unknownNote = LintCheck(
        "unknown-note",
        group: .upkeep,
        severity: .warning,
        basis: .structure,
        summary: "a note with an unknown key or check",
        explanation: """
            Notes are comments that begin with `#:`. Nothing else sees a misspelt one.
            """,
        example: """
            #: allow open-redirects "only our own pages"
            block host ads.example.com;
            """
    ) { _ in [] }

    static let expiredNote = LintCheck(
        "expired-note",
        group: .upkeep,
        severity: .warning,
        basis: .structure,
        summary: "a rule whose note has a date in the past",
        explanation: """
            `#: until=2026-10-01` is the date from which a rule may be removed. From then on it is reported, and what its note allows is \
            no longer allowed.
            """,
        example: """
            #: owner=@shop until=2026-10-01
            block host sale.example.com;
            """
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
