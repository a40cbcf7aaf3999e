extension RuleModel {
    /// One test of an `if`.
    package struct Condition: RulePart, TablePart {
        package let model: RuleModel
        package let order: Int

        var record: ShuntRules.Condition { model.program.tables.conditions[order] }

        package var kind: ShuntRules.Condition.Kind { record.kind }
        /// True if the outcome is turned round (`!=`, `!~`, `!-f`).
        package var isNegated: Bool { record.isNegated }
        /// The variable on the left; nil for tests of files.
        package var variable: Variable? { Variable(model, optional: record.variable) }
        /// The text on the right; nil for a test of the variable alone, and for expressions.
        package var text: Template? { Template(model, optional: record.template) }
        /// The expression; nil for all but `matches`.
        package var expression: Expression? { Expression(model, optional: record.pattern) }
        /// The kind of values that `<`, `<=`, `>` and `>=` compare.
        package var comparison: ShuntRules.Condition.Comparison { record.comparison }
        /// True if it compares versions, so that values below, at and above the bound can be distinguished.
        package var isVersionBoundary: Bool { record.isVersionBoundary }
    }

    /// A test on the way to a rule, and how it has to come out.
    package enum Guard: Hashable, Sendable {
        case condition(Condition, Bool)
        case matcher(URLMatcher, Bool)
    }
}
