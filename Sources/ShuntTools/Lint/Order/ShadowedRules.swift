import Shunt

extension LintCheck {
    static let shadowedPart = LintCheck(
        "shadowed-part",
        group: .order,
        severity: .note,
        basis: .witness,
        isUsual: false
    ) { subject in
        subject.rules.compactMap { later in
            guard let expression = later.expression, let own = subject.example(of: later),
                let sequence = later.sequence, subject.isUnconditional(later)
            else { return nil }
            let source: RequestSource = sequence.owner == .urlPhase ? .url : .path
            let tests = [SourceTest(source: source, test: ValueTest(.matches(expression)))]
            // The nearest ones: those far above are mostly for other pages.
            let earlier = subject.rules.filter { (sequence.start..<later).contains($0) }.suffix(32)
            for rule in earlier.reversed()
            where rule.endsSequence && subject.isUnconditional(rule)
                && subject.effect(of: rule) != subject.effect(of: later)
            {
                let position = rule.position
                guard
                    let witness = subject.request(
                        to: rule,
                        where: tests,
                        confirming: { $0.decision.position == position }
                    )
                else { continue }
                let place = subject.shown(position)
                let finding = LintFound(
                    later.position,
                    "\(place) matches a part of what this matches, and does something else",
                    advice: "put this above \(place) if it is meant for all"
                )
                return finding.confirmed(by: witness)
                    .confirmed(by: LintWitness(request: own.request, decision: own.decision))
            }
            return nil
        }
    }
}

extension LintSubject {
    fileprivate func isUnconditional(_ step: RuleModel.Step) -> Bool { step.ways().contains(where: \.isEmpty) }

    /// The effect of a rule: its words without those that select requests.
    fileprivate func effect(of step: RuleModel.Step) -> [String] {
        let words = tree.directive(at: step.position)?.words.map(\.text) ?? []
        let isMatcher = words.count > 1 && ["host", "=", "^~", "~", "~*"].contains(words[1])
        return Array(words.prefix(1) + words.dropFirst(isMatcher ? 3 : 2))
    }
}
