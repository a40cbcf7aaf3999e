import ShuntCore
import ShuntPatterns

/// `redirects`: the row of a list for a request, found by its key.
extension Evaluation {
    /// The parts of a request that rows are found by.
    private struct Page {
        var isSecure: Bool
        var host: ByteRange
        /// The path as rules see it.
        var path: ByteRange
        var arguments: ByteRange
        /// The values that conditions on the client are compared with.
        var country = ByteRange.empty
        var language = ByteRange.empty
        var role = ByteRange.empty
    }

    private struct FoundRow {
        var number: Int32
        /// The group and the expression of a row with wildcards; -1 for any other.
        var group = 0
        var pattern = -1
        var subject = ByteRange.empty
        var isOverLimit = false
    }

    /// The place of the rule of an instruction: of a list that of the row that was found.
    func rulePosition(at pc: Int, _ result: Trace.Step.Result) -> SourcePosition {
        let instruction = program.tables.instructions[pc]
        let isList = instruction.operation == .redirects || instruction.operation == .listed
        return isList && result != .skipped ? position : instruction.position
    }

    /// Decides about the URL by a row of a list.
    mutating func redirectURL(by index: TableIndex<RedirectList>, at pc: Int) throws(EvaluationFailure)
        -> RewriteRule.Flow
    {
        guard let page = try pageOfURL(), let row = try findRow(of: page, in: index) else {
            recorder?.record(rule: pc, result: .skipped, in: self)
            return .next
        }
        guard row.status < 400 else {
            recorder?.record(rule: pc, result: .decided, in: self)
            block(status: Int32(row.status))
            return .stop
        }
        let target = try target(of: row, page, in: index, afterOrigin: row.isPath)
        if row.status == 200 {
            try replaceURL(by: target)
            recorder?.record(rule: pc, result: .matched, in: self)
            return .next
        }
        try finish(.redirect, with: target)
        answer.outcome.status = Int32(row.status)
        recorder?.record(rule: pc, result: .decided, in: self)
        return .stop
    }

    /// Decides about the request of a server by a row of a list; nil to continue with the next directive.
    mutating func redirect(by index: TableIndex<RedirectList>, at pc: Int) throws(EvaluationFailure) -> SequenceEnd? {
        let page = Page(isSecure: server.isSecure, host: server.host, path: server.uri, arguments: server.arguments)
        guard let row = try findRow(of: page, in: index, besideFiles: true) else {
            recorder?.record(rule: pc, result: .skipped, in: self)
            return nil
        }
        if row.status == 200 {
            let target = try target(of: row, page, in: index, afterOrigin: false)
            let (path, arguments) = try decodedTarget(target)
            server.uri = path
            server.arguments = arguments
            server.uriChanged = true
            server.isInternal = true
            server.receivedTargetIsValid = false
            changePosition = position
            recorder?.record(rule: pc, result: .matched, in: self)
            return .finished
        }
        if row.status < 400 {
            answer.responseStatus = Int32(row.status)
            answer.location = try target(of: row, page, in: index, afterOrigin: false)
            answer.hasLocation = true
        }
        recorder?.record(rule: pc, result: .decided, in: self)
        return .status(Int32(row.status))
    }

    /// The parts of the URL in the URL phase; nil for one that is not for a web server.
    private func pageOfURL() throws(EvaluationFailure) -> Page? {
        guard url.isWeb, let name = url.parts.host else { return nil }
        // A request of HTTP/1.0 may have no Host.
        let host = name.isEmpty ? ByteRange.empty : try hostOfURL()
        let target =
            try targetApart ?? ByteRange(start: url.parts.path.start, end: (url.parts.query ?? url.parts.path).end)
        guard let (path, arguments) = try? decodedTarget(target) else { return nil }
        return Page(isSecure: url.parts.scheme.count == 5, host: host, path: path, arguments: arguments)
    }

    /// The path of a target as rules see it, and its arguments.
    private func decodedTarget(_ target: ByteRange) throws(EvaluationFailure) -> (ByteRange, ByteRange) {
        if let plain = PlainTarget.read(target, in: arena) { return (plain.path, plain.arguments) }
        do throws(RequestTargetError) {
            let parsed = try RequestTarget.parse(target, in: arena, mergeSlashes: true)
            return (parsed.path, parsed.arguments)
        } catch {
            throw failure(arena.overflowed ? .valueTooLong : .malformedResult)
        }
    }

    // MARK: Looking up

