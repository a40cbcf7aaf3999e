import Shunt

extension LintSubject {
    func ifIsEvil() -> [LintFound] {
        let safe: Set<String> = ["return", "rewrite", "set", "break", "if"]
        // Of two `if`s that hold only the last has its headers; alone they do what is meant.
        let mostlySafe: Set<String> = ["add_header", "expires", "access_log", "limit_rate"]
        return directives("if")
            .compactMap { node in
                guard node.parent >= 0, tree.nodes[node.parent].name == "location" else { return nil }
                let children = tree.nodes[node.children]
                    .filter { inner in
                        !safe.contains(inner.name) || inner.name == "rewrite" && inner.arguments.last?.text == "break"
                    }
                guard let inner = children.first(where: { !mostlySafe.contains($0.name) }) ?? children.first else {
                    return nil
                }
                return LintFound(
                    inner.position,
                    "\(inner.name == "rewrite" ? "rewrite with break" : inner.name) in an if of a location",
                    advice: "set what differs with a map"
                )
                .rated(.note, if: mostlySafe.contains(inner.name))
            }
    }

    /// Blocks that have their own directive and lose some of those around them.
    func redefined(_ name: String) -> [LintFound] {
        func headers(_ block: Int) -> Set<String> {
            Set(tree.children(of: block, named: name).compactMap { tree.nodes[$0].arguments.first?.text.lowercased() })
        }
        let top = headers(-1)
        return Set(directives(name).map(\.parent)).filter { $0 >= 0 }.sorted()
            .compactMap { block in
                // Newer versions of nginx can be configured to keep them.
                let rule = tree.inherited("\(name)_inherit", in: block).first
                // With `off` they do not apply.
                let isMeant = rule.map { ["merge", "off"].contains(tree.nodes[$0].arguments.first?.text) } ?? false
                guard tree.nodes[block].name != "limit_except", !isMeant else { return nil }
                let own = headers(block)
                let outer = tree.ancestors(of: block).lazy.map(headers).first { !$0.isEmpty } ?? top
                let lost = outer.subtracting(own)
                guard !lost.isEmpty else { return nil }
                return LintFound(
                    tree.nodes[block].position,
                    "the \(name) directives around it do not apply here: \(lost.sorted().joined(separator: ", "))",
                    advice: "repeat them"
                )
            }
    }

    /// Blocks whose own `error_page` cancel those around them for other statuses.
    func redefinedErrorPages() -> [LintFound] {
        func codes(_ block: Int) -> Set<String> {
            let words = tree.children(of: block, named: "error_page").flatMap { tree.nodes[$0].arguments.dropLast() }
            return Set(words.map(\.text).filter { !$0.hasPrefix("=") })
        }
        return Set(directives("error_page").map(\.parent)).filter { $0 >= 0 }.sorted()
            .compactMap { block in
                let outer = (tree.ancestors(of: block) + [-1]).lazy.map(codes).first { !$0.isEmpty } ?? []
                let lost = outer.subtracting(codes(block)).sorted()
                guard !lost.isEmpty, !answersWithout(lost, in: block) else { return nil }
                return LintFound(
                    tree.nodes[block].position,
                    "the error_page directives around it do not apply here: \(lost.joined(separator: ", "))",
                    advice: "repeat them"
                )
            }
    }

    /// Returns true for a location that answers each request by a `return`, and with none of the statuses.
    private func answersWithout(_ statuses: [String], in block: Int) -> Bool {
        let inner = tree.nodes[tree.nodes[block].children]
        guard tree.nodes[block].name == "location", !tree.children(of: block, named: "return").isEmpty,
            !inner.contains(where: { $0.name == "location" })
        else { return false }
        let returns = inner.flatMap { [$0] + tree.nodes[$0.children] }.filter { $0.name == "return" }
        return !returns.contains { $0.arguments.first.map { statuses.contains($0.text) } ?? false }
    }

    func addHeaderContentType() -> [LintFound] {
        directives("add_header", "more_set_headers")
            .compactMap { node in
                guard let word = node.arguments.first,
                    ["content-type", "content-type:"].contains(word.text.lowercased().prefix { $0 != " " })
                else { return nil }
                let hides = [
                    "proxy_hide_header", "fastcgi_hide_header", "uwsgi_hide_header", "scgi_hide_header",
                    "grpc_hide_header",
                ]
                let isHidden = hides.flatMap { tree.children(of: node.parent, named: $0) }
                    .contains { tree.nodes[$0].arguments.first?.text.lowercased() == "content-type" }
                return isHidden
                    ? nil : LintFound(word, "this adds a second Content-Type", advice: "use default_type")
            }
    }

