import ShuntCore
import ShuntPatterns
import ShuntRules

extension LintCheck {
    static let tooWide = LintCheck(
        "too-wide",
        group: .order,
        severity: .warning,
        basis: .proof,
        summary: "a rule that matches every URL, with rules after it",
        explanation: """
            A rule without a condition whose expression matches everything decides all requests. The rules after it never run. Perhaps a \
            test around it is missing, or the expression is cut short.
            """,
        example: """
            block ~ .;
            block host ads.example.com;
            """
    ) { subject in
        let program = subject.program
        return subject.rules.compactMap { index in
            let instruction = program.tables.instructions[index]
            guard [.block, .degrade, .rewriteURL, .rewrite].contains(instruction.operation),
                let pattern = GoalDrafts.pattern(of: index, program), subject.outline.endsSequence(index),
                subject.outline.ways(to: index).contains(where: \.isEmpty),
                let sequence = subject.outline.sequence(of: index),
                let own = try? subject.checker.automaton(of: pattern),
                let domain = subject.checker.automaton(
                    of: instruction.operation == .rewrite ? .path(mergesSlashes: true) : .url
                ),
                (try? Language.automaton(domain).isSubset(of: .automaton(own))) == true,
                let next = subject.rules.first(where: { $0 > index && $0 <= sequence.end })
            else { return nil }
            return LintFound(
                subject.position(of: index),
                "this matches everything: the rules from \(subject.shown(subject.position(of: next))) on never run",
                advice: "put it last, or under a test"
            )
            .remarking("proved: its expression matches all that can reach it")
        }
    }
}
