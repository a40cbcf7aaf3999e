import ShuntRules

/// The instructions that look into a table.
enum TableUse {
    /// Those that test or use the variable of a table, or one that another table makes of it.
    static func instructions(of kind: VariableSource, _ index: Int, in program: Program) -> [Int] {
        var variables = Set(
            program.tables.variables.indices
                .filter {
                    program.tables.variables[$0].source == kind && Int(program.tables.variables[$0].index) == index
                }
                .map { VariableIndex($0) }
        )
        var isComplete = false
        while !isComplete {
            isComplete = true
            for (number, variable) in program.tables.variables.enumerated() {
                let other = VariableIndex(number)
                guard !variables.contains(other), let source = source(of: variable, in: program),
                    names(source, variables, in: program)
                else { continue }
                variables.insert(other)
                isComplete = false
            }
        }
        return program.tables.instructions.indices.filter {
            uses(program.tables.instructions[$0], variables, in: program)
        }
    }

    /// The template that a table's variable is made of.
    private static func source(of variable: Variable, in program: Program) -> TemplateIndex? {
        switch variable.source {
        case .map: program.tables.maps[Int(variable.index)].source
        case .geo: program.tables.geos[Int(variable.index)].source
        case .split: program.tables.splits[Int(variable.index)].source
        default: nil
        }
    }

    private static func names(_ template: TemplateIndex, _ variables: Set<VariableIndex>, in program: Program) -> Bool {
        guard !template.isNone else { return false }
        var index = template.position
        while true {
            let part = program.tables.parts[index]
            if part.kind == .variable, variables.contains(part.variable) { return true }
            if part.isLast { return false }
            index += 1
        }
    }

    private static func uses(_ instruction: Instruction, _ variables: Set<VariableIndex>, in program: Program) -> Bool {
        switch instruction.operation {
        case .test, .testNot:
            let condition = program.tables.conditions[instruction.a]
            return variables.contains(condition.variable) || names(condition.template, variables, in: program)
        case .set, .decode, .encode, .degrade: return names(TemplateIndex(instruction.b), variables, in: program)
        case .finish: return names(program.tables.returns[instruction.a].text, variables, in: program)
        case .rewrite:
            let rule = program.tables.rewrites[instruction.a]
            return names(rule.target, variables, in: program) || names(rule.arguments, variables, in: program)
        case .rewriteURL: return names(program.tables.urlRewrites[instruction.a].target, variables, in: program)
        case .renameHost: return names(program.tables.renames[instruction.a].target, variables, in: program)
        default: return false
        }
    }
}
