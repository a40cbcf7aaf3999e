import ShuntCore
import ShuntPatterns

/// `remove_args`, `decode` and `encode`.
extension Evaluation {
    mutating func removeArguments(_ list: TableIndex<ArgumentList>, at pc: Int) throws(EvaluationFailure) {
        let isInServer = phase == .server
        let query = isInServer ? server.arguments : url.parts.query ?? .empty
        guard let kept = try arguments(of: query, without: list) else {
            recorder?.record(rule: pc, result: .skipped, in: self)
            return
        }
        if isInServer {
            server.arguments = kept
            server.receivedTargetIsValid = false
            changePosition = position
        } else {
            let mark = arena.mark
            arena.append(copyOf: ByteRange(start: url.range.start, end: query.start - 1))
            if !kept.isEmpty {
                arena.append(UInt8(ascii: "?"))
                arena.append(copyOf: kept)
            }
            arena.append(copyOf: ByteRange(start: query.end, end: url.range.end))
            try replaceURL(by: try made(from: mark))
        }
        recorder?.record(rule: pc, result: .matched, in: self)
    }

    /// Returns the rest of a query without the arguments of a list; nil if none of them is there.
    private func arguments(of query: ByteRange, without list: TableIndex<ArgumentList>) throws(EvaluationFailure)
        -> ByteRange?
    {
        var mark: Int?
        var start = query.start
        var keptAny = false
        while start < query.end {
            var end = start
            var nameEnd = query.end
            while end < query.end, arena[end] != UInt8(ascii: "&") {
                if arena[end] == UInt8(ascii: "="), nameEnd > end { nameEnd = end }
                end &+= 1
            }
            let argument = ByteRange(start: start, end: end)
            start = end &+ 1
            guard try isListed(ByteRange(start: argument.start, end: min(nameEnd, end)), in: list) else {
                if mark != nil {
                    if keptAny { arena.append(UInt8(ascii: "&")) }
                    arena.append(copyOf: argument)
                }
                keptAny = true
                continue
            }
            guard mark == nil else { continue }
            mark = arena.mark
            // Without the `&` before the first that goes.
            if keptAny { arena.append(copyOf: ByteRange(start: query.start, end: argument.start - 1)) }
        }
        return if let mark { try made(from: mark) } else { nil }
    }

    private func isListed(_ name: ByteRange, in list: TableIndex<ArgumentList>) throws(EvaluationFailure) -> Bool {
        if name.isEmpty { return false }
        if arena.withBytes(name, { program.tables.argumentLists[list].names.value($0) }) != nil { return true }
        guard let patterns = program.tables.argumentLists[list].patterns else { return false }
        let outcome = arena.withBytes(name) {
            patterns.firstMatch($0, from: 0, to: patterns.count, scratch: memory.scratch, mode: mode)
        }
        switch outcome {
        case .none: return false
        case .match: return true
        case .limitExceeded: throw failure(.patternLimit)
        }
    }

    /// The value of the string of a `set`, a `decode` or an `encode`.
    mutating func assignedValue(of instruction: Instruction) throws(EvaluationFailure) -> ByteRange {
        switch instruction.operation {
        case .decode: try decoded(try evaluate(template: TemplateIndex(instruction.b)))
        case .encode: try encoded(try evaluate(template: TemplateIndex(instruction.b)))
        default: try evaluate(template: TemplateIndex(instruction.b), escaping: values.escapesCaptures)
        }
    }

    /// Bytes with each `%XX` resolved once; nothing where that results in a control byte, which no URL and no header
    /// may hold.
    private func decoded(_ range: ByteRange) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        var offset = range.start
        while offset < range.end {
            let unit = NormalForm.Unit(at: offset, before: range.end, in: arena)
            if unit.byte.isASCIIControl {
                arena.truncate(to: mark)
                return .empty
            }
            arena.append(unit.byte)
            offset &+= unit.length
        }
        return try made(from: mark)
    }

    /// Bytes with all but the unreserved ones as `%XX`, so that they are one value wherever they are put.
    private func encoded(_ range: ByteRange) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        for offset in range.start..<range.end {
            let byte = arena[offset]
            if URLComponentCoding.unreservedBytes.contains(byte) {
                arena.append(byte)
            } else {
                arena.append(UInt8(ascii: "%"))
                arena.append((byte &>> 4).upperHexadecimalDigit)
                arena.append(byte.upperHexadecimalDigit)
            }
        }
        return try made(from: mark)
    }
}
