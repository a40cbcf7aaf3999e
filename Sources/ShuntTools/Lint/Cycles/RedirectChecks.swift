import Shunt

extension LintSubject {
    func redirectLoop() -> [LintFound] {
        var known: Set<Set<SourcePosition>> = []
        var knownURLs: Set<Set<[UInt8]>> = []
        return redirectWalks.compactMap { walk in
            guard case .circle = walk.walk.end else { return nil }
            if walk.isEntry {
                // Entries that only lead into the circle are not part of it. The first hop may change the scheme.
                let urls = walk.walk.hops.map { hop in
                    let url = url(of: hop.request.request)
                    return HostOfURL(url).map { Array($0.host) + Array($0.rest) } ?? url
                }
                guard let first = urls.first, urls.dropFirst().contains(first), knownURLs.insert(Set(urls)).inserted
                else { return nil }
            } else {
                let rules = Set(walk.walk.hops.dropLast().map(\.decision.position))
                guard known.insert(rules).inserted else { return nil }
            }
            return walk.finding(
                "a client that follows this is in a redirect loop",
                advice: "let one of the rules lead elsewhere"
            )
        }
    }

    func redirectToSelf() -> [LintFound] {
        redirectWalks.compactMap { walk in
            guard case .itself = walk.walk.end, let last = walk.walk.hops.last, last.decision.position == walk.rule,
                !walk.isEntry || walk.walk.hops.dropLast().allSatisfy({ changesSpellingOnly($0, in: walk) })
            else { return nil }
            return LintFound(
                walk.position,
                "the Location is the URL of the request",
                advice: advice(onItself: walk)
            )
            .confirmed(by: last)
        }
    }

    private func advice(onItself walk: Redirects.Walk) -> String {
        let ownServer = "put the rule into a server that does not listen there"
        guard let node = tree.directive(at: walk.rule), node.name == "rewrite", node.arguments.count > 1 else {
            if walk.isConstant || walk.isOfTable { return "lead elsewhere, or remove it" }
            let target = tree.directive(at: walk.rule)?.arguments.last
            return target?.bytes.first == UInt8(ascii: "/")
                ? "let the location or the test leave the target out" : ownServer
        }
        let test = node.parent < 0 ? [] : tree.nodes[node.parent].arguments.map(\.text)
        let testsQuery = test.contains { word in
            ["$arg", "$is_args", "$query_string", "$request_uri"].contains(where: word.contains)
        }
        if testsQuery, !node.arguments[1].text.contains("?") {
            return "end the target with ?, which leaves the query out"
        }
        if walk.isConstant || walk.isOfTable { return "lead elsewhere, or remove it" }
        return node.arguments[1].beginsWithScheme
            ? ownServer : "let the expression leave the target out"
    }

    func growingRedirect() -> [LintFound] {
        redirectWalks.compactMap { walk in
            guard case .growing = walk.walk.end, walk.walk.hops.last?.decision.position == walk.rule, !walk.isEntry
            else { return nil }
            let lengths = walk.walk.hops.suffix(5).map { "\($0.decision.urlBytes?.count ?? 0)" }
            var finding = walk.finding(
                "each hop makes the URL longer and leads here again",
                advice: "leave out what the target has already"
            )
            let lengthsOfURLs = "confirmed: the URLs have \(lengths.joined(separator: ", ")) bytes"
            finding.remarks = [lengthsOfURLs] + finding.remarks.suffix(5)
            return finding
        }
    }

    func redirectChain() -> [LintFound] {
        redirectWalks.compactMap { walk in
            let hops = walk.walk.hops
            guard case .arrived = walk.walk.end, hops.count > 1, walk.isConstant,
                let last = hops.last?.decision.urlBytes,
                hops.allSatisfy({ !changesSchemeOnly($0) && $0.decision.kind == .redirect })
            else { return nil }
            let isCut = walk.walk.isCut
            return walk.finding(
                "\(isCut ? "more than \(RedirectWalk.mostHops)" : "\(hops.count)") redirects, one after another",
                advice: isCut
                    ? "lead to the last page at once, since browsers stop here"
                    : "lead to \(ShownBytes.text(last)) at once"
            )
        }
    }

