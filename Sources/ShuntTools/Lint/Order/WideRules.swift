import Shunt
import ShuntPatterns

extension LintCheck {
    static let tooWide = LintCheck(
        "too-wide",
        group: .order,
        severity: .warning,
        basis: .proof
    ) { subject in
        subject.rules.compactMap { step in
            guard [.block, .degrade, .rewriteURL, .rewrite].contains(step.operation),
                let expression = step.expression, step.endsSequence,
                step.ways().contains(where: \.isEmpty),
                let sequence = step.sequence,
                let own = try? subject.checker.automaton(of: expression),
                let domain = subject.checker.automaton(
                    of: step.operation == .rewrite ? .path(mergesSlashes: true) : .url
                ),
                (try? Language.automaton(domain).isSubset(of: .automaton(own))) == true,
                let next = subject.rules.first(where: { $0 > step && $0 <= sequence.end })
            else { return nil }
            return LintFound(
                step.position,
                "this matches everything: the rules from \(subject.shown(next.position)) on never run",
                advice: "put it last, or under a test"
            )
            .remarking("proved: its expression matches all that can reach it")
        }
    }
}
