import ShuntCore
import ShuntPatterns
import ShuntRouting

/// The rules on the whole URL: once, top to bottom, each seeing what those before it left.
extension Evaluation {
    enum URLPhaseEnd {
        case undecided
        case decided
    }

    mutating func parseURL(allowsEmptyHost: Bool = false) throws(EvaluationFailure) {
        url.normalForm = nil
        url.hasMoreForms = nil
        do throws(URLSyntaxError) {
            let split = try URLParser.split(url.range, in: arena, allowsEmptyHost: allowsEmptyHost)
            url.parts = split.parts
            url.isWeb = split.isWeb
            url.hasNormalHost = split.hasNormalHost
        } catch {
            var failure = url.isChanged ? failure(.malformedResult) : failure(.malformedURL, status: 400)
            failure.urlError = error
            throw failure
        }
    }

    /// The host of the URL as names are compared with it: decoded, in lower case, without a dot at its end, and an IPv6
    /// address in its shortest form.
    ///
    /// Otherwise `ads%2eexample.com` and `ads.example.com.` would slip past a rule for `ads.example.com`.
    func hostOfURL() throws(EvaluationFailure) -> ByteRange {
        guard let host = url.parts.host else { return .empty }
        if url.hasNormalHost { return host }
        var name = host
        do throws(HostNameError) {
            name = try HostName.normaliseURLHost(host, in: arena)
        } catch {
            if error == .noRoom { throw failure(.valueTooLong) }
            name = try lowercased(host)
        }
        guard !name.isEmpty, arena[name.start] == UInt8(ascii: "[") else { return name }
        return try append(InternetAddress.canonicalHost(arena.array(name)))
    }

    mutating func runURLPhase() throws(EvaluationFailure) -> URLPhaseEnd {
        guard !program.tables.urlPhase.isNone else { return .undecided }
        recorder?.record(phase: "url", at: .none, in: self)
        if passesQuietRules { foundRules.forget() }
        return try runURLRules(from: program.tables.urlPhase.position)
    }

    private mutating func runURLRules(from start: Int) throws(EvaluationFailure) -> URLPhaseEnd {
        var pc = start
        // Who records wants to know of each test.
        let passesQuietRules = passesQuietRules && recorder == nil
        while true {
            let isFound = passesQuietRules ? try passQuietRules(&pc) : false
            var instruction = program.tables.instructions[pc]
            var hostIsProven = false
            if !isFound, !instruction.chain.isNone, instruction.operation != .test, instruction.operation != .testNot,
                usesIndex
            {
                let link = try nextLink(of: instruction)
                pc = link.instruction
                hostIsProven = link.hostIsProven
                instruction = program.tables.instructions[pc]
            }
            position = instruction.position
            switch instruction.operation {
            case .end, .last:
                return .undecided
            case .stop:
                recorder?.record(rule: pc, result: .ended, in: self)
                changePosition = position
                try forwardURL()
                return .decided
            case .jump:
                pc = Int(instruction.target.number)
                continue
            case .test, .testNot:
                // Who records wants to know of each test.
                if !instruction.chain.isNone, usesIndex, recorder == nil {
                    pc = try nextExclusion(of: instruction)
                    continue
                }
                if try holds(ConditionIndex(instruction.a)) != (instruction.operation == .test) {
                    pc = Int(instruction.target.number)
                    continue
                }
            case .set, .decode, .encode:
                try assign(instruction, at: pc)
            case .removeArguments:
                try removeArguments(TableIndex(instruction.a), at: pc)
            case .match:
                let applies = try applies(MatcherIndex(instruction.a), hostIsProven)
                recorder?.record(rule: pc, result: applies ? .matched : .skipped, in: self)
                if !applies {
                    pc = Int(instruction.target.number)
                    continue
                }
            case .renameHost:
                try renameHost(program.tables.renames[instruction.a], hostIsProven, at: pc)
            case .rewriteURL:
                switch try rewriteURL(program.tables.urlRewrites[instruction.a], at: pc) {
                case .next: break
                case .last: return .undecided
                case .stop: return .decided
                }
            case .degrade:
                if try degrade(instruction, hostIsProven, at: pc) { return .decided }
            case .block:
                if try block(program.tables.blocks[instruction.a], hostIsProven, at: pc) { return .decided }
            case .listed:
                let rule = program.tables.listRules[instruction.a]
                if try turnsAway(rule, host: url.parts.host == nil ? .empty : hostOfURL(), at: pc) {
                    block(status: rule.status)
                    return .decided
                }
            case .redirects:
                switch try redirectURL(by: TableIndex(instruction.a), at: pc) {
                case .next: break
                case .last: return .undecided
                case .stop: return .decided
                }
            case .rewrite, .finish, .enter:
                break
            }
            pc += 1
        }
    }

