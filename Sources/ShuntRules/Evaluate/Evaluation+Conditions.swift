import ShuntCore
import ShuntPatterns

/// Regular expressions and what they leave after it.
extension Evaluation {
    /// Matches a pattern on bytes of the arena and takes over the captures.
    mutating func match(_ pattern: ExpressionIndex, on subject: ByteRange) throws(EvaluationFailure) -> Bool {
        let result = arena.withBytes(subject) {
            program.expressions.match(pattern.position, $0, scratch: memory.scratch)
        }
        switch result {
        case .matched:
            takeCaptures(of: pattern, on: subject)
            return true
        case .noMatch:
            return false
        case .limitExceeded:
            throw failure(.patternLimit)
        }
    }

    /// Takes over the captures of the match in the scratch: the numbered ones are replaced, the named ones assigned.
    @inline(__always)
    mutating func takeCaptures(of pattern: ExpressionIndex, on subject: ByteRange) {
        values.captureCount = memory.scratch.copyCaptures(to: &values.captures, movedBy: subject.start)
        recorder?.record(match: pattern, on: subject, in: self)
        guard program.hasNamedCaptures else { return }
        for named in program.tables.patternVariables[pattern.position] {
            values.set(named.variable, to: absolute(memory.scratch.capture(Int(named.group)), in: subject))
        }
    }

    private func absolute(_ range: ByteRange?, in subject: ByteRange) -> ByteRange {
        guard let range else { return .empty }
        return ByteRange(start: subject.start + range.start, end: subject.start + range.end)
    }

    /// The bytes in lower case; the same range when they are already.
    func lowercased(_ range: ByteRange) throws(EvaluationFailure) -> ByteRange {
        var isLower = true
        for offset in range.start..<range.end where arena[offset] >= 0x41 && arena[offset] <= 0x5a {
            isLower = false
            break
        }
        if isLower { return range }
        let mark = arena.mark
        for offset in range.start..<range.end {
            let byte = arena[offset]
            arena.append(byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)
        }
        return try made(from: mark)
    }

    mutating func holds(_ index: ConditionIndex) throws(EvaluationFailure) -> Bool {
        let condition = program.tables.conditions[index]
        // A trace shows the value as well.
        if condition.clockUnit > 0, recorder == nil, let result = comparesClock(condition) {
            return result != condition.isNegated
        }
        let result: Bool
        var left = ByteRange.empty
        if !condition.variable.isNone { left = try value(of: condition.variable) }
        switch condition.kind {
        case .truthy:
            result = !(left.isEmpty || (left.count == 1 && arena[left.start] == UInt8(ascii: "0")))
        case .equal:
            result = try equals(left, condition.template)
        case .matches:
            result = try match(condition.pattern, on: left)
            // nginx forgets the captures when the expression of an `if` does not match, negated or not.
            if !result { values.captureCount = 0 }
        case .isFile, .isDirectory, .exists, .isExecutable:
            let path = try evaluate(template: condition.template, escaping: values.escapesCaptures)
            result = try fileTest(condition.kind, path: path)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            result = try compares(left, condition)
        }
        recorder?.record(condition: index, result: result != condition.isNegated, value: left, in: self)
        return result != condition.isNegated
    }

    func areEqual(_ left: ByteRange, _ right: ByteRange) -> Bool {
        arena.withBytes(left) { arena.holds($0, at: right) }
    }

    /// Returns true if a value is what a template stands for; a constant is compared where it lies.
    private mutating func equals(_ value: ByteRange, _ template: TemplateIndex) throws(EvaluationFailure) -> Bool {
        let first = program.tables.parts[template]
        guard first.isLast, first.kind == .literal else {
            return areEqual(value, try evaluate(template: template, escaping: values.escapesCaptures))
        }
        let constant = ByteRange(start: first.a, end: first.b)
        return arena.withBytes(value) { value in
            guard value.count == constant.count else { return false }
            let start = Int(constant.start)
            for index in value.indices where value[index] != program.tables.constants[start + index] { return false }
            return true
        }
    }
}
