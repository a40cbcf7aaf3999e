import Shunt

extension LintSubject {
    func openRedirect() -> [LintFound] {
        rules.compactMap { rule in
            guard let first = target(of: rule)?.firstChoice else { return nil }
            var texts: [String] = []
            if first.before.isEmpty { texts = ["https://attacker.example/", "https:/attacker.example/"] }
            if first.before.hasSuffix(":/") { texts = ["/attacker.example/", "attacker.example/"] }
            if first.before.hasSuffix("://") || first.before == Array("//".utf8) {
                texts = ["attacker.example/", "attacker.example"]
                // Another check reports a Host that comes back.
                if [.host, .serverName].contains(first.part.variable?.builtin) { return nil }
                if first.part.name == "$http_host" { return nil }
            }
            var wanted = texts.map { WantedText.text(Array($0.utf8)) }
            // A test before may ask for a text that has the host after it.
            let urls = "^https?://(?:[^/?#]*[@.])?attacker\\.example(?:[:/?#]|\\z)"
            if first.before.isEmpty, let automaton = checker.automaton(urls) { wanted.append(.oneOf(automaton)) }
            for text in wanted {
                let found = witness(giving: first.part, text, to: .step(rule)) { witness in
                    decides(rule, witness) && leadsToAttacker(witness) && !keepsHost(witness)
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

    func authorityNotClosed() -> [LintFound] {
        rules.compactMap { rule in
            guard let first = target(of: rule)?.firstChoice else { return nil }
            // The values of a map may begin with a host.
            let values = first.before.isEmpty ? first.part.variable?.map?.entries.map(\.value) ?? [] : []
            let hosts = Set(values.compactMap { $0.choices.first?.before }.filter(Self.isAuthority).map(\.asText))
            let witnesses = (Self.isAuthority(first.before) ? [""] : hosts.sorted())
                .flatMap { ["\($0).attacker.example/", "\($0)@attacker.example/"] }
                .compactMap { text in
                    witness(giving: first.part, [text], to: .step(rule)) { witness in
                        decides(rule, witness) && leadsToAttacker(witness)
                    }
                }
            guard !witnesses.isEmpty else { return nil }
            let finding = LintFound(
                rule.position,
                "\(first.part.name) can extend the host name",
                advice: "write a slash after the host"
            )
            return witnesses.reduce(finding) { $0.confirmed(by: $1) }
        }
    }

    /// Returns true if a text is a scheme and a host, and nothing after it.
    static func isAuthority(_ text: [UInt8]) -> Bool {
        guard let parts = HostOfURL(text), !parts.host.isEmpty, parts.rest.isEmpty else { return false }
        return text.contains(UInt8(ascii: "/"))
    }

    /// Returns true if a browser goes to a host of someone else.
    ///
    /// On a page of another scheme it treats `https:/host` as `https://host`:
    /// https://url.spec.whatwg.org/#special-authority-slashes-state.
    private func leadsToAttacker(_ witness: LintWitness) -> Bool {
        guard var url = witness.decision.urlBytes else { return false }
        for scheme in ["https:/", "http:/"] where url.starts(with: scheme.utf8) {
            let isOther = !self.url(of: witness.request.request).starts(with: scheme.utf8)
            let rest = url.dropFirst(scheme.utf8.count)
            if isOther, rest.first != UInt8(ascii: "/") { url = Array(scheme.utf8) + [UInt8(ascii: "/")] + rest }
        }
        return HostOfURL(url)?.host.hasSuffix("attacker.example") ?? false
    }

    func openRedirectSlashes() -> [LintFound] {
        rules.compactMap { rule in
            guard let first = target(of: rule)?.choices.first,
                first.before.isEmpty || first.before == [UInt8(ascii: "/")],
                rule.sequence?.settings?.absoluteRedirect == false
            else { return nil }
            let texts =
                first.before.isEmpty
                ? ["//attacker.example/", "/\\attacker.example/", "/\\attacker.example"]
                : ["/attacker.example", "\\attacker.example", "/attacker.example/"]
            func isRight(_ witness: LintWitness) -> Bool { decides(rule, witness) && Self.leavesSlashes(witness) }
            var found = witness(giving: first.part, texts, to: .step(rule), where: isRight)
            if found == nil {
                let asked = example(of: rule)?.request.asking(target: Array("//attacker.example/".utf8))
                found = asked.map(decide).flatMap { isRight($0) ? $0 : nil }
            }
            guard let found else { return nil }
            let isNginx = options.target == .nginx
            return LintFound(
                rule.position,
                isNginx
                    ? "the Location may begin with two slashes, which browsers read as a host"
                    : "the path may begin with two slashes; nginx would send it without a host, Shunt puts one before it",
                advice: "write the host before it, or leave absolute_redirect on"
            )
            .rated(.error, if: isNginx).confirmed(by: found)
        }
    }

    /// Returns true if the path of a Location is what browsers take for a host, if nothing is before it.
    private static func leavesSlashes(_ witness: LintWitness) -> Bool {
        guard let url = witness.decision.urlBytes, let path = HostOfURL(url)?.rest, path.count > 2,
            path[0] == UInt8(ascii: "/"), path[1] == UInt8(ascii: "/") || path[1] == UInt8(ascii: "\\")
        else { return false }
        return HostOfURL(Array("http:".utf8) + path)?.host == Array("attacker.example".utf8)
    }

    func hostSpoofing() -> [LintFound] {
        rules.compactMap { rule in
            guard let first = target(of: rule)?.firstChoice, first.before.hasSuffix("//"),
                first.part.variable?.builtin == .host || first.part.name == "$http_host",
                let witness = example(of: rule)?.request.asking(host: Array("attacker.example".utf8)).map(decide),
                decides(rule, witness), leadsToAttacker(witness)
            else { return nil }
            return LintFound(
                rule.position,
                "clients are sent to any host that they name, and this server accepts all",
                advice: unusableName(around: rule.position) == nil
                    ? "write the name, or $server_name" : "write the name"
            )
            .confirmed(by: witness)
        }
    }

    func httpsDowngrade() -> [LintFound] {
        rules.compactMap { rule in
            guard redirects(rule), let sighting = example(of: rule),
                let scheme = HostOfURL(url(of: sighting.request.request))?.scheme
            else { return nil }
            var witness = LintWitness(sighting)
            if scheme == Array("http".utf8) {
                if case .url(let url) = sighting.request.request.subject {
                    witness = decide(like: sighting.request) {
                        $0.subject = .url(Array("https".utf8) + url.dropFirst(4))
                    }
                } else {
                    guard let secure = model.listens.first(where: \.isSecure) else { return nil }
                    witness = decide(like: sighting.request) { $0.listen = .init(port: secure.port) }
                }
            } else if scheme != Array("https".utf8) {
                return nil
            }
            guard decides(rule, witness), witness.decision.urlBytes?.starts(with: "http://".utf8) == true else {
                return nil
            }
            return LintFound(rule.position, "an https URL is redirected to http", advice: "write https in the target")
                .confirmed(by: witness)
        }
    }

    /// Returns true if a client is sent to the host that it asked: nothing but the scheme, the path or the query is
    /// another one.
    fileprivate func keepsHost(_ witness: LintWitness) -> Bool {
        guard let url = witness.decision.urlBytes, let host = HostOfURL(url)?.host else { return false }
        return HostOfURL(self.url(of: witness.request.request))?.host == host
    }
}

extension [UInt8] {
    /// Returns true if the bytes end in those of a text.
    func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
