import ShuntCore
import ShuntPatterns
import ShuntRules

extension LintCheck {
    /// Tests of `$host` with a dot that stands for any character.
    static func hosts(_ subject: LintSubject) -> [LintFound] {
        subject.model.steps.compactMap { step in
            guard step.position.isPlace, let condition = step.condition, let own = condition.expression,
                ["host", "http_host"].contains(condition.variable?.name)
            else { return nil }
            let expression = own.expression
            let goal = RuleGoal.test(step, !condition.isNegated)
            guard let other = withoutDot(expression.pattern),
                let wider = try? RegularExpression(other, caseless: expression.caseless),
                let automaton = try? Automaton(wider, limits: subject.options.limits.expression),
                let names = subject.checker.automaton("^[a-z0-9.-]+\\z"),
                let host =
                    (try? Language.intersection([.automaton(automaton), .automaton(names)])
                        .shortestSubject(limits: subject.options.limits.proof)) ?? nil,
                case .confirmed(let request) = subject.verdict(goal),
                case .target(let target, _) = request.request.subject
            else { return nil }
            let witness = subject.decide(like: request) { $0.subject = .target(target, host: host) }
            guard subject.solver.reaches(goal, subject.solver.ask(witness.request)) else { return nil }
            let written = subject.written.all.first {
                $0.place.position == step.position && $0.place.pattern == own
            }
            let message = "a dot of this expression matches any character: \(ShownBytes.text(host)) is matched"
            let advice = "write \\. for a dot"
            let found =
                written.map { LintFound($0.word, message, advice: advice) }
                ?? LintFound(step.position, message, advice: advice)
            return found.confirmed(by: witness)
        }
    }
}
