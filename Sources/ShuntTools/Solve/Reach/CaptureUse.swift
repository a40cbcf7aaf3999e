import ShuntRules

/// True if a rule may use captures of another rule's expression.
///
/// Where none does, it does not matter which rule matched last.
enum CaptureUse {
    /// Returns true if each capture that the program uses is one of the rule's own expression, or of a test or a
    /// location around it.
    static func isOfOwnExpressions(_ outline: ProgramOutline) -> Bool {
        let program = outline.program
        // The captures that are found nowhere but here are used by others: by headers, files, upstreams.
        var open = Set(program.tables.parts.indices.filter { program.tables.parts[$0].kind == .capture })
        func take(_ template: TemplateIndex) {
            guard !template.isNone else { return }
            var index = template.position
            open.remove(index)
            while !program.tables.parts[index].isLast {
                index += 1
                open.remove(index)
            }
        }
        for rule in program.tables.rewrites {
            take(rule.target)
            take(rule.arguments)
        }
        for rule in program.tables.urlRewrites { take(rule.target) }
        for map in program.tables.maps { for value in map.patternValues { take(value) } }
        for rename in program.tables.renames where rename.name.isNone { take(rename.target) }
        for (index, instruction) in program.tables.instructions.enumerated() {
            switch instruction.operation {
            case .degrade where program.tables.matchers[instruction.a].kind == .url: take(TemplateIndex(instruction.b))
            case .set where isBehindAMatch(index, outline): take(TemplateIndex(instruction.b))
            case .finish where isBehindAMatch(index, outline):
                take(program.tables.returns[instruction.a].text)
            default: continue
            }
        }
        return open.isEmpty
    }

    /// Returns true if an expression around an instruction has just matched when it is come to.
    private static func isBehindAMatch(_ index: Int, _ outline: ProgramOutline) -> Bool {
        if case .location(let location)? = outline.sequence(of: index)?.owner, !outline.patterns[location].isNone {
            return outline.sequence(of: index).map { $0.start == index } ?? false
        }
        guard index > 0, outline.program.tables.instructions[index - 1].operation == .test else { return false }
        let condition = outline.program.tables.conditions[outline.program.tables.instructions[index - 1].a]
        let number = outline.program.tables.instructions[index - 1].a
        return condition.kind == .matches && !condition.isNegated
            && outline.ways(to: index).allSatisfy { $0.last == .condition(ConditionIndex(number), true) }
    }
}
