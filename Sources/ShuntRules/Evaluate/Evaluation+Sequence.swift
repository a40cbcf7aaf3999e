import ShuntCore

/// The end of a rewrite sequence.
enum SequenceEnd {
    /// At its last directive, by `break`, or by `last`.
    case finished
    /// With a status that goes through `error_page`; for redirects the Location is pending.
    case status(Int32)
    /// With a response that was sent.
    case decided
}

/// The directives of the rewrite module: http://nginx.org/en/docs/http/ngx_http_rewrite_module.html
extension Evaluation {
    /// Runs the sequence that begins at instruction `start`.
    mutating func runSequence(from start: InstructionIndex) throws(EvaluationFailure) -> SequenceEnd {
        var pc = start.position
        values.escapesCaptures = true
        while true {
            let instruction = program.tables.instructions[pc]
            switch instruction.operation {
            case .end:
                return .finished
            case .rewrite:
                var ahead = 0
                if !instruction.chain.isNone, usesIndex {
                    guard let found = try nextRewrite(of: instruction) else {
                        values.captureCount = 0
                        let chain = instruction.chain.position
                        if program.chainTables[chain].endsSequence { return .finished }
                        pc = program.chainTables[chain].end.position
                        continue
                    }
                    ahead = found
                } else {
                    position = instruction.position
                    let rewrite = program.tables.rewrites[instruction.a]
                    guard try match(rewrite.pattern, on: server.uri) else {
                        recorder?.record(rule: pc, result: .skipped, in: self)
                        values.captureCount = 0
                        pc += 1
                        continue
                    }
                }
                let record = program.rewrites[Int(instruction.a.number) &+ ahead]
                position = record.rule.position
                pc &+= ahead
                if let end = try apply(record, at: pc) { return end }
            case .listed:
                position = instruction.position
                let rule = program.tables.listRules[instruction.a]
                if try turnsAway(rule, host: server.host, at: pc) { return .status(rule.status) }
            case .redirects:
                position = instruction.position
                if let end = try redirect(by: TableIndex(instruction.a), at: pc) { return end }
            case .finish:
                position = instruction.position
                return try finish(program.tables.returns[instruction.a], at: pc)
            case .set, .decode, .encode:
                position = instruction.position
                try assign(instruction, at: pc)
            case .removeArguments:
                position = instruction.position
                try removeArguments(TableIndex(instruction.a), at: pc)
            case .stop, .last:
                recorder?.record(rule: pc, result: .ended, in: self)
                if server.uriChanged {
                    server.uriChanged = false
                    server.locationIsValid = false
                }
                return .finished
            case .test, .testNot:
                if !instruction.chain.isNone, usesIndex {
                    pc = try nextTest(of: instruction)
                    continue
                }
                position = instruction.position
                if try holds(ConditionIndex(instruction.a)) != (instruction.operation == .test) {
                    pc = Int(instruction.target.number)
                    continue
                }
            case .enter:
                position = instruction.position
                enter(settings: SettingsIndex(instruction.a))
            case .jump:
                pc = Int(instruction.target.number)
                continue
            default:
                // Rules on whole URLs have a separate phase.
                break
            }
            pc += 1
        }
    }

    /// Applies a rewrite whose expression has just matched; nil to continue with the next directive.
    @inline(__always)
    private mutating func apply(_ record: RewriteRecord, at pc: Int) throws(EvaluationFailure) -> SequenceEnd? {
        let rule = record.rule
        if rule.status != 0 {
            answer.location = try redirectTarget(rule)
            answer.hasLocation = true
            server.isInternal = true
            server.receivedTargetIsValid = false
            recorder?.record(rule: pc, result: .decided, in: self)
            return .status(rule.status)
        }
        if rule.flow != .next { beginURL() }
        let path = try path(of: record)
        if !rule.arguments.isNone {
            let new = try evaluate(template: rule.arguments, escaping: true)
            server.arguments =
                rule.keepsArguments && !server.arguments.isEmpty
                ? try join(new, separator: "&", right: server.arguments) : new
        } else if !rule.keepsArguments {
            server.arguments = .empty
        }
        values.escapesCaptures = false
        server.isInternal = true
        server.receivedTargetIsValid = false
        if rule.flow == .stop {
            server.uriChanged = false
            server.locationIsValid = false
        } else {
            server.uriChanged = true
        }
        server.uri = path
        changePosition = position
        recorder?.record(rule: pc, result: .matched, in: self)
        guard !server.uri.isEmpty else { throw failure(.emptyPath) }
        return rule.flow == .next ? nil : .finished
    }

    @inline(__always)
    private mutating func path(of record: RewriteRecord) throws(EvaluationFailure) -> ByteRange {
        guard let text = record.text else { return try evaluate(template: record.rule.target) }
        let mark = arena.mark
        arena.append(text.block, count: text.count)
        let captures = record.captures
        if captures.first > 0 {
            arena.append(copyOf: values.capture(captures.first))
            if captures.second > 0 {
                if record.separator > 0 { arena.append(record.separator) }
                arena.append(copyOf: values.capture(captures.second))
            }
        }
        return try made(from: mark)
    }

    /// The Location of a redirecting rewrite: captures escaped, then unescaped as a whole, then the old arguments.
    private mutating func redirectTarget(_ rule: RewriteRule) throws(EvaluationFailure) -> ByteRange {
        let whole = try evaluate(template: rule.target, escaping: true)
        values.escapesCaptures = false
        let unescaped = PercentCoding.unescapingRedirect(whole, in: arena)
        if arena.overflowed { throw failure(.valueTooLong) }
        guard rule.keepsArguments, !server.arguments.isEmpty else { return unescaped }
        let mark = arena.mark
        arena.append(copyOf: unescaped)
        arena.append(rule.hasQuestionMark ? UInt8(ascii: "&") : UInt8(ascii: "?"))
        arena.append(copyOf: server.arguments)
        return try made(from: mark)
    }

    private func join(
        _ left: ByteRange,
        separator: Unicode.Scalar,
        right: ByteRange
    ) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(copyOf: left)
        arena.append(UInt8(ascii: separator))
        arena.append(copyOf: right)
        return try made(from: mark)
    }

    private mutating func finish(_ rule: ReturnRule, at pc: Int) throws(EvaluationFailure) -> SequenceEnd {
        // The status is known to the text: nginx sets it before it evaluates what it sends.
        if rule.form != .error { (answer.responseStatus, answer.dropsBody) = (rule.status, true) }
        let text = !rule.text.isNone ? try evaluate(template: rule.text) : .empty
        switch rule.form {
        case .redirect:
            answer.location = text
            answer.hasLocation = true
            recorder?.record(rule: pc, result: .decided, in: self)
            return .status(rule.status)
        case .error:
            recorder?.record(rule: pc, result: .decided, in: self)
            return .status(rule.status)
        case .send:
            let status = answer.errorStatus != 0 ? answer.errorStatus : rule.status
            if unmet == 412, status == 200, !server.isQuestion { return .status(unmet) }
            try respond(status: rule.status, body: text)
            recorder?.record(rule: pc, result: .decided, in: self)
            return .decided
        }
    }
}
