import Shunt

extension LintSubject {
    /// Rows of lists of redirects whose requests an earlier rule takes: of each such rule the first row.
    func takenRows() -> [LintFound] {
        let lists = model.steps.compactMap { step -> (step: RuleModel.Step, list: RedirectList)? in
            guard case .redirects(let list) = step.action else { return nil }
            return (step, list)
        }
        guard !lists.isEmpty else { return [] }
        let requests = ListRequests(model)
        return lists.flatMap { step, list -> [LintFound] in
            let earlier = Set(rules.filter { isBefore($0, step) }.map(\.position))
            let before = Set(lists.filter { isBefore($0.step, step) }.map(\.list.file))
            guard !earlier.isEmpty || !before.isEmpty else { return [] }
            var takers: [SourcePosition: (row: SourcePosition, count: Int, witness: LintWitness)] = [:]
            for row in list.positions.prefix(Self.mostRows) {
                let witnesses = requests.requests(at: row).map(decide)
                guard let first = witnesses.first,
                    witnesses.allSatisfy({ witness in
                        let place = witness.decision.position
                        return earlier.contains(place) || before.contains(place.file) && place.file != list.file
                    })
                else { continue }
                let place = first.decision.position
                let known = takers[place] ?? (row, 0, first)
                takers[place] = (known.row, known.count + 1, known.witness)
            }
            return takers.sorted { $0.value.row.line < $1.value.row.line }
                .map { place, taken in
                    let others = taken.count - 1
                    let rest = others == 0 ? "" : ", and the requests of \(others) more \(others == 1 ? "row" : "rows")"
                    return LintFound(
                        taken.row,
                        "\(shown(place)) takes the requests of this row\(rest)",
                        advice: "put the list above it, or remove the \(others == 0 ? "row" : "rows")"
                    )
                    .confirmed(by: taken.witness).based(on: .witness)
                }
        }
    }

    /// The most rows of a list that are looked at.
    private static let mostRows = 20_000

    /// Returns true if a rule comes before another one: above it, or among the rules on whole URLs.
    private func isBefore(_ rule: RuleModel.Step, _ other: RuleModel.Step) -> Bool {
        guard let own = rule.sequence, let sequence = other.sequence else { return false }
        return own == sequence ? rule < other : own.owner == .urlPhase
    }
}