    /// The row for a request, with its captures taken and its place as the current one; nil for none.
    private mutating func findRow(
        of page: Page,
        in index: TableIndex<RedirectList>,
        besideFiles: Bool = false
    ) throws(EvaluationFailure) -> RedirectList.Row? {
        let list = program.redirectLists[index.position]
        var page = page
        if list.with({ !$0.templates.isEmpty }) { try readAudience(of: list, into: &page) }
        var steps = values.stepsLeft
        let found = list.with { find(page, in: $0, steps: &steps) }
        guard steps >= 0 else { throw failure(.stepLimit) }
        values.stepsLeft = steps
        guard let found else {
            if arena.overflowed { throw failure(.valueTooLong) }
            return nil
        }
        if besideFiles, found.pattern >= 0, list.with({ $0.yieldsToFiles(found.number) }), try hasFile() { return nil }
        position = list.with { $0.position(of: Int(found.number)) }
        if found.isOverLimit { throw failure(.patternLimit) }
        if found.pattern >= 0 {
            // Another expression may have been tried after it.
            _ = list.with { match($0.groups[found.group].patterns, found.pattern, on: found.subject) }
            values.captureCount = memory.scratch.copyCaptures(to: &values.captures, movedBy: found.subject.start)
        }
        return list.with { $0.rows[Int(found.number)] }
    }

    /// Reads the values that conditions on the client are compared with.
    private mutating func readAudience(of list: UncountedReference<RedirectList>, into page: inout Page)
        throws(EvaluationFailure)
    {
        for kind in RedirectCondition.Kind.allCases {
            let template = list.with { $0.templates[kind.rawValue] }
            guard !template.isNone else { continue }
            let value = try evaluate(template: template)
            switch kind {
            case .country: page.country = value
            case .language: page.language = value
            case .role: page.role = value
            }
        }
    }

    /// Returns true if a request meets the conditions of a row on the client, which takes a step.
    private func holds(_ row: Int32, for page: Page, in list: RedirectList, steps: inout Int) -> Bool {
        guard !list.conditions.isEmpty, let conditions = list.conditions[row] else { return true }
        steps -= 1
        for index in conditions.indices {
            let value =
                switch conditions[index].kind {
                case .country: page.country
                case .language: page.language
                case .role: page.role
                }
            guard arena.withBytes(value, { conditions[index].holds(for: $0) }) else { return false }
        }
        return true
    }

    /// Returns true if the server has a file for the path of the request, or for its folder.
    private mutating func hasFile() throws(EvaluationFailure) -> Bool {
        let settings = program.tables.settings[program.tables.servers[server.index].settings]
        guard servesFiles, !settings.root.isNone || options.documentRoot != nil, let path = try requestFile(settings),
            let kind = try? lookUp(path).get().kind
        else { return false }
        guard kind == .directory else { return kind == .regular }
        for template in settings.index.isNone ? [.none] : program.tables.indexes[settings.index] {
            let name = template.isNone ? try text("index.html") : try evaluate(template: template)
            let file = try join(try join(path, try text("/")), name)
            if (try? lookUp(file).get())?.kind == .regular { return true }
        }
        return false
    }

    /// The row for a request; without steps left it is not searched any further.
    private func find(_ page: Page, in list: RedirectList, steps: inout Int) -> FoundRow? {
        var best: FoundRow?
        var bestRank = Int32.max
        let onlyQueries = list.options.query == .exact && !page.arguments.isEmpty
        for number in list.groups.indices {
            let parts = list.groups[number].parts
            if parts.contains(.query) ? page.arguments.isEmpty : onlyQueries { continue }
            guard list.groups[number].exact.count > 0 else { continue }
            let key = key(of: page, parts, ignoringSlash: list.ignoresSlash)
            guard let row = arena.withBytes(key, { list.groups[number].exact.value($0) }),
                !list.rows[Int(row)].isLeftOut
            else { continue }
            guard let rank = list.rank(of: row) else { return FoundRow(number: row) }
            if rank < bestRank { (best, bestRank) = (FoundRow(number: row), rank) }
        }
        for number in list.groups.indices where list.groups[number].patterns.count > 0 {
            let parts = list.groups[number].parts
            if parts.contains(.query) ? page.arguments.isEmpty : onlyQueries { continue }
            let subject = key(of: page, parts, ignoringSlash: false)
            let found: Int
            let isOverLimit: Bool
            var outcome = search(list.groups[number].patterns, on: subject)
            while case .match(let pattern) = outcome,
                !holds(list.groups[number].patternRows[pattern], for: page, in: list, steps: &steps)
            {
                guard steps >= 0 else { return nil }
                outcome = search(list.groups[number].patterns, on: subject, from: pattern + 1)
            }
            switch outcome {
            case .none: continue
            case .match(let pattern): (found, isOverLimit) = (pattern, false)
            case .limitExceeded(let pattern): (found, isOverLimit) = (pattern, true)
            }
            let row = FoundRow(
                number: list.groups[number].patternRows[found],
                group: number,
                pattern: found,
                subject: subject,
                isOverLimit: isOverLimit
            )
            guard let rank = list.rank(of: row.number) else { return row }
            if rank < bestRank { (best, bestRank) = (row, rank) }
        }
        return best
    }