    /// True if consecutive rules are looked up at once: not when every rule is to be shown.
    var usesIndex: Bool { !options.isLinear && recorder?.listsEveryRule != true }

    /// Returns true if the matcher holds for the current URL; where an index has found the host among its names,
    /// it does.
    ///
    /// Sets captures.
    private mutating func applies(_ index: MatcherIndex, _ hostIsProven: Bool) throws(EvaluationFailure) -> Bool {
        let matcher = program.tables.matchers[index]
        switch matcher.kind {
        case .url:
            return try matches(matcher)
        case .host:
            if hostIsProven { return true }
            guard url.parts.host != nil else { return false }
            let host = try hostOfURL()
            let matchesName = arena.withBytes(host) { bytes in
                for name in matcher.names where program.tables.hostNames[name].matches(bytes) { return true }
                return false
            }
            if matchesName { return true }
            for pattern in matcher.hostPatterns {
                if try match(program.tables.hostPatterns[pattern], on: host) { return true }
            }
            return false
        }
    }

    /// Puts `range` in the place of the URL; a failure when it is not a URL.
    mutating func replaceURL(by range: ByteRange) throws(EvaluationFailure) {
        url.range = range
        url.isChanged = true
        changePosition = position
        try parseURL()
    }

    private mutating func renameHost(_ rename: HostRename, _ hostIsProven: Bool, at pc: Int) throws(EvaluationFailure) {
        guard try applies(rename.matcher, hostIsProven), let host = url.parts.host else {
            recorder?.record(rule: pc, result: .skipped, in: self)
            return
        }
        let target = try evaluate(template: rename.target)
        let mark = arena.mark
        arena.append(copyOf: ByteRange(start: url.range.start, end: host.start))
        if !rename.name.isNone {
            appendKeptLabels(of: host, before: program.tables.hostNames[rename.name], target: target)
        } else {
            arena.append(copyOf: target)
        }
        arena.append(copyOf: ByteRange(start: host.end, end: url.range.end))
        let path = ByteRange(start: url.parts.path.start, end: url.range.end)
        try replaceURL(by: try made(from: mark))
        try checkTail(path)
        recorder?.record(rule: pc, result: .matched, in: self)
    }

    /// Fails unless the URL still ends with what was after its authority, so that no new part has spilled over.
    func checkTail(_ tail: ByteRange) throws(EvaluationFailure) {
        if areEqual(ByteRange(start: url.parts.path.start, end: url.range.end), tail),
            !(url.parts.host?.isEmpty ?? false && url.isWeb)
        {
            return
        }
        throw failure(.malformedResult)
    }

    /// Appends the new host, with the labels that a wildcard stood for.
    private func appendKeptLabels(of host: ByteRange, before name: HostNamePattern, target: ByteRange) {
        let literal = Int32(name.literal.count)
        // Names are compared without the dot at the end of a host.
        var host = host
        while host.count > 1, arena[host.end - 1] == UInt8(ascii: ".") { host.end -= 1 }
        switch name.kind {
        case .exact:
            arena.append(copyOf: target)
        case .subdomains:
            arena.append(copyOf: ByteRange(start: host.start, end: host.end - literal))
            arena.append(copyOf: target)
        case .domain:
            if Int32(host.count) > literal {
                arena.append(copyOf: ByteRange(start: host.start, end: host.end - literal))
            }
            arena.append(copyOf: target)
        case .prefix:
            arena.append(copyOf: target)
            arena.append(copyOf: ByteRange(start: host.start + literal, end: host.end))
        }
    }

