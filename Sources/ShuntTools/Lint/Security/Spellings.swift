import Shunt

extension LintCheck {
    static let otherSpelling = LintCheck(
        "other-spelling",
        group: .security,
        severity: .warning,
        basis: .witness
    ) { subject in
        refusedTargets(subject)
            + subject.rules.compactMap { rule in
                let operation = rule.operation
                guard operation == .block || operation == .degrade || subject.isRedirectOfURL(rule),
                    rule.expression != nil,
                    let sighting = subject.example(of: rule), case .url(let url) = sighting.request.request.subject,
                    sighting.decision.position == rule.position
                else { return nil }
                var witnesses: [LintWitness] = []
                for spelling in spellings(of: url) {
                    let witness = subject.decide(like: sighting.request) { $0.subject = .url(spelling) }
                    if witness.decision.kind == .forward { witnesses.append(witness) }
                }
                guard let first = witnesses.first else { return nil }
                let (verb, advice) =
                    switch operation {
                    case .block: ("blocked", "match_spelling loose;")
                    case .degrade: ("degraded", "match_spelling loose;")
                    default: ("redirected", "write it as a rule of a server, which sees one form of the path")
                    }
                var finding = LintFound(
                    rule.position,
                    "the same page under another spelling is not \(verb)",
                    advice: advice
                )
                if operation == .rewriteURL { finding.severity = .note }
                finding.witnesses = witnesses
                finding.remarks = ["confirmed: \(first.text)"]
                let others = witnesses.dropFirst().map { ShownBytes.text($0.request.request.url) }
                if !others.isEmpty { finding.remarks.append("also: \(others.joined(separator: ", "))") }
                return finding
            }
    }

    /// Pages of a server that are refused by a test of the path as it was sent.
    private static func refusedTargets(_ subject: LintSubject) -> [LintFound] {
        subject.rules.compactMap { rule in
            guard let answer = rule.answer, answer.status >= 400,
                (rule.ways().first ?? []).contains(where: subject.namesTarget),
                let sighting = subject.example(of: rule),
                case .target(let target, let host) = sighting.request.request.subject,
                sighting.decision.position == rule.position
            else { return nil }
            let path = Array(target.prefix { $0 != UInt8(ascii: "?") })
            let query = target[path.count...]
            var others = [[UInt8(ascii: "/")] + path, Array("/x/..".utf8) + path]
            if let letter = path.lastIndex(where: \.isASCIILetter) {
                others.insert(Array(path[..<letter]) + path[letter].percentEncoded + path[(letter + 1)...], at: 0)
            }
            for other in others {
                let witness = subject.decide(like: sighting.request) { $0.subject = .target(other + query, host: host) }
                guard witness.decision.kind == .forward || (witness.decision.status ?? 400) < 400 else { continue }
                return LintFound(
                    rule.position,
                    "the same page under another spelling is not refused: $request_uri is the path as sent",
                    advice: "test $uri, or write a location"
                )
                .confirmed(by: witness)
            }
            return nil
        }
    }

    /// The spellings of a web page's URL that servers take for one.
    private static func spellings(of url: [UInt8]) -> [[UInt8]] {
        guard let parts = HostOfURL(url), ["http", "https"].contains(String(decoding: parts.scheme, as: UTF8.self)),
            parts.port == nil, parts.rest.first == UInt8(ascii: "/"), parts.host.last != UInt8(ascii: ".")
        else { return [] }
        let head = parts.scheme + Array("://".utf8)
        let port = parts.scheme.count == 5 ? ":443" : ":80"
        var found: [[UInt8]] = []
        if let letter = parts.rest.lastIndex(where: \.isASCIILetter) {
            let byte = parts.rest[letter]
            found.append(head + parts.host + parts.rest[..<letter] + byte.percentEncoded + parts.rest[(letter + 1)...])
        }
        found.append(head + parts.host + Array(port.utf8) + parts.rest)
        found.append(head + Array("user@".utf8) + parts.host + parts.rest)
        found.append(
            parts.scheme.map { $0 & 0xdf } + Array("://".utf8) + parts.host.map { $0.isASCIILetter ? $0 & 0xdf : $0 }
                + parts.rest
        )
        found.append(head + parts.host + [UInt8(ascii: "/")] + parts.rest)
        found.append(head + parts.host + Array("/x/..".utf8) + parts.rest)
        found.append(head + parts.host + [UInt8(ascii: ".")] + parts.rest)
        return found
    }

