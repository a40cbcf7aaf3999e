import ShuntCore

/// A condition on whole URLs, with `&&`, `||`, `!` and parentheses.
indirect enum ConditionExpression {
    case test(Condition)
    case not(ConditionExpression)
    case and(ConditionExpression, ConditionExpression)
    case or(ConditionExpression, ConditionExpression)

    /// Reads the condition of an `if`; nil after an error.
    static func read(
        _ words: [Word],
        of directive: CheckedDirective,
        in context: inout CompileContext
    ) -> ConditionExpression? {
        guard let first = words.first, first.bytes.first == UInt8(ascii: "("), !first.isQuoted else {
            return context.error(.invalidCondition, "a condition begins with \"(\"", at: words.first ?? directive.name)
        }
        var reader = ConditionReader(words)
        guard let result = reader.disjunction(directive, in: &context) else { return nil }
        if let extra = reader.current {
            context.error(.invalidCondition, "unexpected \"\(extra.word.text)\" after the condition", at: extra.word)
            return nil
        }
        return result
    }

    /// Compiles the expression into tests that fall through unless it results in `outcome`; returns the instructions
    /// that still need a target for when it does.
    func emit(jumpingWhen outcome: Bool, at position: SourcePosition, in context: inout CompileContext)
        -> [InstructionIndex]
    {
        switch self {
        case .test(let condition):
            let operation: Operation = outcome ? .testNot : .test
            return [context.emit(Instruction(operation, context.tables.conditions.append(condition)), at: position)]
        case .not(let inner):
            return inner.emit(jumpingWhen: !outcome, at: position, in: &context)
        case .and(let left, let right) where !outcome, .or(let left, let right) where outcome:
            return left.emit(jumpingWhen: outcome, at: position, in: &context)
                + right.emit(jumpingWhen: outcome, at: position, in: &context)
        case .and(let left, let right), .or(let left, let right):
            // The left side settles it the other way: past the right side.
            let settled = left.emit(jumpingWhen: !outcome, at: position, in: &context)
            let rest = right.emit(jumpingWhen: outcome, at: position, in: &context)
            for instruction in settled { context.patch(instruction, target: context.nextInstruction) }
            return rest
        }
    }
}
