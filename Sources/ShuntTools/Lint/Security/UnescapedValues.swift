import Shunt

extension LintCheck {
    static let httpSplitting = LintCheck(
        "http-splitting",
        group: .security,
        severity: .note,
        basis: .witness
    ) { subject in
        let probe = TargetProbe(subject)
        var lines: Set<SourcePosition> = []
        let shown: [LintFound] = subject.rules.compactMap { rule in
            guard let target = subject.target(of: rule) else { return nil }
            for choice in probe.choices(of: target) {
                // nginx escapes numbered groups in the target of a redirect.
                if rule.rewrite != nil, Int(choice.part.name.dropFirst()) != nil { continue }
                guard let found = splitting(choice.part, rule: rule, probe: probe) else { continue }
                let isNginx = subject.options.target == .nginx
                var finding = LintFound(
                    rule.position,
                    isNginx
                        ? "\(choice.part.name) may contain a line feed, and what follows is a header of nginx's answer"
                        : "\(choice.part.name) may contain a line feed; nginx would send it, Shunt encodes it",
                    advice: "use $request_uri, or exclude control characters in the expression"
                )
                if isNginx { finding.severity = .error }
                lines.insert(rule.position)
                return finding.confirmed(by: found)
            }
            return nil
        }
        return shown
            + SplittingFlow(subject).found
            .compactMap { word, variable in
                let place = subject.tree.node(at: word.position).map { subject.tree.nodes[$0].position }
                if let place, lines.contains(place) { return nil }
                var finding = LintFound(
                    word,
                    "$\(variable) is decoded and may contain a line feed: what follows would be a header of nginx's answer",
                    advice: "use $request_uri, or exclude control characters in the expression"
                )
                if subject.options.target == .nginx { finding.severity = .error }
                finding.basis = .structure
                return finding
            }
    }

    /// Returns true if a part may be decoded text from the path.
    private static func isDecoded(_ part: RuleModel.Template.Part, rule: RuleModel.Step, probe: TargetProbe)
        -> Bool
    {
        if let variable = part.variable { return variable.builtin.map { $0 == .uri } ?? variable.isAssigned }
        if rule.operation == .finish { return capturesPath(rule) }
        guard let own = rule.expression, let number = part.capture,
            let group = probe.subject.checker.tree(of: own)?.group(number)
        else { return true }
        return rule.operation == .rewrite && group.mayHoldLineFeed
    }

    /// Returns true if the captures that a `return` reads are of the decoded path: of a test of it, or of the location.
    private static func capturesPath(_ rule: RuleModel.Step) -> Bool {
        for case .condition(let condition, _) in (rule.ways().first ?? []).reversed() {
            guard condition.kind == .matches, let variable = condition.variable else { continue }
            return variable.builtin == .uri
        }
        return true
    }

    private static func splitting(
        _ part: RuleModel.Template.Part,
        rule: RuleModel.Step,
        probe: TargetProbe
    ) -> LintWitness? {
        guard isDecoded(part, rule: rule, probe: probe) else { return nil }
        for text in ["/a\nX:b", "a\nX:b", "\n", "a\n"] {
            let found = probe.witness(giving: part, Array(text.utf8), to: .step(rule)) { witness in
                guard probe.subject.decides(rule, witness), let url = witness.decision.url else { return false }
                let text = String(decoding: url, as: UTF8.self).lowercased()
                return text.contains("%0a") && witness.request.request.urlText.lowercased().contains("%0a")
            }
            if let found { return found }
        }
        return nil
    }

    static let unescapedCaptureInQuery = LintCheck(
        "unescaped-capture-in-query",
        group: .security,
        severity: .warning,
        basis: .witness
    ) { subject in
        unescaped(subject, isQuery: true, ["1&admin=1"]) { witness in
            let text = witness.decision.urlText ?? ""
            return text.contains("&admin=1") && text.contains("?")
        }
        .map {
            LintFound($0, "\($1) can add arguments to the query", advice: "encode it").shown(by: [$2])
                .remarking("confirmed: \($2.text)")
        }
    }