    static let caseBypass = LintCheck(
        "case-bypass",
        group: .security,
        severity: .note,
        basis: .witness
    ) { subject in
        subject.rules.compactMap { rule in
            guard rule.operation == .block,
                rule.expression != nil,
                let sighting = subject.example(of: rule), case .url(let url) = sighting.request.request.subject,
                sighting.decision.position == rule.position, let parts = HostOfURL(url),
                let letter = parts.rest.firstIndex(where: \.isASCIILetter)
            else { return nil }
            let at = url.count - parts.rest.count + letter
            let witness = subject.decide(like: sighting.request) {
                var other = url
                other[at] ^= 0x20
                $0.subject = .url(other)
            }
            guard witness.decision.kind == .forward else { return nil }
            return LintFound(
                rule.position,
                "the path in \(url[at] & 0x20 == 0 ? "lower" : "upper") case is not blocked",
                advice: "write ~* if cases are one to the server"
            )
            .confirmed(by: witness)
        }
    }

    static let blockBeforeRename = LintCheck(
        "block-before-rename",
        group: .security,
        severity: .warning,
        basis: .witness
    ) { subject in
        let blocks = subject.rules.filter { $0.operation == .block }
        return subject.rules.compactMap { rule in
            guard rule.operation == .renameHost,
                let sighting = subject.example(of: rule),
                sighting.decision.kind == .forward, let url = sighting.decision.url, let host = HostOfURL(url)?.host
            else { return nil }
            let blocking = blocks.first { other in
                guard other < rule, let block = other.block, block.names(host.span) else { return false }
                return block.hosts != nil || other.ways().contains(where: \.isEmpty)
            }
            guard let blocking else { return nil }
            let place = subject.shown(blocking.position)
            let witness = LintWitness(request: sighting.request, decision: sighting.decision)
            return LintFound(
                rule.position,
                "this makes URLs with a host that \(place) has blocked before",
                advice: "put it above \(place)"
            )
            .confirmed(by: witness)
        }
    }

    static let blocksOwnHost = LintCheck(
        "blocks-own-host",
        group: .security,
        severity: .error,
        basis: .witness
    ) { subject in
        var hosts: [(word: Word, host: [UInt8])] = []
        for name in ["server_name", "rename_host"] {
            for node in subject.tree.named[name] ?? [] {
                let words = subject.tree.nodes[node].arguments
                for word in name == "rename_host" ? Array(words.suffix(1)) : words {
                    guard let pattern = HostNamePattern(word.bytes), pattern.kind == .exact,
                        pattern.literal.contains(UInt8(ascii: ".")), !pattern.literal.contains(UInt8(ascii: "$"))
                    else { continue }
                    hosts.append((word, pattern.literal))
                }
            }
        }
        return hosts.compactMap { word, host in
            let request = RequestDescription(RuleRequest(url: Array("https://".utf8) + host + [UInt8(ascii: "/")]))
            let witness = subject.decide(request)
            guard witness.decision.kind == .block, let rule = subject.model.rule(at: witness.decision.position),
                subject.blocksHosts(rule)
            else { return nil }
            let place = subject.shown(witness.decision.position)
            return LintFound(word, "this host is blocked by \(place)", advice: "let your own hosts pass before")
                .confirmed(by: witness)
        }
    }
}

extension UInt8 {
    /// The byte as `%XX`.
    fileprivate var percentEncoded: [UInt8] {
        [UInt8(ascii: "%"), (self >> 4).upperHexadecimalDigit, (self & 15).upperHexadecimalDigit]
    }
}

extension LintSubject {
    /// Returns true for a test that holds if `$request_uri` has a path.
    fileprivate func namesTarget(_ test: RuleModel.Guard) -> Bool {
        guard case .condition(let condition, let outcome) = test else { return false }
        return (condition.kind == .matches || condition.kind == .equal) && outcome != condition.isNegated
            && condition.variable?.builtin == .requestURI
    }

    /// Returns true if a rule redirects whole URLs that an expression matches.
    fileprivate func isRedirectOfURL(_ rule: RuleModel.Step) -> Bool {
        rule.urlRewrite.map { $0.status != 0 } ?? false
    }

    /// Returns true if a rule blocks hosts by their names, and not pages of them.
    fileprivate func blocksHosts(_ rule: RuleModel.Step) -> Bool {
        rule.block.map { $0.hosts != nil || $0.matcher?.kind == .host } ?? false
    }
}
