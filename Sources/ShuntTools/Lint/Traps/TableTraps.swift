import Shunt
import ShuntPatterns

extension LintSubject {
    func splitKeyMissing() -> [LintFound] {
        model.splits.compactMap { split in
            guard let name = missingValue(split.source),
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

    func matchesEverything() -> [LintFound] {
        let proof = "proved: its expression matches the empty text and all others"
        let keys = model.maps.flatMap(\.expressions)
            .compactMap { expression, position, _ -> LintFound? in
                guard matchesEverything(expression) else { return nil }
                return LintFound(position, "this key matches every text", advice: "remove it, or write default")
                    .remarking(proof)
            }
        let tests = model.steps.compactMap { step -> LintFound? in
            // A test with groups takes a text apart.
            guard step.position.isPlace, let condition = step.condition, let expression = condition.expression,
                expression.captures.isEmpty, expression.expression.captureCount == 0, matchesEverything(expression)
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

    /// Returns true if it is proved that an expression matches every text.
    fileprivate func matchesEverything(_ expression: RuleModel.Expression) -> Bool {
        checker.language(of: expression).map { checker.isEmpty(.complement($0)) } ?? false
    }

    /// The values that a template is made of and that a request may lack; nil where something else is in it as well.
    fileprivate func missingValue(_ template: RuleModel.Template) -> String? {
        // Another check reports values that clients choose.
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
