import ShuntRules

/// The steps that look into a table.
enum TableUse {
    /// Those that test or use the variable of a table, or one that another table makes of it.
    static func steps(using source: RuleModel.Variable.Source, in model: RuleModel) -> [RuleModel.Step] {
        var variables = Set(model.variables.filter { $0.source == source })
        var isComplete = false
        while !isComplete {
            isComplete = true
            for variable in model.variables where !variables.contains(variable) {
                guard let key = key(of: variable), names(key, variables) else { continue }
                variables.insert(variable)
                isComplete = false
            }
        }
        return model.steps.filter { uses($0, variables) }
    }

    /// The text that a table's variable is made of.
    private static func key(of variable: RuleModel.Variable) -> RuleModel.Template? {
        switch variable.source {
        case .map(let map): map.source
        case .geo(let table): table.source
        case .split(let split): split.source
        default: nil
        }
    }

    private static func names(_ template: RuleModel.Template?, _ variables: Set<RuleModel.Variable>) -> Bool {
        template?.pieces.contains { $0.variable.map(variables.contains) ?? false } ?? false
    }

    private static func uses(_ step: RuleModel.Step, _ variables: Set<RuleModel.Variable>) -> Bool {
        switch step.action {
        case .test(let condition, _):
            condition.variable.map(variables.contains) ?? false || names(condition.text, variables)
        case .set(_, let text), .decode(_, let text), .encode(_, let text), .degrade(_, let text):
            names(text, variables)
        case .answer(let answer): names(answer.text, variables)
        case .rewrite(let rule): names(rule.target, variables) || names(rule.arguments, variables)
        case .rewriteURL(let rule): names(rule.target, variables)
        case .rename(let rename): names(rename.target, variables)
        default: false
        }
    }
}
