import ShuntCore
import ShuntPatterns

/// Interpolated strings and variables.
extension Evaluation {
    /// The value of a template in the arena.
    ///
    /// The variables are computed first, from left to right, and the pieces appended afterwards: so a `map` with a
    /// regular expression replaces the captures for the whole string, as it does in nginx. Whether captures are escaped
    /// is an argument, not a state, and the result grows in one pass into a bounded buffer.
    mutating func evaluate(template index: TemplateIndex, escaping: Bool = false)
        throws(EvaluationFailure) -> ByteRange
    {
        let first = program.tables.parts[index]
        if first.isLast {
            switch first.kind {
            case .literal: return try append(constant: ByteRange(start: first.a, end: first.b))
            case .variable: return try value(of: first.variable)
            case .capture where !(escaping && server.needsEscape): return values.capture(first.a)
            case .capture: break
            }
        }
        let escapes = escaping && server.needsEscape
        guard first.hasVariables else {
            let mark = arena.mark
            appendPieces(from: index.position, values: 0, escaping: escapes)
            return try made(from: mark)
        }
        return try evaluate(withVariables: index.position, escaping: escapes)
    }

    /// The value of a template that has variables.
    @inline(never)
    private mutating func evaluate(withVariables index: Int, escaping: Bool) throws(EvaluationFailure) -> ByteRange {
        let base = values.pending.count
        try computeVariables(from: index)
        let mark = arena.mark
        appendPieces(from: index, values: base, escaping: escaping)
        values.pending.removeLast(values.pending.count - base)
        return try made(from: mark)
    }

    /// Computes the variables of a template, and leaves them among those that are pending.
    private mutating func computeVariables(from index: Int) throws(EvaluationFailure) {
        var position = index
        while true {
            let part = program.tables.parts[position]
            if part.kind == .variable {
                // What is put together for another variable has its price: nothing else bounds how often that is done.
                if values.depth > 0 { try spend(1) }
                let value = try value(of: part.variable)
                values.pending.append(value)
            }
            if part.isLast { return }
            position += 1
        }
    }

    /// Appends the pieces of a template; the values of its variables are pending from `base` on.
    @inline(__always)
    private func appendPieces(from index: Int, values base: Int, escaping: Bool) {
        var next = base
        var position = index
        while true {
            let part = program.tables.parts[position]
            switch part.kind {
            case .literal:
                arena.append(program.tables.constants, ByteRange(start: part.a, end: part.b))
            case .variable:
                arena.append(copyOf: values.pending[next])
                next += 1
            case .capture:
                if escaping {
                    PercentCoding.appendEscapedArguments(values.capture(part.a), to: arena)
                } else {
                    arena.append(copyOf: values.capture(part.a))
                }
            }
            if part.isLast { return }
            position += 1
        }
    }

    /// The value of a variable; empty when it has none.
    mutating func value(of index: VariableIndex) throws(EvaluationFailure) -> ByteRange {
        if let known = values.known(index) { return known }
        if index == program.urlVariable, phase == .url { return url.range }
        guard values.depth < EvaluationLimits.variableDepth else { throw failure(.recursionLimit) }
        values.depth += 1
        defer { values.depth -= 1 }
        let result = try compute(index)
        if !program.tables.variables[index].isVolatile { values.keep(result, of: index) }
        return result
    }

    /// Takes steps from what the request may take for variables that are made of others.
    mutating func spend(_ steps: Int) throws(EvaluationFailure) {
        guard values.stepsLeft >= steps else { throw failure(.stepLimit) }
        values.stepsLeft -= steps
    }

    private mutating func compute(_ variable: VariableIndex) throws(EvaluationFailure) -> ByteRange {
        // The variable is not taken out of its table, which would count references.
        switch program.tables.variables[variable].source {
        case .assigned: return .empty
        case .responseHeader: return try sentValue(variable)
        case .upstreamHeader: return try upstreamValue(variable)
        case .builtin:
            guard let builtin = BuiltinVariable(rawValue: program.tables.variables[variable].index) else {
                return .empty
            }
            return try value(of: builtin)
        case .requestHeader: return try requestHeader(program.tables.variables[variable].parameter)
        case .argument: return queryArgument(program.tables.variables[variable].parameter)
        case .cookie: return try cookie(program.tables.variables[variable].parameter)
        case .map: return try value(ofMap: Int(program.tables.variables[variable].index))
        case .split: return try value(ofSplit: Int(program.tables.variables[variable].index))
        case .geo: return try value(ofGeo: Int(program.tables.variables[variable].index))
        case .input:
            let number = Int(program.tables.variables[variable].index)
            if let given = request.input(program.tables.inputs[number].name) { return try append(given) }
            let defaultValue = program.tables.inputs[number].defaultValue
            return defaultValue.isNone ? .empty : try evaluate(template: defaultValue)
        case .external:
            guard let given = request.input(program.tables.variables[variable].name) else {
                return try upstreamValue(variable)
            }
            return try append(given)
        }
    }