    /// The URLs of a request and of its Location; nil where one has no scheme.
    private func ends(of hop: LintWitness) -> (before: HostOfURL, after: HostOfURL)? {
        guard let before = HostOfURL(url(of: hop.request.request)),
            let after = hop.decision.urlBytes.flatMap(HostOfURL.init)
        else { return nil }
        return (before, after)
    }

    private func changesSchemeOnly(_ hop: LintWitness) -> Bool {
        guard let (before, after) = ends(of: hop) else { return false }
        return before.scheme != after.scheme && before.host == after.host && before.rest == after.rest
    }

    /// Returns true for a hop to another URL that has the same key: keys of maps have no case, and many of them no host.
    private func changesSpellingOnly(_ hop: LintWitness, in walk: Redirects.Walk) -> Bool {
        if walk.isForPath, let path = hop.decision.uri, let last = walk.walk.hops.last?.decision.uri {
            return path.map(\.asciiLowercased) == last.map(\.asciiLowercased)
        }
        guard let (before, after) = ends(of: hop) else { return false }
        return (walk.isForAllHosts || before.host == after.host)
            && before.rest.map(\.asciiLowercased) == after.rest.map(\.asciiLowercased)
    }

    /// The template of the URL that a rule sends a client to; nil for other rules.
    func target(of step: RuleModel.Step) -> RuleModel.Template? {
        switch step.action {
        case .rewrite(let rule): rule.status != 0 ? rule.target : nil
        case .rewriteURL(let rule): rule.status != 0 ? rule.target : nil
        case .answer(let answer): answer.form == .redirect ? answer.text : nil
        case .degrade(_, let target): target
        default: nil
        }
    }

    /// Returns true if a rule sends clients elsewhere.
    func redirects(_ step: RuleModel.Step) -> Bool { target(of: step) != nil }
}

/// The walks that begin at the rules that redirect.
struct Redirects {
    struct Walk {
        /// The rule, or the entry of a map that it takes its target from.
        var position: SourcePosition
        var rule: SourcePosition
        var walk: RedirectWalk
        /// True if all requests are sent to one place.
        var isConstant = false
        /// True if it begins at the one request that an entry is for.
        var isEntry = false
        /// True for an entry of a map or a row of a list.
        var isOfTable = false
        /// True for an entry whose key has no host.
        var isForAllHosts = false
        /// True for an entry whose key is a path.
        var isForPath = false

        /// The finding with all of its hops.
        fileprivate func finding(_ message: String, advice: String) -> LintFound {
            var finding = LintFound(position, message, advice: advice)
            finding.remarks = walk.remarks
            finding.witnesses = walk.hops
            return finding
        }
    }

    let walks: [Walk]

    init(_ subject: LintSubject) {
        var found: [Walk] = []
        for step in subject.rules {
            if let walk = Self.walk(throughErrorPageOf: step, subject) { found.append(walk) }
            guard let target = subject.target(of: step), let sighting = subject.decided(by: step),
                sighting.decision.kind == .redirect || sighting.decision.kind == .degrade
            else { continue }
            if let walks = Self.walks(throughTablesOf: target, of: step.position, like: sighting, subject) {
                found += walks
                continue
            }
            var walk = RedirectWalk(LintWitness(sighting), subject)
            if walk.isArrived, let other = subject.circle(near: sighting.request, of: step) { walk = other }
            found.append(Walk(position: step.position, rule: step.position, walk: walk, isConstant: target.isConstant))
        }
        walks = found + Self.walks(throughListsOf: subject)
    }

    /// The walk that begins at an error whose page is a redirect; nil for other rules.
    private static func walk(throughErrorPageOf step: RuleModel.Step, _ subject: LintSubject) -> Walk? {
        guard step.answer?.form == .error, let sighting = subject.example(of: step), sighting.decision.kind == .redirect
        else { return nil }
        let page = sighting.positions.last { subject.tree.directive(at: $0)?.name == "error_page" }
        let walk = RedirectWalk(LintWitness(sighting), subject)
        guard let page, !walk.isArrived else { return nil }
        return Walk(position: page, rule: sighting.decision.position, walk: walk, isConstant: true)
    }
}
