import ShuntCore
import ShuntPatterns
import ShuntRules

extension LintCheck {
    /// Tests of `$host` with a dot that stands for any character.
    static func hosts(_ subject: LintSubject) -> [LintFound] {
        let program = subject.program
        return program.tables.instructions.indices.compactMap { index in
            let instruction = program.tables.instructions[index]
            guard instruction.operation == .test || instruction.operation == .testNot, instruction.position.isPlace
            else { return nil }
            let condition = program.tables.conditions[instruction.a]
            guard condition.kind == .matches, !condition.variable.isNone,
                ["host", "http_host"].contains(program.tables.variables[condition.variable].name)
            else { return nil }
            let expression = program.expressions.expressions[condition.pattern.position]
            let goal = RuleGoal.test(index, !condition.isNegated)
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
                $0.place.position == instruction.position && $0.place.pattern == condition.pattern
            }
            let message = "a dot of this expression matches any character: \(ShownBytes.text(host)) is matched"
            let advice = "write \\. for a dot"
            let found =
                written.map { LintFound($0.word, message, advice: advice) }
                ?? LintFound(instruction.position, message, advice: advice)
            return found.confirmed(by: witness)
        }
    }
}
