import Shunt
import ShuntPatterns

extension LintSubject {
    func couldBeExact() -> [LintFound] {
        model.levels.flatMap { level in
            let locations = level.expressions
            return locations.compactMap { location -> LintFound? in
                guard let own = location.expression.flatMap(checker.language(of:)), let only = onlyPath(own),
                    only.isPlainWord, level.exact(only) == nil,
                    level.longestPrefix(of: only)?.modifier != .prefixBeforeRegex,
                    locations.allSatisfy({ other in
                        other == location || other.expression.map { checker.matches($0, only) } != true
                    })
                else { return nil }
                let text = ShownBytes.text(only)
                let words = tree.node(at: location.position).map { tree.nodes[$0].arguments } ?? []
                return LintFound(location.position, "this expression is one text", advice: "write location = \(text)")
                    .remarking("proved: it matches \(text) and no other path")
                    .fixed(by: replacement(of: words, with: "=", text))
            }
        }
    }

    func vacuousLookaround() -> [LintFound] {
        var known: Set<RuleModel.Expression> = []
        return expressions.all.compactMap { place in
            guard known.insert(place.pattern).inserted, let tree = checker.tree(of: place.pattern),
                tree.lookarounds > 0, let own = checker.language(of: place.pattern)
            else { return nil }
            for number in 0..<tree.lookarounds {
                let rest = tree.withoutLookaround(number)
                guard let other = try? Automaton(rest, limits: options.limits.expression),
                    checker.isEmpty(own.symmetricDifference(.automaton(other)))
                else { continue }
                let text = place.pattern.expression.pattern.asText
                let meant =
                    text.contains("(?!") && text.hasSuffix("$") ? "(?<!…)$ looks back from the end" : "remove it"
                return LintFound(place.position, "a lookaround of this expression excludes nothing", advice: meant)
                    .remarking("proved: with and without it the expression matches the same")
            }
            return nil
        }
    }

    func slowExpression() -> [LintFound] {
        let found = ruleSet.alwaysTriedRules.compactMap { rule in
            model.position(of: rule.location)
                .map { LintFound($0, "every request that reaches this tries it", advice: rule.reason) }
        }
        return found.map { $0.rated(.note, if: found.count == 1) }
    }

    func missingGroup() -> [LintFound] {
        let found = rules.compactMap { step -> LintFound? in
            let own: (expression: RuleModel.Expression, target: RuleModel.Template)
            switch step.action {
            case .rewrite(let rule): own = (rule.expression, rule.target)
            case .rewriteURL(let rule): own = (rule.expression, rule.target)
            default: return nil
            }
            let count = own.expression.expression.captureCount
            guard let missing = own.target.pieces.compactMap(\.capture).first(where: { $0 > count }) else { return nil }
            return LintFound(
                step.position,
                "$\(missing) is always empty: the expression has \(count) \(count == 1 ? "group" : "groups")",
                advice: isCaptured(missing, around: step.position)
                    ? "name the group of the expression around it: (?<name>…)" : "put parentheses around what is meant"
            )
        }
        return neverCaptured() + found
    }

    /// The path that an expression matches; nil if there are others, or none.
    fileprivate func onlyPath(_ own: Language) -> [UInt8]? {
        guard let paths = checker.normalPaths, let first = checker.shortest(own, paths),
            let exact = try? Automaton(exactly: first, limits: options.limits.expression),
            checker.isEmpty(own, paths, .complement(.automaton(exact)))
        else { return nil }
        return first
    }
}

extension PatternNode {
    /// The number of lookarounds.
    fileprivate var lookarounds: Int {
        if case .lookaround(let inner, _, _) = self { return 1 + inner.lookarounds }
        return parts.reduce(0) { $0 + $1.lookarounds }
    }

    /// The same without one of its lookarounds.
    fileprivate func withoutLookaround(_ number: Int) -> PatternNode {
        var number = number
        return removing(&number)
    }

    private func removing(_ number: inout Int) -> PatternNode {
        if case .lookaround = self {
            if number == 0 {
                number = -1
                return .sequence([])
            }
            number -= 1
        }
        return changingParts { $0.removing(&number) }
    }
}