    /// Evaluates what a `map`, a `geo` or a `split_clients` reads.
    private mutating func source(_ template: TemplateIndex) throws(EvaluationFailure) -> ByteRange {
        let source = try evaluate(template: template)
        try spend(1 + source.count / 256)
        return source
    }

    private mutating func value(ofMap index: Int) throws(EvaluationFailure) -> ByteRange {
        let map = program.maps[index]
        var source = try source(map.source)
        var name = source
        if map.hasHosts {
            if !source.isEmpty, arena[source.end - 1] == UInt8(ascii: ".") { source.end -= 1 }
            name = try lowercased(source)
        }
        let found: TemplateIndex
        switch entry(of: map, for: source, name: name) {
        case .value(let value): found = value
        case .expression(let number):
            takeCaptures(of: program.tables.maps[index].patternNumbers[number], on: source)
            found = program.tables.maps[index].patternValues[number]
        case .limitExceeded(let number):
            // Its default could let through what the expression was written to find.
            position = program.tables.maps[index].patternPositions[number]
            throw failure(.patternLimit)
        }
        if notesEntries, !found.isNone {
            let map = program.tables.maps[index]
            note(entryAt: map.places[found], ofTableAt: map.position, for: source)
        }
        return found.isNone ? .empty : try evaluate(template: found)
    }

    @inline(__always)
    private func entry(of map: MapTables, for text: ByteRange, name: ByteRange) -> MapTables.Entry {
        arena.withBytes(text) { text in
            arena.withBytes(name) { map.entry(for: text, name: $0, scratch: memory.scratch, mode: mode) }
        }
    }

    var mode: PatternIndex.Mode { options.isLinear ? .linear : .indexed }

    private mutating func value(ofSplit index: Int) throws(EvaluationFailure) -> ByteRange {
        let source = try source(program.tables.splits[index].source)
        let hash = arena.withBytes(source) { MurmurHash2.hash($0) }
        let share = program.tables.splits[index].share(of: hash)
        recorder?.record(share: share, hash: hash, of: source, in: program.tables.splits[index], in: self)
        guard let share else { return .empty }
        if isNotingEntries { values.note(entryAt: program.tables.splits[index].shares[share].position) }
        return try append(constant: program.tables.splits[index].shares[share].value)
    }

    private mutating func value(ofGeo index: Int) throws(EvaluationFailure) -> ByteRange {
        let geo = program.geos[index]
        var address: InternetAddress?
        if !geo.source.isNone {
            let source = try source(geo.source)
            address = arena.withBytes(source) { InternetAddress(parsing: $0, allowsLeadingZeros: true) }
        } else {
            address = clientAddress()
        }
        if geo.hasProxies, let client = address {
            address =
                forwardedAddress(
                    from: client,
                    header: AddressMap.forwardedForName,
                    trusted: program.tables.geos[index].proxies,
                    isRecursive: program.tables.geos[index].isProxyRecursive
                )
                .address
        }
        guard let entry = geo.entry(for: address) else { return .empty }
        if notesEntries {
            var text = ByteRange.empty
            if let address { text = try append(Array(address.description.utf8)) }
            note(entryAt: geo.position(of: entry), ofTableAt: program.tables.geos[index].position, for: text)
        }
        return try append(constant: geo.value(of: entry))
    }

    /// True if a caller needs the entries that supply values.
    private var notesEntries: Bool { isNotingEntries || recorder != nil }

    @inline(never)
    private mutating func note(entryAt position: SourcePosition, ofTableAt table: SourcePosition, for text: ByteRange) {
        recorder?.record(entry: TableEntry(table: table, position: position), for: text, in: self)
        if isNotingEntries { values.note(entryAt: position) }
    }
}
