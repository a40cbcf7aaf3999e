import Shunt

extension LintCheck {
    static let openRedirect = LintCheck(
        "open-redirect",
        group: .security,
        severity: .error,
        basis: .witness
    ) { subject in
        let probe = TargetProbe(subject)
        return subject.rules.compactMap { rule in
            guard let target = subject.target(of: rule), let first = probe.choices(of: target).first else {
                return nil
            }
            var texts: [String] = []
            if first.before.isEmpty { texts = ["https://attacker.example/", "https:/attacker.example/"] }
            if first.before.hasSuffix(":/") { texts = ["/attacker.example/", "attacker.example/"] }
            if first.before.hasSuffix("://") || first.before == Array("//".utf8) {
                texts = ["attacker.example/", "attacker.example"]
                // Of a Host that comes back another check tells.
                if [.host, .serverName].contains(first.part.variable?.builtin) { return nil }
                if first.part.name == "$http_host" { return nil }
            }
            var wanted = texts.map { TargetProbe.Wanted.text(Array($0.utf8)) }
            // A test before may ask for a text that has the host after it.
            let urls = "^https?://(?:[^/?#]*[@.])?attacker\\.example(?:[:/?#]|\\z)"
            if first.before.isEmpty, let automaton = subject.checker.automaton(urls) {
                wanted.append(.oneOf(automaton))
            }
            for text in wanted {
                let found = probe.witness(giving: first.part, text, to: .step(rule)) { witness in
                    subject.decides(rule, witness) && leadsToAttacker(witness, subject) && !subject.keepsHost(witness)
                }
                guard let found else { continue }
                return LintFound(
                    rule.position,
                    "the request decides (\(first.part.name)) which host the client is redirected to",
                    advice: "put your own host and a slash before it, or use a place from a map"
                )
                .confirmed(by: found)
            }
            return nil
        }
    }

    static let authorityNotClosed = LintCheck(
        "authority-not-closed",
        group: .security,
        severity: .error,
        basis: .witness
    ) { subject in
        let probe = TargetProbe(subject)
        return subject.rules.compactMap { rule in
            guard let target = subject.target(of: rule), let first = probe.choices(of: target).first,
                isAuthority(first.before)
            else { return nil }
            var witnesses: [LintWitness] = []
            for text in [".attacker.example/", "@attacker.example/"] {
                let found = probe.witness(giving: first.part, Array(text.utf8), to: .step(rule)) { witness in
                    subject.decides(rule, witness) && leadsToAttacker(witness, subject)
                }
                if let found { witnesses.append(found) }
            }
            guard !witnesses.isEmpty else { return nil }
            var finding = LintFound(
                rule.position,
                "\(first.part.name) can extend the host name",
                advice: "write a slash after the host"
            )
            finding.witnesses = witnesses
            finding.remarks = witnesses.map { "confirmed: \($0.text)" }
            return finding
        }
    }

    /// Returns true if a text is a scheme and a host, and nothing after it.
    static func isAuthority(_ text: [UInt8]) -> Bool {
        guard let parts = HostOfURL(text), !parts.host.isEmpty, parts.rest.isEmpty else { return false }
        return text.contains(UInt8(ascii: "/"))
    }

    /// Returns true if a browser goes to a host of someone else.
    ///
    /// On a page of another scheme it takes `https:/host` for `https://host`:
    /// https://url.spec.whatwg.org/#special-authority-slashes-state.
    private static func leadsToAttacker(_ witness: LintWitness, _ subject: LintSubject) -> Bool {
        guard var url = witness.decision.url else { return false }
        for scheme in ["https:/", "http:/"] where url.starts(with: scheme.utf8) {
            let isOther = !subject.url(of: witness.request.request).starts(with: scheme.utf8)
            let rest = url.dropFirst(scheme.utf8.count)
            if isOther, rest.first != UInt8(ascii: "/") { url = Array(scheme.utf8) + [UInt8(ascii: "/")] + rest }
        }
        return HostOfURL(url)?.host.hasSuffix("attacker.example") ?? false
    }

