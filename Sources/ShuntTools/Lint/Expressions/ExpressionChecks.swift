import Shunt
import ShuntPatterns

extension LintCheck {
    static let couldBeExact = LintCheck(
        "could-be-exact",
        group: .expressions,
        severity: .note,
        basis: .proof
    ) { subject in
        var found: [LintFound] = []
        for level in subject.model.levels {
            let locations = level.expressions
            for location in locations {
                guard let expression = location.expression,
                    let own = try? subject.checker.automaton(of: expression), let only = subject.onlyPath(own)
                else {
                    continue
                }
                let text = ShownBytes.text(only)
                guard only.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !";{}\"'\\$#".utf8.contains($0) }),
                    level.exact(only) == nil, level.longestPrefix(of: only)?.modifier != .prefixBeforeRegex,
                    locations.allSatisfy({ other in
                        other == location || other.expression.map { subject.checker.matches($0, only) } != true
                    })
                else { continue }
                let position = location.position
                var finding = LintFound(position, "this expression is one text", advice: "write location = \(text)")
                finding.remarks = ["proved: it matches \(text) and no other path"]
                if let node = subject.tree.node(at: position), let first = subject.tree.nodes[node].arguments.first,
                    let last = subject.tree.nodes[node].arguments.last, subject.tree.nodes[node].arguments.count == 2
                {
                    finding.edits =
                        subject.replacement(of: first, with: "=") + subject.replacement(of: last, with: text)
                }
                found.append(finding)
            }
        }
        return found
    }

    static let vacuousLookaround = LintCheck(
        "vacuous-lookaround",
        group: .expressions,
        severity: .warning,
        basis: .proof
    ) { subject in
        var known: Set<RuleModel.Expression> = []
        return subject.expressions.all
            .compactMap { place in
                guard known.insert(place.pattern).inserted, let tree = subject.checker.tree(of: place.pattern),
                    tree.hasLookaround,
                    let own = try? subject.checker.automaton(of: place.pattern)
                else { return nil }
                for number in 0..<tree.lookarounds {
                    guard
                        let other = try? Automaton(
                            tree.withoutLookaround(number),
                            limits: subject.options.limits.expression
                        ),
                        (try? Language.automaton(own)
                            .isEqual(to: .automaton(other), limits: subject.options.limits.proof)) == true
                    else { continue }
                    let text = String(decoding: place.pattern.expression.pattern, as: UTF8.self)
                    let meant =
                        text.contains("(?!") && text.hasSuffix("$") ? "(?<!…)$ looks back from the end" : "remove it"
                    return LintFound(place.position, "a lookaround of this expression excludes nothing", advice: meant)
                        .remarking("proved: with and without it the expression matches the same")
                }
                return nil
            }
    }

    static let slowExpression = LintCheck(
        "slow-expression",
        group: .expressions,
        severity: .warning,
        basis: .structure
    ) { subject in
        subject.ruleSet.alwaysTriedRules.compactMap { rule in
            subject.model.position(of: rule.location)
                .map { LintFound($0, "every request that reaches this tries it", advice: rule.reason) }
        }
    }

    static let clobberedCapture = LintCheck(
        "clobbered-capture",
        group: .expressions,
        severity: .warning,
        basis: .witness
    ) { subject in
        subject.rules.compactMap { step in
            guard step.operation == .finish, let target = subject.target(of: step),
                let sighting = subject.example(of: step), sighting.decision.position == step.position,
                let number = target.pieces.compactMap(\.capture).first,
                let outer = step.sequence?.location?.chain.compactMap(\.expression).last
            else { return nil }
            let tested = step.ways().first?
                .compactMap { test -> RuleModel.Expression? in
                    guard case .condition(let condition, let holds) = test, holds != condition.isNegated else {
                        return nil
                    }
                    return condition.expression
                }
                .last
            guard outer.expression.captureCount >= number, let tested, tested.expression.captureCount < number else {
                return nil
            }
            let witness = LintWitness(request: sighting.request, decision: sighting.decision)
            return LintFound(
                step.position,
                "$\(number) is of the expression of the if, which has no such group",
                advice: "name the group of the location: (?<name>…)"
            )
            .confirmed(by: witness)
        }
    }

    static let missingGroup = LintCheck(
        "missing-group",
        group: .expressions,
        severity: .warning,
        basis: .structure
    ) { subject in
        neverCaptured(subject)
            + subject.rules.compactMap { step in
                let own: (expression: RuleModel.Expression, target: RuleModel.Template)
                switch step.action {
                case .rewrite(let rule): own = (rule.expression, rule.target)
                case .rewriteURL(let rule): own = (rule.expression, rule.target)
                default: return nil
                }
                let count = own.expression.expression.captureCount
                let groups = own.target.pieces.compactMap(\.capture)
                guard let missing = groups.first(where: { $0 > count }) else { return nil }
                return LintFound(
                    step.position,
                    "$\(missing) is always empty: the expression has \(count) \(count == 1 ? "group" : "groups")",
                    advice: isCaptured(missing, around: step.position, subject.tree)
                        ? "name the group of the expression around it: (?<name>…)"
                        : "put parentheses around what is meant"
                )
            }
    }
}

extension LintSubject {
    /// The path that an expression matches; nil if there are others, or none.
    fileprivate func onlyPath(_ own: Automaton) -> [UInt8]? {
        guard let paths = checker.automaton(of: .path(mergesSlashes: true)),
            let first =
                (try? Language.intersection([.automaton(own), .automaton(paths)])
                    .shortestSubject(limits: options.limits.proof)) ?? nil,
            let exact = try? Automaton(exactly: first, limits: options.limits.expression),
            let all = try? Language.intersection([.automaton(own), .automaton(paths), .complement(.automaton(exact))])
                .isEmpty(limits: options.limits.proof),
            all
        else { return nil }
        return first
    }
}

extension PatternNode {
    fileprivate var hasLookaround: Bool { lookarounds > 0 }

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
        switch self {
        case .lookaround(let inner, let ahead, let negated):
            if number == 0 {
                number = -1
                return .sequence([])
            }
            number -= 1
            return .lookaround(inner.removing(&number), ahead: ahead, negated: negated)
        case .sequence(let nodes): return .sequence(nodes.map { $0.removing(&number) })
        case .choice(let nodes): return .choice(nodes.map { $0.removing(&number) })
        case .repeated(let inner, let minimum, let maximum, let preference):
            return .repeated(inner.removing(&number), minimum: minimum, maximum: maximum, preference)
        case .capture(let inner, let group): return .capture(inner.removing(&number), number: group)
        case .atomic(let inner): return .atomic(inner.removing(&number))
        default: return self
        }
    }
}
