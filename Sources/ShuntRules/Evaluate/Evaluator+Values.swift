import ShuntCore
import ShuntPatterns

/// Interpolated strings and variables.
extension Evaluator {
    /// The value of a template in the arena; nil after a failure.
    ///
    /// The variables are computed first, from left to right, and the pieces appended afterwards: so a `map` with a
    /// regular expression replaces the captures for the whole string, as it does in nginx. Whether captures are escaped
    /// is an argument, not a state, and the result grows in one pass into a bounded buffer.
    func evaluate(template index: Int32, escaping: Bool = false) -> ByteRange? {
        let first = program.parts[Int(index)]
        if first.isLast {
            switch first.kind {
            case .literal: return append(constant: ByteRange(start: first.a, end: first.b))
            case .variable: return value(of: first.a)
            case .capture where !(escaping && needsEscape): return capture(first.a)
            case .capture: break
            }
        }
        let base = pending.count
        var part = first
        var position = Int(index)
        while true {
            if part.kind == .variable { pending.append(value(of: part.a)) }
            if part.isLast { break }
            position += 1
            part = program.parts[position]
        }
        let mark = arena.mark
        var next = base
        part = first
        position = Int(index)
        while true {
            switch part.kind {
            case .literal:
                arena.append(program.constants, ByteRange(start: part.a, end: part.b))
            case .variable:
                arena.append(copyOf: pending[next])
                next += 1
            case .capture:
                if escaping, needsEscape {
                    PercentCoding.appendEscapedArguments(capture(part.a), to: arena)
                } else {
                    arena.append(copyOf: capture(part.a))
                }
            }
            if part.isLast { break }
            position += 1
            part = program.parts[position]
        }
        pending.removeLast(pending.count - base)
        if arena.overflowed {
            fail(.valueTooLong, status: 500)
            return nil
        }
        return arena.range(from: mark)
    }

    /// The numbered capture; empty when there is none.
    func capture(_ number: Int32) -> ByteRange {
        Int(number) < captureCount ? captures[Int(number)] : .empty
    }

    /// Gives a variable a value that stays until the end of the request or the next assignment.
    func set(variable: Int32, to range: ByteRange) {
        slots[Int(variable)] = Slot(assigned: requestStamp, range: range)
    }

