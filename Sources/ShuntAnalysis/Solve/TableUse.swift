import ShuntRules

/// The instructions that look into a table.
enum TableUse {
    /// Those that test or use the variable of a table, or one that another table makes of it.
    static func instructions(of kind: VariableSource, _ index: Int, in program: Program) -> [Int] {
        var variables = Set(
            program.variables.indices
                .filter {
                    program.variables[$0].source == kind && Int(program.variables[$0].index) == index
                }
                .map { Int32(truncatingIfNeeded: $0) }
        )
        var isComplete = false
        while !isComplete {
            isComplete = true
            for (number, variable) in program.variables.enumerated() {
                let other = Int32(truncatingIfNeeded: number)
                guard !variables.contains(other), let source = source(of: variable, in: program),
                    names(source, variables, in: program)
                else { continue }
                variables.insert(other)
                isComplete = false
            }
        }
        return program.instructions.indices.filter { uses(program.instructions[$0], variables, in: program) }
    }

    /// The template that a table's variable is made of.
    private static func source(of variable: Variable, in program: Program) -> Int32? {
        switch variable.source {
        case .map: program.maps[Int(variable.index)].source
        case .geo: program.geos[Int(variable.index)].source
        case .split: program.splits[Int(variable.index)].source
        default: nil
        }
    }

    private static func names(_ template: Int32, _ variables: Set<Int32>, in program: Program) -> Bool {
        guard template >= 0 else { return false }
        var index = Int(template)
        while true {
            let part = program.parts[index]
            if part.kind == .variable, variables.contains(part.a) { return true }
            if part.isLast { return false }
            index += 1
        }
    }

    private static func uses(_ instruction: Instruction, _ variables: Set<Int32>, in program: Program) -> Bool {
        switch instruction.operation {
        case .test, .testNot:
            let condition = program.conditions[Int(instruction.a)]
            return variables.contains(condition.variable) || names(condition.template, variables, in: program)
        case .set, .decode, .encode, .degrade: return names(instruction.b, variables, in: program)
        case .finish: return names(program.returns[Int(instruction.a)].text, variables, in: program)
        case .rewrite:
            let rule = program.rewrites[Int(instruction.a)]
            return names(rule.target, variables, in: program) || names(rule.arguments, variables, in: program)
        case .rewriteURL: return names(program.urlRewrites[Int(instruction.a)].target, variables, in: program)
        case .renameHost: return names(program.renames[Int(instruction.a)].target, variables, in: program)
        default: return false
        }
    }
}
