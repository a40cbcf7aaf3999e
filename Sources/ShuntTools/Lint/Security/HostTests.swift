import Shunt
import ShuntPatterns

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

    /// Names of servers and keys of maps with a dot that stands for any character.
    static func namesAndKeys(_ subject: LintSubject) -> [LintFound] {
        var places: [(pattern: RuleModel.Expression, position: SourcePosition, form: String)] = []
        let host = "^[a-z0-9.-]+\\z"
        for listen in subject.model.listens {
            for (expression, server) in listen.expressions {
                places.append((expression, subject.name(expression, of: server)?.position ?? server.position, host))
            }
        }
        for map in subject.model.maps {
            guard let name = map.source.onlyVariable?.name,
                ["host", "http_host", "http_origin", "http_referer"].contains(name)
            else { continue }
            let form = name.hasSuffix("host") ? host : "^https?://[a-z0-9.-]+(?::[0-9]+)?(?:/[a-z0-9./-]*)?\\z"
            for (expression, position, _) in map.expressions { places.append((expression, position, form)) }
        }
        var known: Set<SourcePosition> = []
        return places.compactMap { place in
            guard let other = withoutDot(place.pattern.expression.pattern),
                let wider = subject.automaton(other, like: place.pattern),
                let form = subject.checker.automaton(place.form),
                let text =
                    (try? Language.intersection([.automaton(wider), .automaton(form)])
                        .shortestSubject(limits: subject.options.limits.proof)) ?? nil,
                known.insert(place.position).inserted
            else { return nil }
            let message = "a dot of this expression matches any character: \(ShownBytes.text(text)) is matched"
            let advice = "write \\. for a dot"
            let word = subject.written.all.first {
                $0.place.position == place.position && $0.place.pattern == place.pattern
            }
            var found =
                word.map { LintFound($0.word, message, advice: advice) }
                ?? LintFound(place.position, message, advice: advice)
            found.basis = .proof
            return found.remarking("proved: the expression matches \(ShownBytes.text(text))")
        }
    }
}

extension LintSubject {
    /// Returns true if an expression accepts no foreign host once each dot between letters is escaped.
    func isDotOnly(_ pattern: RuleModel.Expression, _ form: NamedForm) -> Bool {
        let text = LintCheck.withEscapedDots(pattern.expression.pattern)
        guard text != pattern.expression.pattern, let escaped = automaton(text, like: pattern) else { return false }
        return foreign(escaped, naming: domains(of: pattern), form) == nil
    }
}
