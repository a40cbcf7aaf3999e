package import ShuntCore

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

    /// Returns true if a map took the entry with a value.
    package func saw(_ map: RuleModel.Map, _ value: RuleModel.Template) -> Bool {
        mapValues[TableIndex(map.order)]?.contains(TemplateIndex(value.order)) ?? false
    }

    /// Returns true if a `geo` took the entry that an address is for.
    package func saw(_ table: RuleModel.AddressTable, _ address: InternetAddress) -> Bool {
        guard let value = table.range(for: address) else { return false }
        return addressValues[TableIndex(table.order)]?.contains(value) ?? false
    }

    package func saw(_ split: RuleModel.Split, share number: Int) -> Bool {
        shares[split.position]?.contains(number) ?? false
    }

    /// Returns true if a match went one of the ways through an expression.
    package func saw(_ expression: RuleModel.Expression, way number: Int) -> Bool {
        ways[ExpressionIndex(expression.order)]?.contains(number) ?? false
    }

    package func saw(_ server: RuleModel.Server) -> Bool { servers.contains(ServerIndex(server.order)) }

    package func saw(_ location: RuleModel.Location) -> Bool { locations.contains(LocationIndex(location.order)) }
}

extension CoverageRecorder.Seen {
    fileprivate func contains(_ outcome: Bool) -> Bool { outcome ? isTrue : isFalse }
}
