import Shunt

extension LintSubject {
    func otherSpelling() -> [LintFound] {
        refusedTargets()
            + rules.compactMap { rule in
                guard rule.operation == .block || rule.operation == .degrade || rule.urlRewrite?.status ?? 0 != 0,
                    rule.expression != nil, let sighting = decided(by: rule),
                    case .url(let url) = sighting.request.request.subject
                else { return nil }
                let witnesses = Self.spellings(of: url)
                    .map { spelling in decide(like: sighting.request) { $0.subject = .url(spelling) } }
                    .filter { $0.decision.kind == .forward }
                guard let first = witnesses.first else { return nil }
                let (verb, advice) =
                    switch rule.operation {
                    case .block: ("blocked", "match_spelling loose;")
                    case .degrade: ("degraded", "match_spelling loose;")
                    default: ("redirected", "write it as a rule of a server, which sees one form of the path")
                    }
                var finding = LintFound(
                    rule.position,
                    "the same page under another spelling is not \(verb)",
                    advice: advice
                )
                .rated(.note, if: rule.operation == .rewriteURL).remarking("confirmed: \(first.text)")
                finding.witnesses = witnesses
                let others = witnesses.dropFirst().map { ShownBytes.text($0.request.request.urlBytes) }
                return others.isEmpty ? finding : finding.remarking("also: \(others.joined(separator: ", "))")
            }
    }

    /// Pages of a server that are refused by a test of the path as it was sent.
    private func refusedTargets() -> [LintFound] {
        rules.compactMap { rule in
            guard let answer = rule.answer, answer.status >= 400,
                (rule.ways().first ?? []).contains(where: namesTarget), let request = decided(by: rule)?.request,
                let target = request.target
            else { return nil }
            let path = Array(target.prefix { $0 != UInt8(ascii: "?") })
            let query = target[path.count...]
            var others = [[UInt8(ascii: "/")] + path, Array("/x/..".utf8) + path]
            if let letter = path.lastIndex(where: \.isASCIILetter) {
                others.insert(Array(path[..<letter]) + path[letter].percentEncoded + path[(letter + 1)...], at: 0)
            }
            for other in others {
                guard let witness = request.asking(target: other + query).map(decide),
                    witness.decision.kind == .forward || (witness.decision.status ?? 400) < 400
                else { continue }
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

    func caseBypass() -> [LintFound] {
        rules.compactMap { rule in
            guard rule.operation == .block, rule.expression != nil, let sighting = decided(by: rule),
                case .url(let url) = sighting.request.request.subject, let parts = HostOfURL(url),
                let letter = parts.rest.firstIndex(where: \.isASCIILetter)
            else { return nil }
            let at = url.count - parts.rest.count + letter
            var other = url
            other[at] ^= 0x20
            let witness = decide(like: sighting.request) { $0.subject = .url(other) }
            guard witness.decision.kind == .forward else { return nil }
            return LintFound(
                rule.position,
                "the path in \(url[at] & 0x20 == 0 ? "lower" : "upper") case is not blocked",
                advice: "write ~* if cases are one to the server"
            )
            .confirmed(by: witness)
        }
    }

    func blockBeforeRename() -> [LintFound] {
        let blocks = rules.filter { $0.operation == .block }
        return rules.compactMap { rule in
            guard rule.operation == .renameHost, let sighting = example(of: rule),
                sighting.decision.kind == .forward, let url = sighting.decision.urlBytes,
                let host = HostOfURL(url)?.host
            else { return nil }
            let blocking = blocks.first { other in
                guard other < rule, let block = other.block, block.names(host.span) else { return false }
                return block.hosts != nil || other.ways().contains(where: \.isEmpty)
            }
            guard let place = blocking.map({ shown($0.position) }) else { return nil }
            return LintFound(
                rule.position,
                "this makes URLs with a host that \(place) has blocked before",
                advice: "put it above \(place)"
            )
            .confirmed(by: LintWitness(sighting))
        }
    }

    func blocksOwnHost() -> [LintFound] {
        let words =
            directives("server_name").flatMap(\.arguments) + directives("rename_host").compactMap(\.arguments.last)
        return words.compactMap { word in
            guard let pattern = HostNamePattern(word.bytes), pattern.kind == .exact,
                pattern.literal.contains(UInt8(ascii: ".")), !pattern.literal.contains(UInt8(ascii: "$"))
            else { return nil }
            let url = Array("https://".utf8) + pattern.literal + [UInt8(ascii: "/")]
            let witness = decide(RequestDescription(RuleRequest(url: url)))
            // A rule that blocks only pages of a host does not count.
            guard witness.decision.kind == .block, let block = model.rule(at: witness.decision.position)?.block,
                block.hosts != nil || block.matcher?.kind == .host
            else { return nil }
            let place = shown(witness.decision.position)
            return LintFound(word, "this host is blocked by \(place)", advice: "let your own hosts pass before")
                .confirmed(by: witness)
        }
    }

    /// Returns true for a test that holds if `$request_uri` has a path.
    fileprivate func namesTarget(_ test: RuleModel.Guard) -> Bool {
        guard case .condition(let condition, let outcome) = test else { return false }
        return (condition.kind == .matches || condition.kind == .equal) && outcome != condition.isNegated
            && condition.variable?.builtin == .requestURI
    }
}
