extension RuleModel {
    /// One test of an `if`.
    package struct Condition: RulePart, TablePart {
        typealias Record = ShuntRules.Condition

        package let model: RuleModel
        package let order: Int

        private var condition: ShuntRules.Condition { model.program.tables.conditions[order] }

        package var kind: ShuntRules.Condition.Kind { condition.kind }
        /// True if the outcome is turned round (`!=`, `!~`, `!-f`).
        package var isNegated: Bool { condition.isNegated }
        /// The variable on the left; nil for tests of files.
        package var variable: Variable? { Variable(model, optional: condition.variable) }
        /// The text on the right; nil for a test of the variable alone, and for expressions.
        package var text: Template? { Template(model, optional: condition.template) }
        /// The expression; nil for all but `matches`.
        package var expression: Expression? { Expression(model, optional: condition.pattern) }
        /// The kind of values that `<`, `<=`, `>` and `>=` compare.
        package var comparison: ShuntRules.Condition.Comparison { condition.comparison }
        /// True if it compares versions, so that values below, at and above the bound can be told apart.
        package var isVersionBoundary: Bool { condition.isVersionBoundary }
    }

    /// A test on the way to a rule, and how it has to come out.
    package enum Guard: Hashable, Sendable {
        case condition(Condition, Bool)
        case matcher(URLMatcher, Bool)
    }
}
