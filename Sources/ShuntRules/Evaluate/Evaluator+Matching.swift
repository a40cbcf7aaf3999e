import ShuntCore
import ShuntPatterns

/// Regular expressions and what they leave behind.
extension Evaluator {
    /// Matches a pattern on bytes of the arena and takes over the captures; nil after a failure.
    func match(_ pattern: Int32, on subject: ByteRange) -> Bool? {
        let result = arena.withBytes(subject) { program.expressions.match(Int(pattern), $0, scratch: scratch) }
        switch result {
        case .matched:
            takeCaptures(of: pattern, on: subject)
            return true
        case .noMatch:
            return false
        case .limitExceeded:
            fail(.patternLimit, status: 500)
            return nil
        }
    }

    /// Takes over the captures of the match in the scratch: the numbered ones are replaced, the named ones assigned.
    func takeCaptures(of pattern: Int32, on subject: ByteRange) {
        let count = min(scratch.captureCount + 1, captures.count)
        for group in 1..<max(1, count) {
            captures[group] = absolute(scratch.capture(group), in: subject)
        }
        captureCount = count
        guard program.hasNamedCaptures else { return }
        for named in program.patternVariables[Int(pattern)] {
            set(variable: named.variable, to: absolute(scratch.capture(Int(named.group)), in: subject))
        }
    }

    private func absolute(_ range: ByteRange?, in subject: ByteRange) -> ByteRange {
        guard let range else { return .empty }
        return ByteRange(start: subject.start + range.start, end: subject.start + range.end)
    }

    /// The bytes in lower case; the same range when they are already.
    func lowercased(_ range: ByteRange) -> ByteRange {
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
        return arena.range(from: mark)
    }

    /// Tests a condition; nil after a failure.
    func holds(_ index: Int32) -> Bool? {
        let condition = program.conditions[Int(index)]
        let result: Bool
        switch condition.kind {
        case .truthy:
            let value = value(of: condition.variable)
            result = !(value.isEmpty || (value.count == 1 && arena[value.start] == UInt8(ascii: "0")))
        case .equal:
            let left = value(of: condition.variable)
            guard let right = evaluate(template: condition.template, escaping: escapesCaptures) else { return nil }
            result = areEqual(left, right)
        case .matches:
            guard let matched = match(condition.pattern, on: value(of: condition.variable)) else { return nil }
            // nginx forgets the captures when the expression of an `if` does not match, negated or not.
            if !matched { captureCount = 0 }
            result = matched
        case .isFile, .isDirectory, .exists, .isExecutable:
            guard let path = evaluate(template: condition.template, escaping: escapesCaptures) else { return nil }
            result = fileTest(condition.kind, path: path)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            let left = value(of: condition.variable)
            if case .version = condition.comparison {
                guard let right = evaluate(template: condition.template) else { return nil }
                result = compareVersions(left, right, condition.kind)
            } else {
                result = comparesTime(left, condition)
            }
        }
        recorder?.record(condition: index, result: result != condition.isNegated, in: self)
        return result != condition.isNegated
    }

    func areEqual(_ left: ByteRange, _ right: ByteRange) -> Bool {
        guard left.count == right.count else { return false }
        for offset in 0..<Int32(left.count) where arena[left.start + offset] != arena[right.start + offset] {
            return false
        }
        return true
    }

    /// Compares as versions; false when one side is no version.
    private func compareVersions(_ left: ByteRange, _ right: ByteRange, _ kind: Condition.Kind) -> Bool {
        let order = arena.withBytes(left) { left in
            arena.withBytes(right) { right in VersionComparison.compare(left, right) }
        }
        guard let order else { return false }
        return switch kind {
        case .less: order == .less
        case .lessOrEqual: order != .greater
        case .greater: order == .greater
        default: order != .less
        }
    }
}