    static let openRedirectSlashes = LintCheck(
        "open-redirect-slashes",
        group: .security,
        severity: .note,
        basis: .witness
    ) { subject in
        let probe = TargetProbe(subject)
        return subject.rules.compactMap { rule in
            guard let target = subject.target(of: rule), let first = probe.choices(of: target).first,
                first.before.isEmpty || first.before == [UInt8(ascii: "/")],
                rule.sequence?.settings?.absoluteRedirect == false
            else { return nil }
            let texts =
                first.before.isEmpty
                ? ["//attacker.example/", "/\\attacker.example/", "/\\attacker.example"]
                : ["/attacker.example", "\\attacker.example", "/attacker.example/"]
            var found: LintWitness?
            for text in texts where found == nil {
                found = probe.witness(giving: first.part, Array(text.utf8), to: .step(rule)) {
                    subject.decides(rule, $0) && leavesSlashes($0)
                }
            }
            if found == nil, let sighting = subject.example(of: rule),
                case .target(_, let host) = sighting.request.request.subject
            {
                let witness = subject.decide(like: sighting.request) {
                    $0.subject = .target(Array("//attacker.example/".utf8), host: host)
                }
                if subject.decides(rule, witness), leavesSlashes(witness) { found = witness }
            }
            guard let found else { return nil }
            let isNginx = subject.options.target == .nginx
            var finding = LintFound(
                rule.position,
                isNginx
                    ? "the Location may begin with two slashes, which browsers read as a host"
                    : "the path may begin with two slashes; nginx would send it without a host, Shunt puts one before it",
                advice: "write the host before it, or leave absolute_redirect on"
            )
            if isNginx { finding.severity = .error }
            return finding.confirmed(by: found)
        }
    }

    /// Returns true if the path of a Location is what browsers take for a host, if nothing stands before it.
    private static func leavesSlashes(_ witness: LintWitness) -> Bool {
        guard let url = witness.decision.url, let path = HostOfURL(url)?.rest, path.count > 2,
            path[0] == UInt8(ascii: "/"), path[1] == UInt8(ascii: "/") || path[1] == UInt8(ascii: "\\")
        else { return false }
        return HostOfURL(Array("http:".utf8) + path)?.host == Array("attacker.example".utf8)
    }

    static let hostSpoofing = LintCheck(
        "host-spoofing",
        group: .security,
        severity: .warning,
        basis: .witness
    ) { subject in
        let probe = TargetProbe(subject)
        return subject.rules.compactMap { rule in
            guard let target = subject.target(of: rule),
                let first = probe.choices(of: target).first(where: { $0.part.name != "$scheme" }),
                first.before.hasSuffix("//"),
                first.part.variable?.builtin == .host || first.part.name == "$http_host",
                let sighting = subject.example(of: rule),
                case .target(let path, _) = sighting.request.request.subject
            else { return nil }
            let witness = subject.decide(like: sighting.request) {
                $0.subject = .target(path, host: Array("attacker.example".utf8))
            }
            guard subject.decides(rule, witness), leadsToAttacker(witness, subject) else { return nil }
            return LintFound(
                rule.position,
                "clients are sent to any host that they name, and this server accepts all",
                advice: subject.unusableName(around: rule.position) == nil
                    ? "write the name, or $server_name" : "write the name"
            )
            .confirmed(by: witness)
        }
    }

    static let httpsDowngrade = LintCheck(
        "https-downgrade",
        group: .security,
        severity: .warning,
        basis: .witness
    ) { subject in
        subject.rules.compactMap { rule in
            guard subject.redirects(rule), let sighting = subject.example(of: rule),
                let before = HostOfURL(subject.url(of: sighting.request.request))
            else { return nil }
            var witness = LintWitness(request: sighting.request, decision: sighting.decision)
            if before.scheme == Array("http".utf8) {
                switch sighting.request.request.subject {
                case .url(let url):
                    witness = subject.decide(like: sighting.request) {
                        $0.subject = .url(Array("https".utf8) + url.dropFirst(4))
                    }
                default:
                    guard let secure = subject.model.listens.first(where: \.isSecure) else { return nil }
                    witness = subject.decide(like: sighting.request) { $0.listen = .init(port: secure.port) }
                }
            } else if before.scheme != Array("https".utf8) {
                return nil
            }
            guard subject.decides(rule, witness), witness.decision.url?.starts(with: "http://".utf8) == true else {
                return nil
            }
            return LintFound(rule.position, "an https URL is redirected to http", advice: "write https in the target")
                .confirmed(by: witness)
        }
    }
}

extension [UInt8] {
    /// Returns true if the bytes end in those of a text.
    func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

extension LintSubject {
    /// Returns true if a client is sent to the host that it asked: nothing but the scheme, the path or the query is
    /// another one.
    fileprivate func keepsHost(_ witness: LintWitness) -> Bool {
        guard let url = witness.decision.url, let host = HostOfURL(url)?.host else { return false }
        return HostOfURL(self.url(of: witness.request.request))?.host == host
    }
}
