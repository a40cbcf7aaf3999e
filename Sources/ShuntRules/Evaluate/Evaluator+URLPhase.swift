import ShuntCore
import ShuntPatterns
import ShuntRouting

/// The rules on the whole URL: once, top to bottom, each seeing what those before it left.
extension Evaluator {
    /// Takes the URL apart; false after a failure.
    func parseURL(allowsEmptyHost: Bool = false) -> Bool {
        do throws(URLSyntaxError) {
            parts = try URLParser.parse(url, in: arena, allowsEmptyHost: allowsEmptyHost)
            return true
        } catch {
            urlError = error
            fail(urlChanged ? .malformedResult : .malformedURL, status: urlChanged ? 500 : 400)
            return false
        }
    }

    /// The host of the URL as names are compared with it: decoded, in lower case, without a dot at its end, and an IPv6
    /// address in its shortest form.
    ///
    /// Otherwise `ads%2eexample.com` and `ads.example.com.` would slip past a rule for `ads.example.com`.
    func hostOfURL() -> ByteRange {
        guard let host = parts.host else { return .empty }
        let name = (try? HostName.normaliseURLHost(host, in: arena)) ?? lowercased(host)
        guard !name.isEmpty, arena[name.start] == UInt8(ascii: "[") else { return name }
        return append(InternetAddress.canonicalHost(arena.array(name)))
    }

    /// Runs the URL phase; false when it decided.
    func runURLPhase() -> Bool {
        guard program.urlPhase >= 0 else { return true }
        recorder?.record(phase: "url", at: .none, in: self)
        return runURLRules(from: Int(program.urlPhase))
    }

    private func runURLRules(from start: Int) -> Bool {
        var pc = start
        while true {
            var instruction = program.instructions[pc]
            if instruction.chain >= 0, usesIndex {
                pc = nextLink(of: instruction)
                if pc < 0 { return false }
                instruction = program.instructions[pc]
            }
            position = instruction.position
            switch instruction.operation {
            case .end, .last:
                return true
            case .stop:
                recorder?.record(rule: pc, result: .ended, in: self)
                changePosition = position
                forwardURL()
                return false
            case .jump:
                pc = Int(instruction.b)
                continue
            case .test, .testNot:
                guard let holds = holds(instruction.a) else { return false }
                if holds != (instruction.operation == .test) {
                    pc = Int(instruction.b)
                    continue
                }
            case .set:
                guard assign(instruction, at: pc) else { return false }
            case .match:
                guard let applies = applies(instruction.a) else { return false }
                recorder?.record(rule: pc, result: applies ? .matched : .skipped, in: self)
                if !applies {
                    pc = Int(instruction.b)
                    continue
                }
            case .renameHost:
                guard renameHost(instruction.a, at: pc) else { return false }
            case .rewriteURL:
                switch rewriteURL(program.urlRewrites[Int(instruction.a)], at: pc) {
                case .next: break
                case .last: return true
                case .stop: return false
                }
            case .degrade:
                guard degrade(program.degrades[Int(instruction.a)], at: pc) else { return false }
            case .block:
                guard block(program.blocks[Int(instruction.a)], at: pc) else { return false }
            case .rewrite, .finish, .enter:
                break
            }
            pc += 1
        }
    }

    /// Whether consecutive rules are looked up at once: not when every rule is to be shown.
    var usesIndex: Bool { !options.isLinear && recorder == nil }

    /// Whether the matcher holds for the URL as it stands; nil after a failure.
    ///
    /// Sets captures.
    func applies(_ index: Int32) -> Bool? {
        let matcher = program.matchers[Int(index)]
        switch matcher.kind {
        case .any:
            return true
        case .url:
            return match(matcher.pattern, on: url)
        case .host:
            if hostIsProven {
                hostIsProven = false
                return true
            }
            guard parts.host != nil else { return false }
            let host = hostOfURL()
            let matchesName = arena.withBytes(host) { bytes in
                for name in matcher.names where program.hostNames[name].matches(bytes) { return true }
                return false
            }
            if matchesName { return true }
            for pattern in matcher.hostPatterns {
                guard let matched = match(program.hostPatterns[pattern], on: host) else { return nil }
                if matched { return true }
            }
            return false
        }
    }

    /// Puts `range` in the place of the URL; false when it is no URL.
    private func replaceURL(by range: ByteRange) -> Bool {
        url = range
        urlChanged = true
        changePosition = position
        return parseURL()
    }

