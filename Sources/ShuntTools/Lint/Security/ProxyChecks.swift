import Shunt

extension LintCheck {
    static let proxyPassNormalized = LintCheck(
        "proxy-pass-normalized",
        group: .security,
        severity: .note,
        basis: .witness
    ) { subject in
        subject.model.locations.compactMap { location in
            guard let proxy = location.settings.proxy, location.settings.namesHandler, location.modifier.isPrefix,
                case .confirmed(let request) = subject.verdict(.location(location)),
                case .target(_, let host) = request.request.subject
            else { return nil }
            let witness = subject.decide(like: request) {
                $0.subject = .target(RequestAssembly.encoded(location.name) + Array("a%2Fb".utf8), host: host)
            }
            guard witness.decision.isUpstream, witness.decision.urlText?.hasSuffix("a/b") == true else { return nil }
            var finding = LintFound(
                proxy.position,
                "the upstream is given another path than the client sent",
                advice: isRewritten(proxy, subject) ? nil : "remove the path after the host"
            )
            if subject.options.target == .nginx { finding.severity = .warning }
            return finding.confirmed(by: witness)
        }
    }

    /// Returns true for a `proxy_pass` without a path: the path that it sends is the one of a `rewrite` with `break`.
    private static func isRewritten(_ proxy: RuleModel.Proxying, _ subject: LintSubject) -> Bool {
        let word = subject.tree.node(at: proxy.position).flatMap { subject.tree.nodes[$0].arguments.first }
        return word?.text.wholeMatch(of: /https?:\/\/[^\/$]+/) != nil
    }

    static let originReflection = LintCheck(
        "origin-reflection",
        group: .security,
        severity: .error,
        basis: .witness
    ) { subject in
        var known: Set<RuleModel.AddedHeaders> = []
        let blocks =
            subject.model.locations.map { (RuleGoal.location($0), $0.settings) }
            + subject.model.servers.map { (RuleGoal.server($0), $0.settings) }
        return blocks.compactMap { goal, settings in
            guard let headers = settings.headers, !known.contains(headers) else { return nil }
            let values = headers.headers.filter { isReflected($0.name) }.map(\.value)
            guard !values.isEmpty, case .confirmed(let request) = subject.verdict(goal) else { return nil }
            let any = Array("https://attacker.example".utf8)
            for (origin, isDotOnly) in [(any, false)] + values.flatMap(subject.foreignOrigins) {
                let witness = subject.decide(like: request) {
                    $0.headers.append(.init(name: Array("Origin".utf8), value: origin))
                }
                let answered = witness.decision.headers + witness.decision.successHeaders
                guard
                    answered.contains(where: {
                        $0.value == origin && $0.nameText.lowercased() == "access-control-allow-origin"
                    })
                else { continue }
                known.insert(headers)
                let shown = ShownBytes.text(origin)
                return LintFound(
                    goal.position,
                    origin == any
                        ? "any Origin is returned in Access-Control-Allow-Origin"
                        : "a foreign Origin is returned in Access-Control-Allow-Origin: \(shown)",
                    advice: origin == any
                        ? "take the origin from a map"
                        : isDotOnly
                            ? "write \\. for a dot in the map"
                            : "write ^https:// before the host in the map, and $ after it"
                )
                .shown(by: [witness])
                .remarking("confirmed: \(witness.request) is answered with Access-Control-Allow-Origin: \(shown)")
            }
            return nil
        }
    }

    /// Returns true for the header that names whose pages may read an answer.
    private static func isReflected(_ name: [UInt8]) -> Bool {
        String(decoding: name, as: UTF8.self).lowercased() == "access-control-allow-origin"
    }
}

extension LintSubject {
    /// Origins of others that the expressions of the map accept which a template is the value of, and whether a dot lets
    /// them in.
    fileprivate func foreignOrigins(_ template: RuleModel.Template) -> [([UInt8], Bool)] {
        (template.onlyVariable?.map?.expressions ?? [])
            .compactMap { entry in
                foreign(entry.expression, .origin).map { ($0, isDotOnly(entry.expression, .origin)) }
            }
    }
}