    /// Runs a `set`; false after a failure.
    func assign(_ instruction: Instruction, at pc: Int) -> Bool {
        guard let value = evaluate(template: instruction.b, escaping: escapesCaptures) else { return false }
        let variable = program.variables[Int(instruction.a)]
        if variable.source == .builtin, let builtin = BuiltinVariable(rawValue: variable.index),
            phase == .url || builtin == .arguments || builtin == .limitRate
        {
            guard assign(builtin, value) else { return false }
        } else {
            set(variable: instruction.a, to: value)
        }
        recorder?.record(assignment: pc, value: value, in: self)
        return true
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

    /// Assigns one of the request's own parts; false after a failure.
    private func assign(_ builtin: BuiltinVariable, _ value: ByteRange) -> Bool {
        guard phase == .url else {
            switch builtin {
            case .arguments:
                arguments = value
                changePosition = position
                receivedTargetIsValid = false
            case .limitRate:
                limitRate = size(value) ?? limitRate
            default: break
            }
            return true
        }
        let mark = arena.mark
        let authorityStart = parts.host?.start ?? parts.path.start
        let before = parts
        let end = url.end
        switch builtin {
        case .url:
            arena.append(copyOf: value)
        case .scheme:
            arena.append(copyOf: value)
            arena.append(copyOf: ByteRange(start: parts.scheme.end, end: url.end))
        case .host:
            arena.append(copyOf: ByteRange(start: url.start, end: authorityStart))
            arena.append(copyOf: value)
            arena.append(copyOf: ByteRange(start: parts.host?.end ?? authorityStart, end: url.end))
        case .port:
            let hostEnd = parts.host?.end ?? authorityStart
            arena.append(copyOf: ByteRange(start: url.start, end: hostEnd))
            if !value.isEmpty {
                arena.append(UInt8(ascii: ":"))
                arena.append(copyOf: value)
            }
            arena.append(copyOf: ByteRange(start: parts.path.start, end: url.end))
        case .uri:
            arena.append(copyOf: ByteRange(start: url.start, end: parts.path.start))
            arena.append(copyOf: value)
            arena.append(copyOf: ByteRange(start: parts.path.end, end: url.end))
        case .arguments:
            arena.append(copyOf: ByteRange(start: url.start, end: parts.path.end))
            if !value.isEmpty {
                arena.append(UInt8(ascii: "?"))
                arena.append(copyOf: value)
            }
            arena.append(copyOf: ByteRange(start: parts.query?.end ?? parts.path.end, end: url.end))
        default:
            return true
        }
        url = arena.range(from: mark)
        urlChanged = true
        changePosition = position
        guard parseURL() else { return false }
        return isContained(builtin, before: before, end: end)
    }

    /// Whether an assignment changed the part it names and no other: a value from a request must not become a host.
    private func isContained(_ builtin: BuiltinVariable, before: URLParts, end: Int32) -> Bool {
        switch builtin {
        case .scheme, .host, .port:
            return keeps(ByteRange(start: before.path.start, end: end))
        case .uri, .arguments:
            let head = ByteRange(start: before.scheme.start, end: before.path.start)
            if areEqual(ByteRange(start: parts.scheme.start, end: parts.path.start), head) { return true }
            fail(.malformedResult, status: 500)
            return false
        default:
            return true
        }
    }

    /// The value of a variable; empty when it has none.
    func value(of index: Int32) -> ByteRange {
        let slot = slots[Int(index)]
        if slot.computed == stamp || slot.assigned == requestStamp { return slot.range }
        let variable = program.variables[Int(index)]
        guard depth < EvaluationLimits.variableDepth else { return .empty }
        depth += 1
        defer { depth -= 1 }
        let result: ByteRange
        switch variable.source {
        case .assigned, .responseHeader:
            result = .empty
        case .builtin:
            guard let builtin = BuiltinVariable(rawValue: variable.index) else { return .empty }
            result = value(of: builtin)
        case .requestHeader:
            result = requestHeader(variable.parameter)
        case .argument:
            result = queryArgument(variable.parameter)
        case .cookie:
            result = cookie(variable.parameter)
        case .map: result = value(of: program.maps[Int(variable.index)])
        case .split: result = value(of: program.splits[Int(variable.index)])
        case .geo: result = value(of: program.geos[Int(variable.index)])
        case .input:
            let input = program.inputs[Int(variable.index)]
            if let given = self.input(input.name) {
                result = append(given)
            } else {
                result = input.defaultValue < 0 ? .empty : evaluate(template: input.defaultValue) ?? .empty
            }
        case .external:
            result = self.input(variable.name).map { append($0) } ?? .empty
        }
        if !variable.isVolatile { slots[Int(index)] = Slot(computed: stamp, range: result) }
        return result
    }

    private func value(of map: ValueMap) -> ByteRange {
        guard var source = evaluate(template: map.source) else { return .empty }
        var found: Int32 = -1
        if let hosts = map.hosts {
            if !source.isEmpty, arena[source.end - 1] == UInt8(ascii: ".") { source.end -= 1 }
            let host = lowercased(source)
            found = arena.withBytes(host) { hosts.value(of: $0) } ?? -1
        }
        if found < 0 {
            found = arena.withBytes(source) { map.literals.value($0) } ?? -1
        }
        if found < 0, !source.isEmpty, map.patterns.count > 0 {
            let outcome = arena.withBytes(source) {
                map.patterns.firstMatch($0, from: 0, to: map.patterns.count, scratch: scratch, mode: mode)
            }
            if case .match(let index) = outcome {
                takeCaptures(of: map.patternNumbers[index], on: source)
                found = map.patternValues[index]
            }
        }
        if found < 0 { found = map.defaultValue }
        return found < 0 ? .empty : evaluate(template: found) ?? .empty
    }

    /// How pattern indexes are searched.
    var mode: PatternIndex.Mode { options.isLinear ? .linear : .indexed }

    private func value(of split: SplitClients) -> ByteRange {
        guard let source = evaluate(template: split.source) else { return .empty }
        let hash = arena.withBytes(source) { MurmurHash2.hash($0) }
        for (index, share) in split.shares.enumerated() {
            if hash < share.bound || (split.isComplete && index == split.shares.count - 1) {
                return append(constant: share.value)
            }
        }
        return .empty
    }

    private func value(of geo: AddressMap) -> ByteRange {
        var address = remoteAddress
        if geo.source >= 0 {
            guard let source = evaluate(template: geo.source) else { return .empty }
            address = arena.withBytes(source) { InternetAddress(parsing: $0, allowsLeadingZeros: true) }
        }
        if !geo.proxies.isEmpty, let client = address {
            address = forwardedAddress(
                from: client,
                header: AddressMap.forwardedForName,
                trusted: geo.proxies,
                isRecursive: geo.isProxyRecursive
            )
        }
        guard let value = geo.value(for: address) else { return .empty }
        return append(constant: value)
    }
}
