import Shunt

extension LintSubject {
    func expiredNote() -> [LintFound] {
        tree.notes.compactMap { position, note in
            guard let text = note.entries.first(where: { $0.key == "until" && !$0.isInherited })?.value else {
                return nil
            }
            guard let end = LintDates.moment(text, self) else {
                return LintFound(position, "\"\(text)\" after until= is not a date", advice: "write it as 2027-01-31")
            }
            let owner = note["owner"].map { ", owner: \($0)" } ?? ""
            let message = "this was to stay until \(text)\(owner)"
            return end <= options.asOf ? LintFound(position, message, advice: "remove it, or change the date") : nil
        }
    }
}
