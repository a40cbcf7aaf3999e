package import ShuntCore
package import ShuntRouting

/// The parts of the rules that evaluations went through.
extension CoverageRecorder.Counts {
    /// Returns true if a condition came out so.
    package func saw(_ condition: RuleModel.Condition, _ outcome: Bool) -> Bool {
        conditions[ConditionIndex(condition.order)]?.contains(outcome) ?? false
    }

    /// Returns true if a rule on whole URLs held, or did not.
    package func saw(_ step: RuleModel.Step, _ outcome: Bool) -> Bool {
        matchers[step.order]?.contains(outcome) ?? false
    }

    /// Returns true if a value compared so with the version of a condition.
    package func saw(_ condition: RuleModel.Condition, _ order: Ordering) -> Bool {
        boundaries[ConditionIndex(condition.order)]?.contains(order) ?? false
    }

    /// Returns true if the entry at a place supplied a value of its table.
    package func saw(entryAt position: SourcePosition, ofTableAt table: SourcePosition) -> Bool {
        entries.contains(TableEntry(table: table, position: position))
    }

    /// Returns true if a match went one of the ways through an expression.
    package func saw(_ expression: RuleModel.Expression, way number: Int) -> Bool {
        ways[ExpressionIndex(expression.order)]?.contains(number) ?? false
    }

    /// All that was seen, but for values of tables and ways through expressions.
    package var parts: [CoverageRecorder.SeenPart] {
        var found: [CoverageRecorder.SeenPart] = rules.map { .rule($0) } + routes.map { .route($0) }
        found += servers.map { .server($0.position) } + locations.map { .location($0.position) }
        for (index, seen) in conditions { found += seen.outcomes.map { .condition(index.position, $0) } }
        for (index, seen) in matchers { found += seen.outcomes.map { .matcher(index, $0) } }
        for (index, orders) in boundaries { found += orders.map { .boundary(index.position, $0) } }
        return found
    }

    package func saw(_ server: RuleModel.Server) -> Bool { servers.contains(ServerIndex(server.order)) }

    package func saw(_ location: RuleModel.Location) -> Bool { locations.contains(LocationIndex(location.order)) }
}

extension CoverageRecorder {
    /// A part of the rules that evaluations went through, by its order among its kind.
    package enum SeenPart: Hashable, Sendable {
        case rule(SourcePosition)
        case condition(Int, Bool)
        case matcher(Int, Bool)
        case boundary(Int, Ordering)
        case server(Int)
        case location(Int)
        case route(RouteID)
    }
}

extension CoverageRecorder.Seen {
    fileprivate var outcomes: [Bool] { (isTrue ? [true] : []) + (isFalse ? [false] : []) }

    fileprivate func contains(_ outcome: Bool) -> Bool { outcome ? isTrue : isFalse }
}
