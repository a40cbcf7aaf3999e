import Shunt
import ShuntPatterns

extension LintSubject {
    func shadowedPart() -> [LintFound] {
        rules.compactMap { later in
            guard let expression = later.expression, let own = example(of: later),
                let sequence = later.sequence, isUnconditional(later)
            else { return nil }
            let source: RequestSource = sequence.owner == .urlPhase ? .url : .path
            let tests = [SourceTest(source: source, test: ValueTest(.matches(expression)))]
            // The nearest ones: those far above are mostly for other pages.
            let earlier = rules.filter { (sequence.start..<later).contains($0) }.suffix(32)
            for rule in earlier.reversed()
            where rule.endsSequence && isUnconditional(rule)
                && effect(of: rule) != effect(of: later)
            {
                let witness = request(to: .step(rule), where: tests) { decides(rule, $0) }
                guard let witness else { continue }
                let place = shown(rule.position)
                return LintFound(
                    later.position,
                    "\(place) matches a part of what this matches, and does something else",
                    advice: "put this above \(place) if it is meant for all"
                )
                .confirmed(by: witness).confirmed(by: LintWitness(own))
            }
            return nil
        }
    }

    fileprivate func isUnconditional(_ step: RuleModel.Step) -> Bool { step.ways().contains(where: \.isEmpty) }

    /// The effect of a rule: its words without those that select requests.
    fileprivate func effect(of step: RuleModel.Step) -> [String] {
        let words = tree.directive(at: step.position)?.words.map(\.text) ?? []
        let isMatcher = words.count > 1 && ["host", "=", "^~", "~", "~*"].contains(words[1])
        return Array(words.prefix(1) + words.dropFirst(isMatcher ? 3 : 2))
    }

    func tooWide() -> [LintFound] {
        rules.compactMap { step in
            guard [.block, .degrade, .rewriteURL, .rewrite].contains(step.operation),
                let expression = step.expression, step.endsSequence,
                step.ways().contains(where: \.isEmpty),
                let sequence = step.sequence,
                let own = try? checker.automaton(of: expression),
                let domain = checker.automaton(of: step.operation == .rewrite ? .path(mergesSlashes: true) : .url),
                (try? Language.automaton(domain).isSubset(of: .automaton(own))) == true,
                let next = rules.first(where: { $0 > step && $0 <= sequence.end })
            else { return nil }
            // What decides before this is at fault.
            if case .dead = verdict(.step(step)) { return nil }
            return LintFound(
                step.position,
                "this matches everything: the rules from \(shown(next.position)) on never run",
                advice: "put it last, or under a test"
            )
            .remarking("proved: its expression matches all that can reach it")
        }
    }
}