    static let unescapedCaptureInPath = LintCheck(
        "unescaped-capture-in-path",
        group: .security,
        severity: .warning,
        basis: .witness
    ) { subject in
        unescaped(subject, isQuery: false, ["a?b=1"]) { ($0.decision.urlText ?? "").contains("?b=1") }
            .map {
                LintFound($0, "\($1) can begin a query", advice: "use rewrite, which encodes it, or $request_uri")
                    .shown(by: [$2]).remarking("confirmed: \($2.text)")
            }
    }

    private static func unescaped(
        _ subject: LintSubject,
        isQuery: Bool,
        _ texts: [String],
        where isRight: (LintWitness) -> Bool
    ) -> [(SourcePosition, String, LintWitness)] {
        let probe = TargetProbe(subject)
        return subject.rules.compactMap { rule in
            guard let target = subject.target(of: rule),
                rule.operation == .finish
            else { return nil }
            for choice in probe.choices(of: target) {
                guard choice.before.contains(UInt8(ascii: "?")) == isQuery, !choice.before.isEmpty,
                    choice.part.capture != nil
                else { continue }
                for text in texts {
                    let found = probe.witness(giving: choice.part, Array(text.utf8), to: .step(rule)) {
                        // What the request said in its own query is not meant.
                        subject.decides(rule, $0) && !$0.request.request.url.contains(UInt8(ascii: "?")) && isRight($0)
                    }
                    if let found { return (rule.position, choice.part.name, found) }
                }
            }
            return nil
        }
    }

    static let ssrf = LintCheck(
        "ssrf",
        group: .security,
        severity: .error,
        basis: .witness
    ) { subject in
        let probe = TargetProbe(subject)
        return otherUpstreams(subject)
            + subject.model.locations.compactMap { location in
                let settings = location.settings
                guard let proxy = settings.proxy, settings.namesHandler, !settings.isInternal,
                    location.modifier != .named, let first = probe.choices(of: proxy.target).first,
                    first.before.hasSuffix("://") || first.before.isEmpty || isAuthority(first.before)
                else { return nil }
                let texts =
                    first.before.isEmpty
                    ? ["http://attacker.example/"]
                    : first.before.hasSuffix("://")
                        ? ["attacker.example", "attacker.example/"] : [".attacker.example", "@attacker.example/"]
                for text in texts {
                    let found = probe.witness(giving: first.part, Array(text.utf8), to: .location(location)) {
                        witness in
                        guard witness.decision.isUpstream, let url = witness.decision.url,
                            let host = HostOfURL(url)?.host
                        else { return false }
                        return host.hasSuffix("attacker.example")
                    }
                    guard let found else { continue }
                    return LintFound(
                        proxy.position,
                        "the request decides (\(first.part.name)) which host the gateway connects to",
                        advice: "take the host from a map, or write an upstream"
                    )
                    .confirmed(by: found)
                }
                return nil
            }
    }

    /// The directives of nginx that hand requests on in other protocols, which Shunt does not.
    private static func otherUpstreams(_ subject: LintSubject) -> [LintFound] {
        guard subject.options.target == .nginx else { return [] }
        return ["fastcgi_pass", "uwsgi_pass", "scgi_pass", "grpc_pass"].flatMap { subject.tree.named[$0] ?? [] }
            .sorted()
            .compactMap { node in
                guard let word = subject.tree.nodes[node].arguments.first,
                    let chosen = ["$arg_", "$http_", "$cookie_"].first(where: word.text.lowercased().contains)
                else { return nil }
                var found = LintFound(
                    word,
                    "a variable \(chosen)… decides which host the gateway connects to",
                    advice: "take the host from a map, or write an upstream"
                )
                found.basis = .structure
                return found
            }
    }
}
