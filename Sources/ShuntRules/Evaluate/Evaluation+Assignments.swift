import ShuntCore

/// `set`.
extension Evaluation {
    mutating func assign(_ instruction: Instruction, at pc: Int) throws(EvaluationFailure) {
        let value = try assignedValue(of: instruction)
        let variable = program.tables.variables[instruction.a]
        if variable.source == .builtin, let builtin = BuiltinVariable(rawValue: variable.index),
            phase == .url || builtin == .arguments || builtin == .limitRate
        {
            try assign(builtin, value)
        } else {
            values.set(VariableIndex(instruction.a), to: value)
        }
        recorder?.record(assignment: pc, value: value, in: self)
    }

    /// A number of bytes such as `40k` or `1m`; nil for anything else.
    private func size(_ range: ByteRange) -> Int? {
        var number = 0
        for offset in range.start..<range.end {
            let byte = arena[offset]
            if byte.isASCIIDigit, number < 1 << 40 {
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            } else if offset == range.end - 1, range.count > 1, byte | 0x20 == UInt8(ascii: "k") {
                return number * 1024
            } else if offset == range.end - 1, range.count > 1, byte | 0x20 == UInt8(ascii: "m") {
                return number * 1024 * 1024
            } else {
                return nil
            }
        }
        return range.isEmpty ? nil : number
    }

    /// Assigns one of the request's own parts.
    private mutating func assign(_ builtin: BuiltinVariable, _ value: ByteRange) throws(EvaluationFailure) {
        guard phase == .url else {
            switch builtin {
            case .arguments:
                server.arguments = value
                changePosition = position
                server.receivedTargetIsValid = false
            case .limitRate:
                server.limitRate = size(value) ?? server.limitRate
            default: break
            }
            return
        }
        let mark = arena.mark
        let authorityStart = url.parts.host?.start ?? url.parts.path.start
        let before = url.parts
        let end = url.range.end
        switch builtin {
        case .url:
            arena.append(copyOf: value)
        case .scheme:
            arena.append(copyOf: value)
            arena.append(copyOf: ByteRange(start: url.parts.scheme.end, end: url.range.end))
        case .host:
            arena.append(copyOf: ByteRange(start: url.range.start, end: authorityStart))
            arena.append(copyOf: value)
            arena.append(copyOf: ByteRange(start: url.parts.host?.end ?? authorityStart, end: url.range.end))
        case .port:
            let hostEnd = url.parts.host?.end ?? authorityStart
            arena.append(copyOf: ByteRange(start: url.range.start, end: hostEnd))
            if !value.isEmpty {
                arena.append(UInt8(ascii: ":"))
                arena.append(copyOf: value)
            }
            arena.append(copyOf: ByteRange(start: url.parts.path.start, end: url.range.end))
        case .uri:
            arena.append(copyOf: ByteRange(start: url.range.start, end: url.parts.path.start))
            arena.append(copyOf: value)
            arena.append(copyOf: ByteRange(start: url.parts.path.end, end: url.range.end))
        case .arguments:
            arena.append(copyOf: ByteRange(start: url.range.start, end: url.parts.path.end))
            if !value.isEmpty {
                arena.append(UInt8(ascii: "?"))
                arena.append(copyOf: value)
            }
            arena.append(copyOf: ByteRange(start: url.parts.query?.end ?? url.parts.path.end, end: url.range.end))
        default:
            return
        }
        url.range = try made(from: mark)
        url.isChanged = true
        changePosition = position
        try parseURL()
        try checkContained(builtin, before: before, end: end)
    }

    /// Fails unless an assignment changed the part it names and no other: a value from a request must not become a host.
    private func checkContained(_ builtin: BuiltinVariable, before: URLParts, end: Int32) throws(EvaluationFailure) {
        switch builtin {
        case .scheme, .host, .port:
            try checkTail(ByteRange(start: before.path.start, end: end))
        case .uri, .arguments:
            let head = ByteRange(start: before.scheme.start, end: before.path.start)
            if areEqual(ByteRange(start: url.parts.scheme.start, end: url.parts.path.start), head) { return }
            throw failure(.malformedResult)
        default:
            break
        }
    }
}
