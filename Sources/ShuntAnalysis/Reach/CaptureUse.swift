import ShuntRules

/// Whether a rule may use captures of another rule's expression.
///
/// Where none does, it does not matter which rule matched last.
enum CaptureUse {
    /// Whether each capture that the program uses is one of the rule's own expression, or of a test or a location around it.
    static func isOfOwnExpressions(_ outline: ProgramOutline) -> Bool {
        let program = outline.program
        // The captures that are found nowhere but here are used by others: by headers, files, upstreams.
        var open = Set(program.parts.indices.filter { program.parts[$0].kind == .capture })
        func take(_ template: Int32) {
            guard template >= 0 else { return }
            var index = Int(template)
            open.remove(index)
            while !program.parts[index].isLast {
                index += 1
                open.remove(index)
            }
        }
        for rule in program.rewrites {
            take(rule.target)
            take(rule.arguments)
        }
        for rule in program.urlRewrites { take(rule.target) }
        for map in program.maps { for value in map.patternValues { take(value) } }
        for rename in program.renames where rename.name < 0 { take(rename.target) }
        for (index, instruction) in program.instructions.enumerated() {
            switch instruction.operation {
            case .degrade where program.matchers[Int(instruction.a)].kind == .url: take(instruction.b)
            case .set where isBehindAMatch(index, outline): take(instruction.b)
            case .finish where isBehindAMatch(index, outline):
                take(program.returns[Int(instruction.a)].text)
            default: continue
            }
        }
        return open.isEmpty
    }

    /// Whether an expression around an instruction has just matched when it is come to.
    private static func isBehindAMatch(_ index: Int, _ outline: ProgramOutline) -> Bool {
        if case .location(let location)? = outline.sequence(of: index)?.owner, outline.patterns[location] >= 0 {
            return outline.sequence(of: index).map { $0.start == index } ?? false
        }
        guard index > 0, outline.program.instructions[index - 1].operation == .test else { return false }
        let condition = outline.program.conditions[Int(outline.program.instructions[index - 1].a)]
        let number = outline.program.instructions[index - 1].a
        return condition.kind == .matches && !condition.isNegated
            && outline.ways(to: index).allSatisfy { $0.last == .condition(number, true) }
    }
}
