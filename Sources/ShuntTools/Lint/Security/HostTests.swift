import Shunt
import ShuntPatterns

extension LintSubject {
    /// Tests of `$host` with a dot that stands for any character.
    func hosts() -> [LintFound] {
        model.steps.compactMap { step in
            guard step.position.isPlace, let condition = step.condition, let own = condition.expression,
                ["host", "http_host"].contains(condition.variable?.name),
                let host = text(throughDotOf: own, in: "^[a-z0-9.-]+\\z")
            else { return nil }
            let goal = RuleGoal.test(step, !condition.isNegated)
            guard case .confirmed(let request) = verdict(goal), let other = request.asking(host: host),
                let witness = decide(other, reaching: goal)
            else { return nil }
            return dotFinding(own, at: step.position, matching: host).confirmed(by: witness)
        }
    }

    /// The shortest text of a form that an expression matches only because a dot is not escaped; nil if none is found.
    private func text(throughDotOf pattern: RuleModel.Expression, in form: String) -> [UInt8]? {
        guard let other = Self.withoutDot(pattern.expression.pattern),
            let wider = checker.language(other, like: pattern),
            let form = checker.language(form)
        else { return nil }
        return checker.shortest(wider, form)
    }

    /// The finding about a dot, at the expression if its text is found unchanged.
    private func dotFinding(
        _ pattern: RuleModel.Expression,
        at position: SourcePosition,
        matching text: [UInt8]
    ) -> LintFound {
        let word = written.first { $0.place.position == position && $0.place.pattern == pattern }?.word
        let message = "a dot of this expression matches any character: \(ShownBytes.text(text)) is matched"
        let advice = "write \\. for a dot"
        return word.map { LintFound($0, message, advice: advice) } ?? LintFound(position, message, advice: advice)
    }

    /// Names of servers and keys of maps with a dot that stands for any character.
    func namesAndKeys() -> [LintFound] {
        var places: [(pattern: RuleModel.Expression, position: SourcePosition, form: String)] = []
        let host = "^[a-z0-9.-]+\\z"
        for listen in model.listens {
            for (expression, server) in listen.expressions {
                places.append((expression, name(expression, of: server)?.position ?? server.position, host))
            }
        }
        for map in model.maps {
            guard let name = map.source.onlyVariable?.name,
                ["host", "http_host", "http_origin", "http_referer"].contains(name)
            else { continue }
            let form = name.hasSuffix("host") ? host : "^https?://[a-z0-9.-]+(?::[0-9]+)?(?:/[a-z0-9./-]*)?\\z"
            for (expression, position, _) in map.expressions { places.append((expression, position, form)) }
        }
        var known: Set<SourcePosition> = []
        return places.compactMap { place in
            guard let text = text(throughDotOf: place.pattern, in: place.form), known.insert(place.position).inserted
            else { return nil }
            return dotFinding(place.pattern, at: place.position, matching: text).based(on: .proof)
                .remarking("proved: the expression matches \(ShownBytes.text(text))")
        }
    }

    /// Returns true if an expression accepts no foreign host once each dot between letters is escaped.
    func isDotOnly(_ pattern: RuleModel.Expression, _ form: NamedForm) -> Bool {
        let text = Self.withEscapedDots(pattern.expression.pattern)
        guard text != pattern.expression.pattern, let escaped = checker.language(text, like: pattern) else {
            return false
        }
        return foreign(escaped, naming: domains(of: pattern), form) == nil
    }
}
