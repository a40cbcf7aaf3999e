import ShuntCore
import ShuntRules

extension LintCheck {
    static let unusedAllow = LintCheck(
        "unused-allow",
        .upkeep,
        .warning,
        .structure,
        "a note that allows a finding which is not there",
        explanation: """
            A note such as `#: allow open-redirect "the host is checked"` belongs to a rule that had a finding. When the rule was \
            fixed, the note would hide the next one. Remove it.
            """,
        example: """
            #: allow open-redirect "only our own pages"
            block host ads.example.com;
            """
    ) { _ in [] }

    static let unknownNote = LintCheck(
        "unknown-note",
        .upkeep,
        .warning,
        .structure,
        "a note with a key or a check that nobody knows",
        explanation: """
            Notes are comments that begin with `#:`. What is misspelt in them is not seen by anything else.
            """,
        example: """
            #: allow open-redirects "only our own pages"
            block host ads.example.com;
            """
    ) { _ in [] }

    static let expiredNote = LintCheck(
        "expired-note",
        .upkeep,
        .warning,
        .structure,
        "a rule whose note says that its time is over",
        explanation: """
            `#: until=2026-10-01` says when a rule may go. From then on it is reported, and what its note allows is allowed no more.
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
                    LintFound(position, "\"\(text)\" behind until= is no date", advice: "write it as 2027-01-31")
                )
                continue
            }
            guard end <= subject.options.asOf else { continue }
            let owner = note["owner"].map { ", ask \($0)" } ?? ""
            found.append(
                LintFound(position, "this was to stay until \(text)\(owner)", advice: "remove it, or change the date")
            )
        }
        return found
    }
}
