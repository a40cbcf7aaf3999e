import Shunt

extension LintCheck {
    static let ifIsEvil = LintCheck(
        "if-is-evil",
        group: .nginx,
        severity: .warning,
        basis: .structure
    ) { subject in
        let safe: Set<String> = ["return", "rewrite", "set", "break", "if"]
        // Of two `if`s that hold only the last has its headers; alone they do what is meant.
        let mostlySafe: Set<String> = ["add_header", "expires", "access_log", "limit_rate"]
        return (subject.tree.named["if"] ?? [])
            .compactMap { node in
                let parent = subject.tree.nodes[node].parent
                guard parent >= 0, subject.tree.nodes[parent].name == "location" else { return nil }
                let children = subject.tree.nodes[node].children
                    .filter { child in
                        let inner = subject.tree.nodes[child]
                        return !safe.contains(inner.name)
                            || inner.name == "rewrite" && inner.arguments.last?.text == "break"
                    }
                let isSafe = { (child: Int) in mostlySafe.contains(subject.tree.nodes[child].name) }
                guard let child = children.first(where: { !isSafe($0) }) ?? children.first else { return nil }
                let inner = subject.tree.nodes[child]
                let what = inner.name == "rewrite" ? "rewrite with break" : inner.name
                var found = LintFound(
                    inner.position,
                    "\(what) in an if of a location",
                    advice: "set what differs with a map"
                )
                if isSafe(child) { found.severity = .note }
                return found
            }
    }

    static let addHeaderRedefinition = LintCheck(
        "add-header-redefinition",
        group: .nginx,
        severity: .note,
        basis: .structure
    ) { subject in
        redefined(subject, "add_header") + redefined(subject, "add_trailer")
    }

    /// Blocks that have a directive of their own and lose some of those around them.
    static func redefined(_ subject: LintSubject, _ name: String) -> [LintFound] {
        var blocks: Set<Int> = []
        for node in subject.tree.named[name] ?? [] where subject.tree.nodes[node].parent >= 0 {
            blocks.insert(subject.tree.nodes[node].parent)
        }
        func headers(_ block: Int) -> Set<String> {
            Set(
                subject.tree.children(of: block, named: name)
                    .compactMap { subject.tree.nodes[$0].arguments.first?.text.lowercased() }
            )
        }
        let top = headers(-1)
        return blocks.sorted()
            .compactMap { block in
                // Newer versions of nginx can be told to keep them.
                let rule = subject.tree.inherited("\(name)_inherit", in: block).first
                // `off` says that they are not to hold.
                let isMeant =
                    rule.map { ["merge", "off"].contains(subject.tree.nodes[$0].arguments.first?.text) } ?? false
                guard subject.tree.nodes[block].name != "limit_except", !isMeant else { return nil }
                let own = headers(block)
                let outer = subject.tree.ancestors(of: block).lazy.map(headers).first { !$0.isEmpty } ?? []
                let lost = (outer.isEmpty ? top : outer).subtracting(own)
                guard !lost.isEmpty else { return nil }
                return LintFound(
                    subject.tree.nodes[block].position,
                    "the \(name) around it do not apply here: \(lost.sorted().joined(separator: ", "))",
                    advice: "repeat them"
                )
            }
    }

    static let addHeaderContentType = LintCheck(
        "add-header-content-type",
        group: .nginx,
        severity: .note,
        basis: .structure
    ) { subject in
        ["add_header", "more_set_headers"].flatMap { subject.tree.named[$0] ?? [] }.sorted()
            .compactMap { node in
                let words = subject.tree.nodes[node].arguments
                guard let name = words.first, ["content-type", "content-type:"].contains(Self.name(name.text)) else {
                    return nil
                }
                let parent = subject.tree.nodes[node].parent
                let hides = [
                    "proxy_hide_header", "fastcgi_hide_header", "uwsgi_hide_header", "scgi_hide_header",
                    "grpc_hide_header",
                ]
                let siblings = hides.flatMap { subject.tree.children(of: parent, named: $0) }
                if siblings.contains(where: {
                    subject.tree.nodes[$0].arguments.first?.text.lowercased() == "content-type"
                }) {
                    return nil
                }
                return LintFound(name, "this adds a second Content-Type", advice: "use default_type")
            }
    }

    /// The name in a header as one of the two directives has it.
    private static func name(_ text: String) -> String { String(text.lowercased().prefix { $0 != " " }) }

