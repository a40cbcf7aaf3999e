import ShuntRules

/// True if a rule may use captures of another rule's expression.
///
/// Where none does, it does not matter which rule matched last.
enum CaptureUse {
    /// Returns true if each capture that the rules use is one of the rule's own expression, or of a test or a
    /// location around it.
    static func isOfOwnExpressions(_ model: RuleModel) -> Bool {
        // The captures that are found nowhere but here are used by others: by headers, files, upstreams.
        var open = Set(model.templates.filter { $0.pieces.contains { if case .capture = $0 { true } else { false } } })
        for step in model.steps {
            switch step.action {
            case .rewrite(let rule):
                open.remove(rule.target)
                if let arguments = rule.arguments { open.remove(arguments) }
            case .rewriteURL(let rule): open.remove(rule.target)
            case .rename(let rename) where rename.name == nil: open.remove(rename.target)
            case .degrade(let matcher, let target) where matcher.kind == .url: open.remove(target)
            case .set(_, let text) where followsAMatch(step): open.remove(text)
            case .answer(let answer):
                if let text = answer.text, followsAMatch(step) { open.remove(text) }
            default: continue
            }
        }
        for map in model.maps { for entry in map.expressions { open.remove(entry.value) } }
        return open.isEmpty
    }

    /// Returns true if an expression around a step has just matched when it is reached.
    private static func followsAMatch(_ step: RuleModel.Step) -> Bool {
        if let sequence = step.sequence, sequence.location?.expression != nil { return sequence.start == step }
        guard let test = step.previous, test.operation == .test, let condition = test.condition else { return false }
        return condition.kind == .matches && !condition.isNegated
            && step.ways().allSatisfy { $0.last == .condition(condition, true) }
    }
}
