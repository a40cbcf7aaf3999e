import Shunt

extension LintCheck {
    static let redirectLoop = LintCheck(
        "redirect-loop",
        group: .cycles,
        severity: .error,
        basis: .witness
    ) { subject in
        var known: Set<Set<SourcePosition>> = []
        var knownURLs: Set<Set<[UInt8]>> = []
        return Redirects(subject).walks
            .compactMap { walk in
                guard case .circle = walk.walk.end else { return nil }
                if walk.isEntry {
                    // Entries that only lead into the circle are not part of it. The first hop may change the scheme.
                    let urls = walk.walk.hops.map { withoutScheme(subject.url(of: $0.request.request)) }
                    guard let first = urls.first, urls.dropFirst().contains(first), knownURLs.insert(Set(urls)).inserted
                    else { return nil }
                } else {
                    let rules = Set(walk.walk.hops.dropLast().map(\.decision.position))
                    guard known.insert(rules).inserted else { return nil }
                }
                let advice = "let one of the rules lead elsewhere"
                var finding = LintFound(
                    walk.position,
                    "a client that follows this is in a redirect loop",
                    advice: advice
                )
                finding.remarks = walk.walk.remarks
                finding.witnesses = walk.walk.hops
                return finding
            }
    }

    static let redirectToSelf = LintCheck(
        "redirect-to-self",
        group: .cycles,
        severity: .error,
        basis: .witness
    ) { subject in
        Redirects(subject).walks
            .compactMap { walk in
                guard case .itself = walk.walk.end, let last = walk.walk.hops.last, last.decision.position == walk.rule,
                    !walk.isEntry
                        || walk.walk.hops.dropLast().allSatisfy({ changesSpellingOnly($0, in: walk, subject) })
                else { return nil }
                var finding = LintFound(
                    walk.position,
                    "the Location is the URL of the request",
                    advice: walk.isConstant || walk.isOfTable
                        ? "lead elsewhere, or remove it" : "put the rule into a server that does not listen there"
                )
                finding.remarks = ["confirmed: \(last.text)"]
                finding.witnesses = [last]
                return finding
            }
    }

    static let growingRedirect = LintCheck(
        "growing-redirect",
        group: .cycles,
        severity: .error,
        basis: .witness
    ) { subject in
        Redirects(subject).walks
            .compactMap { walk in
                guard case .growing = walk.walk.end, walk.walk.hops.last?.decision.position == walk.rule, !walk.isEntry
                else { return nil }
                let lengths = walk.walk.hops.suffix(5).map { "\($0.decision.url?.count ?? 0)" }
                var finding = LintFound(
                    walk.position,
                    "each hop makes the URL longer and leads here again",
                    advice: "leave out what the target has already"
                )
                finding.remarks =
                    ["confirmed: the URLs have \(lengths.joined(separator: ", ")) bytes"] + walk.walk.remarks.suffix(5)
                finding.witnesses = walk.walk.hops
                return finding
            }
    }

    static let redirectChain = LintCheck(
        "redirect-chain",
        group: .cycles,
        severity: .warning,
        basis: .witness
    ) { subject in
        Redirects(subject).walks
            .compactMap { walk in
                guard case .arrived = walk.walk.end, walk.walk.hops.count > 1, walk.isConstant,
                    let last = walk.walk.hops.last?.decision.url,
                    walk.walk.hops.allSatisfy({ !changesSchemeOnly($0, subject) }),
                    walk.walk.hops.allSatisfy({ $0.decision.kind == .redirect })
                else { return nil }
                let target = ShownBytes.text(last)
                var finding = LintFound(
                    walk.position,
                    "\(walk.walk.hops.count) redirects, one after another",
                    advice: "lead to \(target) at once"
                )
                finding.remarks = walk.walk.remarks
                finding.witnesses = walk.walk.hops
                return finding
            }
    }

    private static func withoutScheme(_ url: [UInt8]) -> [UInt8] {
        HostOfURL(url).map { Array($0.host) + Array($0.rest) } ?? url
    }

    private static func changesSchemeOnly(_ hop: LintWitness, _ subject: LintSubject) -> Bool {
        guard let before = HostOfURL(subject.url(of: hop.request.request)), let url = hop.decision.url,
            let after = HostOfURL(url)
        else { return false }
        return before.scheme != after.scheme && before.host == after.host && before.rest == after.rest
    }

    /// Returns true for a hop to another URL that has the same key: keys of maps have no case, and many of them no host.
    private static func changesSpellingOnly(_ hop: LintWitness, in walk: Redirects.Walk, _ subject: LintSubject) -> Bool
    {
        guard let before = HostOfURL(subject.url(of: hop.request.request)), let url = hop.decision.url,
            let after = HostOfURL(url)
        else { return false }
        return (walk.isForAllHosts || before.host == after.host)
            && before.rest.map(\.asciiLowercased) == after.rest.map(\.asciiLowercased)
    }
}

/// The walks that begin at the rules that redirect.
struct Redirects {
    struct Walk {
        /// The rule, or the entry of a map that it takes its target from.
        var position: SourcePosition
        var rule: SourcePosition
        var walk: RedirectWalk
        /// True if all requests are sent to one place.
        var isConstant: Bool
        /// True if it begins at the one request that an entry is for.
        var isEntry: Bool
        /// True for an entry of a map or a row of a list.
        var isOfTable: Bool
        /// True for an entry whose key has no host.
        var isForAllHosts = false

        init(
            _ position: SourcePosition,
            rule: SourcePosition,
            _ walk: RedirectWalk,
            isConstant: Bool,
            isEntry: Bool = false,
            isOfTable: Bool = false
        ) {
            self.position = position
            self.rule = rule
            self.walk = walk
            self.isConstant = isConstant
            self.isEntry = isEntry
            self.isOfTable = isOfTable || isEntry
        }
    }

    let walks: [Walk]

    init(_ subject: LintSubject) {
        if let known = subject.redirectWalks {
            walks = known
            return
        }
        var found: [Walk] = []
        for step in subject.rules {
            let position = step.position
            if let walk = Self.walk(throughErrorPageOf: step, subject) { found.append(walk) }
            guard let target = subject.target(of: step), let sighting = subject.example(of: step),
                sighting.decision.kind == .redirect || sighting.decision.kind == .degrade,
                sighting.decision.position == position
            else { continue }
            let first = LintWitness(request: sighting.request, decision: sighting.decision)
            if let walks = Self.walks(throughTablesOf: target, of: position, like: sighting, subject) {
                found += walks
                continue
            }
            let walk = RedirectWalk(first, subject)
            found.append(
                Walk(
                    position,
                    rule: position,
                    walk.isArrived ? subject.circle(near: sighting.request, of: step) ?? walk : walk,
                    isConstant: target.isConstant
                )
            )
        }
        found += Self.walks(throughListsOf: subject)
        subject.redirectWalks = found
        walks = found
    }

    /// The walk that begins at an error whose page is a redirect; nil for other rules.
    private static func walk(throughErrorPageOf step: RuleModel.Step, _ subject: LintSubject) -> Walk? {
        guard step.answer?.form == .error, let sighting = subject.example(of: step), sighting.decision.kind == .redirect
        else { return nil }
        let page = sighting.positions.last { subject.tree.directive(at: $0)?.name == "error_page" }
        let walk = RedirectWalk(LintWitness(request: sighting.request, decision: sighting.decision), subject)
        guard let page, !walk.isArrived else { return nil }
        return Walk(page, rule: sighting.decision.position, walk, isConstant: true)
    }
}

extension LintSubject {
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