    private func renameHost(_ index: Int32, at pc: Int) -> Bool {
        let rename = program.renames[Int(index)]
        guard let applies = applies(rename.matcher) else { return false }
        guard applies, let host = parts.host else {
            recorder?.record(rule: pc, result: .skipped, in: self)
            return true
        }
        guard let target = evaluate(template: rename.target) else { return false }
        let mark = arena.mark
        arena.append(copyOf: ByteRange(start: url.start, end: host.start))
        if rename.name >= 0 {
            appendKeptLabels(of: host, before: program.hostNames[Int(rename.name)], target: target)
        } else {
            arena.append(copyOf: target)
        }
        arena.append(copyOf: ByteRange(start: host.end, end: url.end))
        let path = ByteRange(start: parts.path.start, end: url.end)
        guard replaceURL(by: arena.range(from: mark)), keeps(path) else { return false }
        recorder?.record(rule: pc, result: .matched, in: self)
        return true
    }

    /// Whether the URL still ends with what stood behind its authority; a failure when a new part has spilled over.
    func keeps(_ tail: ByteRange) -> Bool {
        if areEqual(ByteRange(start: parts.path.start, end: url.end), tail),
            !(parts.host?.isEmpty ?? false && schemeIsHTTP)
        {
            return true
        }
        fail(.malformedResult, status: 500)
        return false
    }

    /// Appends the new host, with the labels that a wildcard stood for.
    private func appendKeptLabels(of host: ByteRange, before name: HostNamePattern, target: ByteRange) {
        let literal = Int32(name.literal.count)
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

    private func rewriteURL(_ rule: URLRewrite, at pc: Int) -> RewriteRule.Flow {
        guard let matched = match(rule.pattern, on: url) else { return .stop }
        guard matched else {
            recorder?.record(rule: pc, result: .skipped, in: self)
            return .next
        }
        guard let target = evaluate(template: rule.target) else { return .stop }
        if rule.status != 0 {
            outcome.action = .redirect
            outcome.status = rule.status
            outcome.url = target
            finishURL()
            recorder?.record(rule: pc, result: .decided, in: self)
            return .stop
        }
        guard replaceURL(by: target) else { return .stop }
        recorder?.record(rule: pc, result: .matched, in: self)
        if rule.flow == .stop { forwardURL() }
        return rule.flow
    }

    private func degrade(_ rule: DegradeRule, at pc: Int) -> Bool {
        guard let applies = applies(rule.matcher) else { return false }
        guard applies else {
            recorder?.record(rule: pc, result: .skipped, in: self)
            return true
        }
        guard let target = evaluate(template: rule.target) else { return false }
        guard isWebURL(target) else {
            fail(.degradedElsewhere, status: 500)
            recorder?.record(rule: pc, result: .decided, in: self)
            return false
        }
        outcome.action = .degrade
        outcome.url = target
        finishURL()
        recorder?.record(rule: pc, result: .decided, in: self)
        return false
    }

    /// Whether a browser would ask a server for the URL: `javascript:` and the like come from requests only.
    private func isWebURL(_ url: ByteRange) -> Bool {
        for scheme in ["https://", "http://"] where url.count > scheme.utf8.count {
            var isEqual = true
            for (offset, byte) in scheme.utf8.enumerated()
            where arena[url.start + Int32(offset)].asciiLowercased != byte { isEqual = false }
            if isEqual { return true }
        }
        return false
    }

    private func block(_ rule: BlockRule, at pc: Int) -> Bool {
        let applies: Bool
        if rule.list >= 0 {
            applies = parts.host != nil && isListed(hostOfURL(), in: rule.list)
        } else {
            guard let holds = self.applies(rule.matcher) else { return false }
            applies = holds
        }
        recorder?.record(rule: pc, result: applies ? .decided : .skipped, in: self)
        guard applies else { return true }
        outcome.action = .block
        outcome.status = rule.status
        outcome.position = position
        return false
    }

    private func isListed(_ host: ByteRange, in list: Int32) -> Bool {
        program.hostLists[Int(list)].with { list in arena.withBytes(host) { list.contains($0) } }
    }

    /// Ends with a URL that a rule made: what would break a header is encoded.
    private func finishURL() {
        outcome.url = safeHeaderValue(outcome.url)
        outcome.hasURL = true
        outcome.position = position
    }

    /// Ends with the URL as it stands.
    func forwardURL() {
        outcome.action = .forward
        outcome.url = url
        outcome.hasURL = true
        routeSubject = RouteSubject(parts)
        outcome.uri = parts.path
        outcome.arguments = parts.query ?? .empty
        outcome.hasURI = true
        outcome.position = changePosition
    }
}