    static let addHeaderMultiline = LintCheck(
        "add-header-multiline",
        group: .nginx,
        severity: .note,
        basis: .structure
    ) { subject in
        ["add_header", "more_set_headers"].flatMap { subject.tree.named[$0] ?? [] }.sorted()
            .compactMap { node in
                subject.tree.nodes[node].arguments.first { $0.bytes.contains(0x0a) || $0.bytes.contains(0x0d) }
                    .map { LintFound($0, "this header has several lines", advice: "write it on one line") }
            }
    }

    static let implicitRedirect = LintCheck(
        "implicit-redirect",
        group: .nginx,
        severity: .note,
        basis: .structure
    ) { subject in
        (subject.tree.named["rewrite"] ?? [])
            .compactMap { node in
                let words = subject.tree.nodes[node].arguments
                guard words.count == 2, ["http://", "https://", "$scheme"].contains(where: words[1].text.hasPrefix)
                else { return nil }
                return LintFound(words[1], "this is a redirect with 302", advice: "write redirect, or permanent")
            }
    }

    static let softError = LintCheck(
        "soft-error",
        group: .nginx,
        severity: .note,
        basis: .structure
    ) { subject in
        (subject.tree.named["error_page"] ?? [])
            .compactMap { node in
                let words = subject.tree.nodes[node].arguments
                // The last word is where it leads, whatever it begins with.
                guard let change = words.dropLast().first(where: { $0.text == "=200" }),
                    words.contains(where: { "45".contains($0.text.prefix(1)) && $0.bytes.count == 3 })
                else { return nil }
                return LintFound(change, "an error is answered with 200", advice: "keep the status")
            }
    }

    static let mixedCaseVariable = LintCheck(
        "mixed-case-variable",
        group: .nginx,
        severity: .note,
        basis: .structure
    ) { subject in
        var first: [String: String] = [:]
        var reported: Set<String> = []
        var found: [LintFound] = []
        for node in subject.tree.nodes {
            for word in node.arguments {
                for name in variableNames(in: word.text) {
                    let folded = name.lowercased()
                    let known = first[folded, default: name]
                    first[folded] = known
                    guard known != name, reported.insert(folded).inserted else { continue }
                    found.append(
                        LintFound(word, "$\(name) is written $\(known) elsewhere", advice: "write it in one way")
                    )
                }
            }
        }
        return found
    }

    static let defaultServerMissing = LintCheck(
        "default-server-missing",
        group: .nginx,
        severity: .warning,
        basis: .witness
    ) { subject in
        let named = (subject.tree.named["listen"] ?? [])
            .contains { node in
                subject.tree.nodes[node].arguments.contains { $0.text == "default_server" || $0.text == "default" }
            }
        guard !named else { return [] }
        return subject.model.listens.compactMap { listen in
            let server = listen.defaultServer
            guard !listen.hasOneServer, !server.name.isEmpty else { return nil }
            var request = RuleRequest(target: "/", host: "attacker.example")
            request.listen = RuleRequest.Endpoint(port: listen.port)
            let sighting = subject.solver.ask(RequestDescription(request))
            guard subject.solver.reaches(.server(server), sighting) else { return nil }
            let witness = LintWitness(request: sighting.request, decision: sighting.decision)
            var found = LintFound(
                server.position,
                "every host that no server names reaches this, because it is the first on port \(listen.port)",
                advice: "name one with default_server"
            )
            // Without any `listen` the rules are about names alone.
            if subject.tree.named["listen"] == nil { found.severity = .note }
            return found.confirmed(by: witness)
        }
    }

    static let rewriteAppendsQuery = LintCheck(
        "rewrite-appends-query",
        group: .nginx,
        severity: .note,
        basis: .witness
    ) { subject in
        subject.rules.compactMap { rule in
            guard rule.operation == .rewrite, let sighting = subject.example(of: rule),
                sighting.decision.position == rule.position, sighting.decision.kind == .redirect,
                let url = sighting.decision.url,
                case .target(let target, let host) = sighting.request.request.subject,
                !target.contains(UInt8(ascii: "?"))
            else { return nil }
            let witness = subject.decide(like: sighting.request) {
                $0.subject = .target(target + Array("?u=2".utf8), host: host)
            }
            guard let other = witness.decision.urlText, witness.decision.position == rule.position else { return nil }
            let isTwice = other.split(separator: "u=2", omittingEmptySubsequences: false).count > 2
            guard isTwice || url.contains(UInt8(ascii: "?")) && other.hasSuffix("&u=2") else { return nil }
            var found = LintFound(
                rule.position,
                isTwice ? "the query of the request is in the target twice" : "the query of the request is appended",
                advice: "end the target with ?\(isTwice ? "" : " if that is not meant")"
            )
            if isTwice { found.severity = .warning }
            return found.confirmed(by: witness)
        }
    }
}
