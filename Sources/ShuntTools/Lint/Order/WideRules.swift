import Shunt
import ShuntPatterns

extension LintSubject {
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
