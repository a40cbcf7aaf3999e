import ShuntPatterns
import ShuntRules

/// The tests of the sources of tables, for the values of their variables to pass.
extension ValueReducer {
    private var inversion: DefinitionInversion { DefinitionInversion(checker) }

    func drafts(_ draft: RequestDraft, map: RuleModel.Map, test: ValueTest, depth: Int) -> [RequestDraft] {
        inversion.sources(of: map, passing: test, limit: alternatives)
            .flatMap { way in
                let captured = captures(of: way, making: test)
                var drafts = [draft]
                for source in way.tests + captured {
                    drafts = drafts.flatMap { template($0, template: map.source, test: source, depth: depth + 1) }
                }
                guard captured.isEmpty, let value = way.value, !isCapture(value) else { return drafts }
                return drafts.flatMap { template($0, template: value, test: test, depth: depth + 1) }
            }
    }

    /// The test of the source of a map with which the expression of a key captures what makes its value a text; none for others.
    private func captures(
        of way: (tests: [ValueTest], value: RuleModel.Template?),
        making test: ValueTest
    ) -> [ValueTest] {
        guard case .equals(let text) = test.kind, !test.isNegated,
            case .matches(let expression)? = way.tests.first?.kind, let value = way.value,
            value.choices.count == 1, let choice = value.choices.first, text.starts(with: choice.before),
            let group = choice.part.capture
                ?? expression.captures.first(where: { $0.variable == choice.part.variable })?.group
        else { return [] }
        var after: [UInt8] = []
        if case .literal(let literal)? = value.pieces.last { after = literal }
        let captured = text.dropFirst(choice.before.count).dropLast(after.count)
        guard text.suffix(after.count).elementsEqual(after),
            let tree = checker.tree(of: expression)?.withoutReferences.substituting([group: Array(captured)]),
            let automaton = try? Automaton(tree, limits: checker.limits.expression)
        else { return [] }
        return [ValueTest(.isIn(automaton))]
    }

    /// Returns true for a variable whose values are captures only, those from the key's expression.
    private func isCapture(_ template: RuleModel.Template) -> Bool {
        guard let variable = template.first.variable else { return false }
        return variable.isAssigned && variable.assignments.isEmpty
    }

    func drafts(_ draft: RequestDraft, geo: RuleModel.AddressTable, test: ValueTest) -> [RequestDraft] {
        guard let addresses = inversion.addresses(of: geo, passing: test) else { return [] }
        if let source = geo.source { return template(draft, template: source, test: addresses, depth: 1) }
        return [draft.adding(.address, addresses)]
    }

    func drafts(_ draft: RequestDraft, split: RuleModel.Split, test: ValueTest, depth: Int) -> [RequestDraft] {
        guard let shares = inversion.shares(of: split, passing: test) else { return [] }
        return template(draft, template: split.source, test: shares, depth: depth + 1)
    }
}
