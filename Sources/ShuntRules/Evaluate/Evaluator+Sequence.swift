import ShuntCore
import ShuntPatterns

/// How a rewrite sequence ended.
enum SequenceEnd {
    /// At its last directive, by `break`, or by `last`.
    case finished
    /// With a status that goes through `error_page`; for redirects the Location is pending.
    case status(Int32)
    /// With a response that was sent, or a failure.
    case decided
}

/// The directives of the rewrite module: http://nginx.org/en/docs/http/ngx_http_rewrite_module.html
extension Evaluator {
    /// Runs the sequence that begins at instruction `start`.
    func runSequence(from start: Int32) -> SequenceEnd {
        var pc = Int(start)
        escapesCaptures = true
        while true {
            let instruction = program.instructions[pc]
            switch instruction.operation {
            case .end:
                return .finished
            case .rewrite:
                var ahead = 0
                if instruction.chain >= 0, usesIndex {
                    ahead = nextRewrite(of: instruction)
                    if ahead == Self.failed { return .decided }
                    if ahead < 0 {
                        captureCount = 0
                        pc = Int(program.chains[Int(instruction.chain)].end)
                        continue
                    }
                } else {
                    position = instruction.position
                    let rewrite = program.rewrites[Int(instruction.a)]
                    guard let matched = match(rewrite.pattern, on: uri) else { return .decided }
                    guard matched else {
                        recorder?.record(rule: pc, result: .skipped, in: self)
                        captureCount = 0
                        pc += 1
                        continue
                    }
                }
                let rule = program.rewrites[Int(instruction.a) + ahead]
                position = rule.position
                pc += ahead
                if let end = apply(rule, at: pc) { return end }
            case .finish:
                position = instruction.position
                return finish(program.returns[Int(instruction.a)], at: pc)
            case .set:
                position = instruction.position
                guard assign(instruction, at: pc) else { return .decided }
            case .stop, .last:
                recorder?.record(rule: pc, result: .ended, in: self)
                if uriChanged {
                    uriChanged = false
                    locationIsValid = false
                }
                return .finished
            case .test, .testNot:
                if instruction.chain >= 0, usesIndex {
                    pc = nextTest(of: instruction)
                    if pc == Self.failed { return .decided }
                    continue
                }
                position = instruction.position
                guard let holds = holds(instruction.a) else { return .decided }
                if holds != (instruction.operation == .test) {
                    pc = Int(instruction.b)
                    continue
                }
            case .enter:
                position = instruction.position
                enter(settings: instruction.a)
            case .jump:
                pc = Int(instruction.b)
                continue
            case .match, .renameHost, .rewriteURL, .degrade, .block:
                break
            }
            pc += 1
        }
    }

    /// Applies a rewrite whose expression has just matched; nil to go on with the next directive.
    private func apply(_ rule: RewriteRule, at pc: Int) -> SequenceEnd? {
        if rule.status != 0 {
            guard let location = redirectTarget(rule) else { return .decided }
            pendingLocation = location
            hasPendingLocation = true
            isInternal = true
            receivedTargetIsValid = false
            recorder?.record(rule: pc, result: .decided, in: self)
            return .status(rule.status)
        }
        guard let path = evaluate(template: rule.target) else { return .decided }
        if rule.arguments >= 0 {
            guard let new = evaluate(template: rule.arguments, escaping: true) else { return .decided }
            arguments = rule.keepsArguments && !arguments.isEmpty ? join(new, "&", arguments) : new
        } else if !rule.keepsArguments {
            arguments = .empty
        }
        escapesCaptures = false
        isInternal = true
        receivedTargetIsValid = false
        if rule.flow == .stop {
            uriChanged = false
            locationIsValid = false
        } else {
            uriChanged = true
        }
        uri = path
        changePosition = position
        recorder?.record(rule: pc, result: .matched, in: self)
        guard !uri.isEmpty else {
            fail(.emptyPath, status: 500)
            return .status(500)
        }
        return rule.flow == .next ? nil : .finished
    }

    /// The Location of a redirecting rewrite: captures escaped, then unescaped as a whole, then the old arguments.
    private func redirectTarget(_ rule: RewriteRule) -> ByteRange? {
        guard let whole = evaluate(template: rule.target, escaping: true) else { return nil }
        escapesCaptures = false
        let unescaped = PercentCoding.unescapingRedirect(whole, in: arena)
        guard rule.keepsArguments, !arguments.isEmpty else { return unescaped }
        let mark = arena.mark
        arena.append(copyOf: unescaped)
        arena.append(rule.hasQuestionMark ? UInt8(ascii: "&") : UInt8(ascii: "?"))
        arena.append(copyOf: arguments)
        return arena.range(from: mark)
    }

    private func join(_ left: ByteRange, _ separator: Unicode.Scalar, _ right: ByteRange) -> ByteRange {
        let mark = arena.mark
        arena.append(copyOf: left)
        arena.append(UInt8(ascii: separator))
        arena.append(copyOf: right)
        return arena.range(from: mark)
    }

    private func finish(_ rule: ReturnRule, at pc: Int) -> SequenceEnd {
        // The status is known to the text: nginx sets it before it evaluates what it sends.
        if rule.form != .error { responseStatus = rule.status }
        var text = ByteRange.empty
        if rule.text >= 0 {
            guard let value = evaluate(template: rule.text) else { return .decided }
            text = value
        }
        switch rule.form {
        case .redirect:
            pendingLocation = text
            hasPendingLocation = true
            recorder?.record(rule: pc, result: .decided, in: self)
            return .status(rule.status)
        case .error:
            recorder?.record(rule: pc, result: .decided, in: self)
            return .status(rule.status)
        case .send:
            respond(status: rule.status, body: text)
            recorder?.record(rule: pc, result: .decided, in: self)
            return .decided
        }
    }
}
