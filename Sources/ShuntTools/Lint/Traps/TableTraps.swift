import Shunt
import ShuntPatterns

extension LintCheck {
    static let splitKeyMissing = LintCheck(
        "split-key-missing",
        group: .security,
        severity: .warning,
        basis: .structure
    ) { subject in
        subject.model.splits.compactMap { split in
            guard let name = subject.missingValue(split.source),
                let share = split.share(of: MurmurHash2.hash([UInt8]().span))
            else { return nil }
            let entries = Array(split.entries)
            let value = share < entries.count ? entries[share].arguments[0].text : ""
            return LintFound(
                split.position,
                "every request without \(name) is in one share: \(value)",
                advice: "put something before it that each request has, such as $remote_addr"
            )
        }
    }

    static let matchesEverything = LintCheck(
        "matches-everything",
        group: .order,
        severity: .warning,
        basis: .proof
    ) { subject in
        let proof = "proved: its expression matches the empty text and all others"
        let keys = subject.model.maps.flatMap { map in
            map.expressions
                .compactMap { expression, position, _ -> LintFound? in
                    guard subject.matchesEverything(expression) else { return nil }
                    return LintFound(position, "this key matches every text", advice: "remove it, or write default")
                        .remarking(proof)
                }
        }
        let tests = subject.model.steps.compactMap { step -> LintFound? in
            // A test with groups takes a text apart.
            guard step.position.isPlace, let condition = step.condition, let expression = condition.expression,
                expression.captures.isEmpty, expression.expression.captureCount == 0,
                subject.matchesEverything(expression)
            else { return nil }
            return LintFound(
                step.position,
                "this test is \(condition.isNegated ? "never" : "always") true: its expression matches every text",
                advice: "test the variable alone, or write what it is to match"
            )
            .remarking(proof)
        }
        return keys + tests
    }
}

extension LintSubject {
    /// Returns true if it is proved that an expression matches every text.
    fileprivate func matchesEverything(_ expression: RuleModel.Expression) -> Bool {
        guard let own = try? checker.automaton(of: expression) else { return false }
        return (try? Language.complement(.automaton(own)).isEmpty(limits: options.limits.proof)) == true
    }

    /// The values that a template is made of and that a request may lack; nil where something else is in it as well.
    fileprivate func missingValue(_ template: RuleModel.Template) -> String? {
        // Of values that clients choose another check tells.
        var hasInput = false
        for piece in template.pieces {
            switch piece.variable?.source {
            case .requestHeader, .cookie, .argument: break
            case .input(let name):
                guard model.inputs.first(where: { $0.name == name })?.defaultValue == nil else { return nil }
                hasInput = true
            default: return nil
            }
        }
        return hasInput ? template.pieces.map(\.name).joined() : nil
    }
}
