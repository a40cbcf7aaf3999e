#if Gateway
import Shunt
import ShuntTools

/// The rules of a set in the order of their files: what decides a request, and what changes it for the rules after it.
final class RuleTable: Sendable {
    struct Row: Sendable {
        /// Names the rule as long as its file has the same text, wherever it is in there.
        var id: String
        var position: SourcePosition
        var place: SourceLocation
        /// The directive on one line, without its block.
        var text: String
        /// The blocks around it that choose its requests, such as `server www.example.com, location = /a`.
        var context: String
        /// The note of the rule; nil without one.
        var note: RuleNote?
        /// The number of its counter; nil for a rule that only changes requests, which no one counts.
        var counter: Int?
    }

    let ruleSet: RuleSet
    let rows: [Row]
    private let numbers: [String: Int]

    /// Linear in the number of rules.
    init(_ ruleSet: RuleSet, countsEntries: Bool) {
        self.ruleSet = ruleSet
        var counters: [SourcePosition: Int?] = [:]
        for step in ruleSet.model.steps where step.operation.role == .prepares {
            counters[step.position] = .some(nil)
        }
        for (index, position) in ruleSet.countedPositions(withEntries: countsEntries).enumerated() {
            counters[position] = index
        }
        var rows: [Row] = []
        rows.reserveCapacity(counters.count)
        var seen: [String: Int] = [:]
        let document = ruleSet.document
        let notes = document.notes
        var contexts = RuleContexts(document)
        let ordered = counters.keys.sorted()
        for position in ordered {
            guard let place = ruleSet.location(of: position), place.line > 0 else { continue }
            let text = ruleSet.text(at: position)
            let name = "\(place.file)\0\(text)"
            let number = seen[name, default: 0]
            seen[name] = number + 1
            let counter = counters[position] ?? nil
            rows.append(
                Row(
                    id: RuleIdentifier.of(file: place.file, text: text, number: number),
                    position: position,
                    place: place,
                    text: text,
                    context: contexts.context(at: position),
                    note: notes[position],
                    counter: counter
                )
            )
        }
        self.rows = rows
        numbers = Dictionary(rows.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    /// The row with an identifier.
    func row(_ id: String) -> Row? { numbers[id].map { rows[$0] } }
}
#endif