    private mutating func rewriteURL(_ rule: URLRewrite, at pc: Int) throws(EvaluationFailure) -> RewriteRule.Flow {
        guard try match(rule.pattern, on: url.range) else {
            recorder?.record(rule: pc, result: .skipped, in: self)
            return .next
        }
        let target = try evaluate(template: rule.target)
        if rule.status != 0 {
            try finish(.redirect, with: target)
            answer.outcome.status = rule.status
            recorder?.record(rule: pc, result: .decided, in: self)
            return .stop
        }
        if !options.isLinear, let beginning = rule.beginning,
            url.replace(by: target, beginning, before: values.capture(Int32(beginning.capture)))
        {
            changePosition = position
        } else {
            try replaceURL(by: target)
        }
        recorder?.record(rule: pc, result: .matched, in: self)
        if rule.flow == .stop { try forwardURL() }
        return rule.flow
    }

    /// Returns true if it has decided.
    private mutating func degrade(_ rule: Instruction, _ hostIsProven: Bool, at pc: Int) throws(EvaluationFailure)
        -> Bool
    {
        guard try applies(MatcherIndex(rule.a), hostIsProven) else {
            recorder?.record(rule: pc, result: .skipped, in: self)
            return false
        }
        let target = try evaluate(template: TemplateIndex(rule.b))
        guard isWebURL(target) else {
            recorder?.record(rule: pc, result: .decided, in: self)
            throw failure(.degradedElsewhere)
        }
        try finish(.degrade, with: target)
        recorder?.record(rule: pc, result: .decided, in: self)
        return true
    }

    /// Returns true if a browser would ask a server for the URL: `javascript:` and the like come from requests only.
    private func isWebURL(_ url: ByteRange) -> Bool {
        for scheme in ["https://", "http://"] where url.count > scheme.utf8.count {
            var isEqual = true
            for (offset, byte) in scheme.utf8.enumerated()
            where arena[url.start + Int32(offset)].asciiLowercased != byte { isEqual = false }
            if isEqual { return true }
        }
        return false
    }

    /// Returns true if it has decided.
    private mutating func block(_ rule: BlockRule, _ hostIsProven: Bool, at pc: Int) throws(EvaluationFailure) -> Bool {
        let applies: Bool
        if !rule.list.isNone {
            applies = url.parts.host == nil ? false : isListed(try hostOfURL(), in: rule.list)
        } else {
            applies = try self.applies(rule.matcher, hostIsProven)
        }
        recorder?.record(rule: pc, result: applies ? .decided : .skipped, in: self)
        if applies { block(status: rule.status) }
        return applies
    }

    /// Turns the URL away at the current place.
    mutating func block(status: Int32) {
        answer.outcome.action = .block
        answer.outcome.status = status
        answer.outcome.position = position
    }

    func isListed(_ host: ByteRange, in list: TableIndex<HostTable>) -> Bool {
        program.hostLists[list.position].with { list in arena.withBytes(host) { list.contains($0) } }
    }

    /// Ends with a URL that a rule made: what would break a header is encoded.
    mutating func finish(_ action: Decision.Kind, with target: ByteRange) throws(EvaluationFailure) {
        answer.outcome.url = try safeHeaderValue(target)
        answer.outcome.hasURL = true
        answer.outcome.action = action
        answer.outcome.position = position
    }

    /// Ends with the current URL.
    mutating func forwardURL() throws(EvaluationFailure) {
        answer.outcome.action = .forward
        answer.outcome.url = url.range
        answer.outcome.hasURL = true
        answer.outcome.parts = RouteSubject(url.parts, movedBy: 0 &- url.range.start)
        answer.outcome.targetApart = url.isWeb ? try targetApart : DecisionPlaces.missing
        answer.outcome.uri = url.parts.path
        answer.outcome.arguments = url.parts.query ?? .empty
        answer.outcome.hasURI = true
        answer.outcome.position = changePosition
    }
}
