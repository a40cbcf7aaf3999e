import Shunt

/// The findings that the notes of rule files allow: `#: allow CHECK "reason"`.
struct LintAllowances {
    private struct Allowance {
        var rule: SourcePosition
        /// The name of the check in the note.
        var word: Word
        /// True if its time is over.
        var isOver: Bool
        var isUsed = false
    }

    private var allowances: [Int: [Allowance]] = [:]

    init(_ subject: LintSubject) {
        for (position, words) in subject.tree.allowances {
            guard let node = subject.tree.node(at: position) else { continue }
            let end = subject.tree.notes[position]?["until"].flatMap { LintDates.moment($0, subject) }
            let isOver = end.map { $0 <= subject.options.asOf } ?? false
            allowances[node] = words.map { Allowance(rule: position, word: $0, isOver: isOver) }
        }
    }

    /// Returns true if a note allows a finding: the note of its rule or of a block around that.
    mutating func take(_ finding: LintFinding, _ subject: LintSubject) -> Bool {
        guard !allowances.isEmpty, let position = subject.model.position(of: finding.diagnostic.location),
            let node = subject.tree.node(at: position)
        else { return false }
        for index in [node] + subject.tree.ancestors(of: node) {
            guard let own = allowances[index] else { continue }
            for number in own.indices where [finding.check, "all"].contains(own[number].word.text) {
                allowances[index]?[number].isUsed = true
                if !own[number].isOver { return true }
            }
        }
        return false
    }

    /// Returns the problems of the notes, each with its check: unknown names of checks, and notes that allow nothing.
    func problems(_ subject: LintSubject, _ made: Set<String>) -> [(check: String, found: LintFound)] {
        let names = Set(LintCheck.all.map(\.id))
        var found: [(check: String, found: LintFound)] = []
        func add(_ check: String, _ message: String, advice: String, about allowance: Allowance) {
            var one = LintFound(allowance.word, message, advice: advice)
            one.rule = allowance.rule
            found.append((check, one))
        }
        for allowance in allowances.values.joined() where !allowance.isUsed {
            let check = allowance.word.text
            if check == "all" || made.contains(check) {
                let message = "this note allows \(check), and nothing is found here"
                add("unused-allow", message, advice: "remove it from the note", about: allowance)
            } else if !names.contains(check) {
                let meant = Suggestion.meant(by: check, among: names.sorted())
                let advice = meant ?? "shunt lint --explain lists the checks"
                add("unknown-note", "no check is named \"\(check)\"", advice: advice, about: allowance)
            }
        }
        return found
    }
}

/// Dates in notes.
enum LintDates {
    /// The moment of a date or a time; of a date, when the day begins.
    static func moment(_ text: String, _ subject: LintSubject) -> Timestamp? {
        try? TimeValue.moment(text, offset: subject.model.zoneOffset)
    }
}
