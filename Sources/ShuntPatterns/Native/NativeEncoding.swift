import ShuntCore

extension NativeProgram {
    /// The code for `steps`, with `accept` at its end.
    static func encoded(_ steps: NativeSteps) -> [UInt8] {
        var code: [UInt8] = []
        var rest = steps.steps[...]
        while let step = rest.popFirst() {
            if case .open(let group) = step, case .run? = rest.first, rest.dropFirst().first == .close(group),
                let run = rest.popFirst()
            {
                // A group that is one run is captured by it.
                append(run, capturing: group, to: &code)
                rest.removeFirst()
            } else {
                append(step, to: &code)
            }
        }
        append(.accept, to: &code)
        return code
    }

    private static func append(_ operation: Operation, to code: inout [UInt8]) { code.append(operation.rawValue) }

    private static func append(number: Int, to code: inout [UInt8]) {
        code.append(UInt8(truncatingIfNeeded: number))
        code.append(UInt8(truncatingIfNeeded: number >> 8))
    }

    private static func append(_ string: [UInt8], folding: Bool, to code: inout [UInt8]) {
        code.append(UInt8(truncatingIfNeeded: string.count))
        code += folding ? string.map(\.folded) : string
    }

    private static func append(_ step: NativeStep, capturing runGroup: Int = 0, to code: inout [UInt8]) {
        switch step {
        case .literal(let bytes, folding: false) where bytes.count == 1:
            append(.byte, to: &code)
            code += bytes
        case .literal(let bytes, let folding):
            append(folding ? .foldedLiteral : .literal, to: &code)
            append(bytes, folding: folding, to: &code)
        case .run(let set, let minimum, let maximum):
            append(run: set, group: runGroup, to: &code)
            append(number: minimum, to: &code)
            append(number: maximum ?? Int(unbounded), to: &code)
        case .optional(let bytes, let folding, let group):
            append(.optional, to: &code)
            code.append(UInt8(group))
            code.append(folding ? 1 : 0)
            append(bytes, folding: folding, to: &code)
        case .choice(let strings, let folding, let group):
            append(.choice, to: &code)
            code.append(UInt8(group))
            code.append(folding ? 1 : 0)
            code.append(UInt8(strings.count))
            for string in strings { append(string, folding: folding, to: &code) }
        case .open(let group):
            append(.open, to: &code)
            code.append(UInt8(group))
        case .close(let group):
            append(.close, to: &code)
            code.append(UInt8(group))
        case .end: append(Operation.end, to: &code)
        case .absoluteEnd: append(Operation.absoluteEnd, to: &code)
        }
    }

    private static func append(run set: ByteSet, group: Int, to code: inout [UInt8]) {
        let missing = set.inverted.members
        let members = set.members
        if missing.count == 1 {
            append(.runToByte, to: &code)
            code += [UInt8(group), missing[0]]
        } else if let low = members.first, let high = members.last, Int(high) - Int(low) == members.count - 1 {
            append(.runOfRange, to: &code)
            code += [UInt8(group), low, high]
        } else {
            append(.runOfSet, to: &code)
            code.append(UInt8(group))
            for word in [set.word0, set.word1, set.word2, set.word3] {
                for index in 0..<8 { code.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index))) }
            }
        }
    }
}
