import Shunt

extension LintSubject {
    func httpSplitting() -> [LintFound] {
        let isNginx = options.target == .nginx
        let advice = "use $request_uri, or exclude control characters in the expression"
        var lines: Set<SourcePosition> = []
        let shown = rules.compactMap { rule -> LintFound? in
            for choice in target(of: rule)?.choices ?? [] {
                // nginx escapes numbered groups in the target of a redirect.
                if rule.rewrite != nil, Int(choice.part.name.dropFirst()) != nil { continue }
                guard let found = splitting(choice.part, rule: rule) else { continue }
                lines.insert(rule.position)
                return LintFound(
                    rule.position,
                    isNginx
                        ? "\(choice.part.name) may contain a line feed, and what follows is a header of nginx's answer"
                        : "\(choice.part.name) may contain a line feed; nginx would send it, Shunt encodes it",
                    advice: advice
                )
                .rated(.error, if: isNginx).confirmed(by: found)
            }
            return nil
        }
        let written = SplittingFlow(self).found
            .compactMap { word, variable -> LintFound? in
                let place = tree.node(at: word.position).map { tree.nodes[$0].position }
                if let place, lines.contains(place) { return nil }
                return LintFound(
                    word,
                    "$\(variable) is decoded and may contain a line feed: what follows would be a header of nginx's answer",
                    advice: advice
                )
                .rated(.error, if: isNginx).based(on: .structure)
            }
        return shown + written
    }

    /// Returns true if a part may be decoded text from the path.
    private func isDecoded(_ part: RuleModel.Template.Part, rule: RuleModel.Step) -> Bool {
        if let variable = part.variable { return variable.builtin.map { $0 == .uri } ?? variable.isAssigned }
        if rule.operation == .finish { return Self.capturesPath(rule) }
        guard let own = rule.expression, let number = part.capture,
            let group = checker.tree(of: own)?.group(number)
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

    private func splitting(_ part: RuleModel.Template.Part, rule: RuleModel.Step) -> LintWitness? {
        guard isDecoded(part, rule: rule) else { return nil }
        return witness(giving: part, ["/a\nX:b", "a\nX:b", "\n", "a\n"], to: .step(rule)) { witness in
            decides(rule, witness) && witness.decision.url?.lowercased().contains("%0a") == true
                && witness.request.request.url.lowercased().contains("%0a")
        }
    }

    func unescapedCaptureInQuery() -> [LintFound] {
        unescaped(isQuery: true, "1&admin=1", "can add arguments to the query", advice: "encode it") { url in
            url.contains("&admin=1") && url.contains("?")
        }
    }

    func unescapedCaptureInPath() -> [LintFound] {
        let advice = "use rewrite, which encodes it, or $request_uri"
        return unescaped(isQuery: false, "a?b=1", "can begin a query", advice: advice) { $0.contains("?b=1") }
    }

    /// The rules in whose target a group may have a text that is more than a value.
    private func unescaped(
        isQuery: Bool,
        _ text: String,
        _ message: String,
        advice: String,
        where isRight: (String) -> Bool
    ) -> [LintFound] {
        rules.compactMap { rule in
            guard rule.operation == .finish else { return nil }
            for choice in target(of: rule)?.choices ?? [] {
                guard choice.before.contains(UInt8(ascii: "?")) == isQuery, !choice.before.isEmpty,
                    choice.part.capture != nil
                else { continue }
                let found = witness(giving: choice.part, [text], to: .step(rule)) {
                    // What the request has in its own query or host is not meant.
                    if case .target(_, let host?) = $0.request.request.subject, host.contains(UInt8(ascii: "?")) {
                        return false
                    }
                    return decides(rule, $0) && !$0.request.request.urlBytes.contains(UInt8(ascii: "?"))
                        && isRight($0.decision.url ?? "")
                }
                guard let found else { continue }
                return LintFound(rule.position, "\(choice.part.name) \(message)", advice: advice).confirmed(by: found)
            }
            return nil
        }
    }

    func ssrf() -> [LintFound] {
        let advice = "take the host from a map, or write an upstream"
        let found = model.locations.compactMap { location -> LintFound? in
            guard let proxy = location.settings.proxy, location.settings.namesHandler, !location.settings.isInternal,
                location.modifier != .named, let first = proxy.target.firstChoice,
                first.before.hasSuffix("://") || first.before.isEmpty || Self.isAuthority(first.before)
            else { return nil }
            let isPort = first.before.hasSuffix(":")
            let ports = ["22", "6379"]
            let hosts =
                first.before.hasSuffix("://")
                ? ["", "/", "?"].map { "attacker.example" + $0 }
                : first.before.isEmpty
                    ? ["http://attacker.example/"]
                    : [".attacker.example", "@attacker.example/", "@attacker.example?"]
            let found = witness(giving: first.part, isPort ? ports : hosts, to: .location(location)) { witness in
                guard witness.decision.isUpstream, let url = witness.decision.urlBytes.flatMap(HostOfURL.init) else {
                    return false
                }
                return isPort
                    ? url.port.map { ports.contains("\($0)") } ?? false : url.host.hasSuffix("attacker.example")
            }
            guard let found else { return nil }
            return LintFound(
                proxy.position,
                "the request decides (\(first.part.name)) which \(isPort ? "port" : "host") the gateway connects to",
                advice: isPort ? "take the port from a map" : advice
            )
            .rated(.warning, if: isPort).confirmed(by: found)
        }
        guard options.target == .nginx else { return found }
        // The directives of nginx that hand requests on in other protocols, which Shunt does not.
        let others = directives("fastcgi_pass", "uwsgi_pass", "scgi_pass", "grpc_pass")
            .compactMap { node -> LintFound? in
                guard let word = node.arguments.first,
                    let chosen = ["$arg_", "$http_", "$cookie_"].first(where: word.text.lowercased().contains)
                else { return nil }
                let message = "a variable \(chosen)… decides which host the gateway connects to"
                return LintFound(word, message, advice: advice).based(on: .structure)
            }
        return others + found
    }
}