    func addHeaderMultiline() -> [LintFound] {
        directives("add_header", "more_set_headers")
            .compactMap { node in
                node.arguments.first { $0.bytes.contains(0x0a) || $0.bytes.contains(0x0d) }
                    .map { LintFound($0, "this header has several lines", advice: "write it on one line") }
            }
    }

    func implicitRedirect() -> [LintFound] {
        directives("rewrite").map(\.arguments)
            .compactMap { words in
                guard words.count == 2, words[1].beginsWithScheme else { return nil }
                return LintFound(words[1], "this is a redirect with 302", advice: "write redirect, or permanent")
            }
    }

    func softError() -> [LintFound] {
        directives("error_page").map(\.arguments)
            .compactMap { words in
                // The last word is where it leads, whatever it begins with.
                guard let change = words.dropLast().first(where: { $0.text == "=200" }),
                    words.contains(where: { "45".contains($0.text.prefix(1)) && $0.bytes.count == 3 })
                else { return nil }
                return LintFound(change, "an error is answered with 200", advice: "keep the status")
            }
    }

    func mixedCaseVariable() -> [LintFound] {
        var first: [String: String] = [:]
        var reported: Set<String> = []
        var found: [LintFound] = []
        for word in tree.nodes.flatMap(\.arguments) {
            for name in Self.variableNames(in: word.text) {
                let folded = name.lowercased()
                let known = first[folded, default: name]
                first[folded] = known
                guard known != name, reported.insert(folded).inserted else { continue }
                found.append(LintFound(word, "$\(name) is written $\(known) elsewhere", advice: "write it in one way"))
            }
        }
        return found
    }

    func defaultServerMissing() -> [LintFound] {
        let words = directives("listen").flatMap(\.arguments)
        guard !words.contains(where: { $0.text == "default_server" || $0.text == "default" }) else { return [] }
        return model.listens.compactMap { listen in
            let server = listen.defaultServer
            guard !listen.hasOneServer, !server.name.isEmpty else { return nil }
            var request = RuleRequest(target: "/", host: "attacker.example")
            request.listen = RuleRequest.Endpoint(port: listen.port)
            guard let witness = decide(RequestDescription(request), reaching: .server(server)) else { return nil }
            return LintFound(
                server.position,
                "every host that no server names reaches this, because it is the first on port \(listen.port)",
                advice: "name one with default_server"
            )
            // Without any `listen` the rules are about names alone.
            .rated(.note, if: tree.named["listen"] == nil).confirmed(by: witness)
        }
    }

    func rewriteAppendsQuery() -> [LintFound] {
        let targets =
            directives("return").compactMap(Self.redirect) + directives("proxy_pass").compactMap(\.arguments.last)
        let written =
            targets
            .filter { $0.text.contains(/\$(?:request_uri|\{request_uri\})\??\$(?:is_args)?\$?(?:args|query_string)\b/) }
            .map { word in
                LintFound(word, "the query of the request is in the target twice", advice: "end it with $request_uri")
                    .rated(.warning).based(on: .structure)
            }
        return written + appendedQueries()
    }

    /// Rewrites to a URL with a query that redirect, and append the one of the request.
    private func appendedQueries() -> [LintFound] {
        rules.compactMap { rule in
            guard rule.operation == .rewrite, let sighting = decided(by: rule), sighting.decision.kind == .redirect,
                let url = sighting.decision.urlBytes, let target = sighting.request.target,
                !target.contains(UInt8(ascii: "?")),
                let witness = sighting.request.asking(target: target + Array("?u=2".utf8)).map(decide),
                let other = witness.decision.url, decides(rule, witness)
            else { return nil }
            let isTwice = other.split(separator: "u=2", omittingEmptySubsequences: false).count > 2
            guard isTwice || url.contains(UInt8(ascii: "?")) && other.hasSuffix("&u=2") else { return nil }
            return LintFound(
                rule.position,
                isTwice ? "the query of the request is in the target twice" : "the query of the request is appended",
                advice: "end the target with ?\(isTwice ? "" : " if that is not meant")"
            )
            .rated(.warning, if: isTwice).confirmed(by: witness)
        }
    }
}