    private func search(_ patterns: PatternIndex, on subject: ByteRange, from start: Int = 0) -> IndexOutcome {
        arena.withBytes(subject) {
            patterns.firstMatch($0, from: start, to: patterns.count, scratch: memory.scratch, mode: mode)
        }
    }

    private func match(_ patterns: PatternIndex, _ pattern: Int, on subject: ByteRange) -> IndexOutcome {
        arena.withBytes(subject) {
            patterns.firstMatch($0, from: pattern, to: pattern + 1, scratch: memory.scratch, mode: mode)
        }
    }

    /// The parts of a request that the rows of a group are found by, as one text.
    private func key(of page: Page, _ parts: RedirectList.Parts, ignoringSlash: Bool) -> ByteRange {
        var path = page.path
        if ignoringSlash, path.count > 1, arena[path.end - 1] == UInt8(ascii: "/") { path.end -= 1 }
        if parts.isEmpty { return path }
        let mark = arena.mark
        if parts.contains(.scheme) { arena.append(page.isSecure ? "https://" : "http://") }
        if parts.contains(.host) { arena.append(copyOf: page.host) }
        arena.append(copyOf: path)
        if parts.contains(.query) {
            arena.append(UInt8(ascii: "?"))
            arena.append(copyOf: page.arguments)
        }
        // Without room there is no key, and the lookup fails.
        return arena.overflowed ? .empty : arena.range(from: mark)
    }

    // MARK: The target

    /// The target of a row for a request: captures encoded, the query before the fragment.
    private func target(
        of row: RedirectList.Row,
        _ page: Page,
        in index: TableIndex<RedirectList>,
        afterOrigin: Bool
    ) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        if afterOrigin, let authority = url.parts.authority, !authority.isEmpty {
            arena.append(page.isSecure ? "https://" : "http://")
            arena.append(copyOf: ByteRange(start: url.parts.host?.start ?? authority.start, end: authority.end))
        }
        program.redirectLists[index.position].with { append(row, page: page, bytes: $0.targets) }
        var target = try made(from: mark)
        // What a capture begins with must not make a host of what comes after it.
        let slash = UInt8(ascii: "/")
        while target.count > 1, arena[target.start] == slash, arena[target.start + 1] == slash { target.start += 1 }
        return target
    }

    private func append(_ row: RedirectList.Row, page: Page, bytes: [UInt8]) {
        let question = UInt8(ascii: "?")
        var adds = row.keepsQuery && !page.arguments.isEmpty
        var hasQuery = false
        var run = row.target.start
        var index = run
        while index < row.target.end {
            let byte = bytes[Int(index)]
            if byte == question { hasQuery = true }
            if byte == RedirectList.captureMark {
                arena.append(bytes, ByteRange(start: run, end: index))
                append(capture: bytes[Int(index) + 1], inQuery: hasQuery)
                index += 1
                run = index + 1
            } else if byte == UInt8(ascii: "#"), adds {
                arena.append(bytes, ByteRange(start: run, end: index))
                run = index
                append(arguments: page.arguments, after: hasQuery)
                adds = false
            }
            index += 1
        }
        arena.append(bytes, ByteRange(start: run, end: row.target.end))
        if adds { append(arguments: page.arguments, after: hasQuery) }
    }

    /// Appends a capture: encoded for its place, unless it has its escapes from the query.
    private func append(capture number: UInt8, inQuery: Bool) {
        let text = values.capture(Int32(number & ~RedirectList.queryFlag))
        let set =
            number & RedirectList.queryFlag != 0
            ? Self.queryTextBytes : inQuery ? PercentCoding.argumentBytes : PercentCoding.uriBytes
        PercentCoding.appendEscaping(set, in: text, to: arena)
    }

    /// The bytes that are escaped in a text with escapes.
    private static let queryTextBytes = ByteSet(0x00...0x20).union(ByteSet(0x7f...0xff))
        .union(ByteSet(ascii: "\"#<>?\\^`{|}"))

    private func append(arguments: ByteRange, after hasQuery: Bool) {
        arena.append(hasQuery ? UInt8(ascii: "&") : UInt8(ascii: "?"))
        arena.append(copyOf: arguments)
    }
}
