import Shunt

extension LintSubject {
    func missingSlash() -> [LintFound] {
        let written = numbers(of: "return", "rewrite", "error_page", "try_files")
            .compactMap { index in
                let node = tree.nodes[index]
                return TargetMistake.found(in: node) ?? redirectWithoutLocation(node) ?? missingLocation(index)
                    ?? serverName(node) ?? Self.redirect(node).flatMap { schemeless($0) ?? hostVariable($0, at: index) }
                    ?? Self.resortBeforeLast(node)
            }
        return written + tables() + joinedTables()
    }

    /// A target that begins with a host and no scheme, to which nginx adds those of the request.
    private func schemeless(_ word: Word) -> LintFound? {
        guard tree.named["absolute_redirect"] == nil,
            word.text.contains(/^\/\/[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?:[:\/?#]|$)/)
        else { return nil }
        return LintFound(word, "this is a path of the same host", advice: "write $scheme:\(word.text)")
    }

    /// A target that begins with a variable for a host: a group of a server's name, or a `set` with a host.
    private func hostVariable(_ word: Word, at index: Int) -> LintFound? {
        guard let found = word.text.prefixMatch(of: /\$\{?([a-z_][a-z0-9_]*)\}?\$\{?(?:request_uri|uri|document_uri)\b/)
        else { return nil }
        let names = tree.block("server", around: index).map { tree.children(of: $0, named: "server_name") } ?? []
        let isGroup = names.flatMap { tree.nodes[$0].arguments }
            .contains { $0.text.hasPrefix("~") && $0.text.contains("<\(found.1)>") }
        let constant = constantTexts.filled("$\(found.1)")
        guard isGroup || constant.contains(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/) else { return nil }
        return LintFound(word, "$\(found.1) without a scheme is a path", advice: "write $scheme://\(word.text)")
    }

    /// A status or a name of a location in a `try_files` that is not its last word.
    private static func resortBeforeLast(_ node: RuleDocument.Node) -> LintFound? {
        // One before a status does no harm: the status follows in any case.
        guard node.name == "try_files", node.arguments.last?.text.hasPrefix("=") == false,
            let word = node.arguments.dropLast().first(where: { $0.text.contains(/^(?:=[0-9]{3}|@[\w-]+)$/) })
        else { return nil }
        return LintFound(
            word,
            "this is the name of a file: only the last word may be \(word.text.hasPrefix("=") ? "a status" : "a location")",
            advice: "write it last"
        )
    }

    /// An `error_page` that sets the status of a redirect for a page of these rules.
    private func redirectWithoutLocation(_ node: RuleDocument.Node) -> LintFound? {
        guard node.name == "error_page", let page = node.arguments.last, page.text.hasPrefix("/"),
            let change = node.arguments.dropLast().first(where: { $0.text.contains(/^=30[12378]$/) })
        else { return nil }
        let leadsOn = numbers(of: "location")
            .contains { location in
                LocationName(tree.nodes[location].arguments)?.text == page.bytes
                    && tree.descendants(of: location)
                        .contains { ["return", "rewrite", "proxy_pass"].contains(tree.nodes[$0].name) }
            }
        guard !leadsOn else { return nil }
        return LintFound(
            change,
            "the page \(page.text) is sent with the status of a redirect and without a Location",
            advice: "write a location @NAME with return \(change.text.dropFirst()) \(page.text), and lead there"
        )
    }

    /// A location `@name` that no server has, or only another server.
    private func missingLocation(_ index: Int) -> LintFound? {
        guard ["error_page", "try_files"].contains(tree.nodes[index].name), let word = tree.nodes[index].arguments.last,
            word.text.hasPrefix("@"), !word.text.contains("$")
        else { return nil }
        let server = tree.block("server", around: index)
        let isKnown = directives("location")
            .contains { location in
                (server == nil || location.parent == server) && location.arguments.first?.text == word.text
            }
        guard !isKnown else { return nil }
        return LintFound(
            word,
            "\(server == nil ? "no" : "this") server has \(server == nil ? "a" : "no") location \(word.text): a request that is led there ends with 500",
            advice: "write the location"
        )
    }

    /// A target whose host is the first name of a server that is not a host.
    private func serverName(_ node: RuleDocument.Node) -> LintFound? {
        guard ["return", "rewrite"].contains(node.name), node.arguments.count > 1,
            node.arguments[1].text.contains(/^(?:https?|\$scheme):\/\/\$(?:server_name\b|\{server_name\})/),
            let name = unusableName(around: node.position)
        else { return nil }
        return LintFound(
            node.arguments[1],
            "$server_name is the first name of the server, \(name), and no host",
            advice: "write the name"
        )
    }

    /// The values of maps that redirects begin with.
    private func tables() -> [LintFound] {
        var known: Set<SourcePosition> = []
        return rules.flatMap { step -> [LintFound] in
            if case .degrade = step.action { return [] }
            guard step.sequence?.server != nil, let target = self.target(of: step),
                let maps = target.pieces.first?.variable?.maps, maps.count == 1, let map = maps.first,
                known.insert(map.position).inserted
            else { return [] }
            let tested = directives("if").flatMap(\.arguments).map(\.text)
            // Where expressions and wildcards follow, a key without a target is an exception.
            let needsTarget =
                target.pieces.count == 1 && map.expressions.isEmpty && !map.hasHosts
                && map.defaultValue?.constant?.isEmpty != false
            return map.entries.compactMap { entry in
                if needsTarget, entry.written.text.isEmpty, !entry.key.bytes.elementsEqual("default".utf8) {
                    return LintFound(entry.key, "this key has no target", advice: "write one, or remove the key")
                }
                // A text without these characters may be a sign for a test, or the beginning of a target.
                let text = entry.written.text
                let isTarget =
                    text.contains { "/.:".contains($0) }
                    || target.pieces.count == 1 && text.contains("-") && !tested.contains { $0.contains(text) }
                guard isTarget else { return nil }
                return TargetMistake(ofLocation: text).map { LintFound(entry.written, $0.reason, advice: $0.advice) }
                    ?? (target.pieces.count == 1 ? schemeless(entry.written) : nil)
            }
        }
    }

    /// The values of maps without a slash that redirects write right after a host.
    private func joinedTables() -> [LintFound] {
        var known: Set<SourcePosition> = []
        return rules.flatMap { step -> [LintFound] in
            guard let pieces = target(of: step)?.pieces.suffix(2), pieces.count == 2,
                case .literal(let text)? = pieces.first,
                text.asText.wholeMatch(of: /(?:https?)?:\/\/(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?::[0-9]+)?/) != nil,
                let map = pieces.last?.variable?.map, known.insert(map.position).inserted
            else { return [] }
            return map.entries.map(\.written)
                .filter { word in
                    // A dot begins the rest of the host; an empty text and 0 are mostly signs for a test.
                    word.text != "0" && word.text.first.map { $0.isLetter || $0.isNumber } ?? false
                }
                .map { LintFound($0, "no slash is between \(text.asText) and this value", advice: "write a path") }
        }
    }

    /// The first name of the server around a place, where it is not the name of a host.
    func unusableName(around position: SourcePosition) -> String? {
        guard let node = tree.node(at: position), let server = tree.block("server", around: node),
            let name = tree.children(of: server, named: "server_name").first
                .flatMap({ tree.nodes[$0].arguments.first?.text })
        else { return nil }
        return name == "_" || name.contains("*") || name.hasPrefix("~") ? name : nil
    }
}

/// The reason why a target leads nowhere, and what was meant.
private struct TargetMistake {
    let reason: String
    let advice: String?

    private init(_ reason: String, _ advice: String?) {
        self.reason = reason
        self.advice = advice
    }

    /// The mistake in the target of a directive.
    static func found(in node: RuleDocument.Node) -> LintFound? {
        let words = node.arguments
        if node.name == "return", words.count == 1, words[0].isRedirectStatus {
            return LintFound(words[0], "a redirect without a target leads nowhere", advice: "write where it leads")
        }
        guard words.count > 1, let last = words.last else { return nil }
        var word = node.name == "rewrite" ? words[1] : last
        let mistake: Self?
        switch node.name {
        case "return" where words[0].isRedirectStatus:
            (word, mistake) = (words[1], Self(ofLocation: words[1].text) ?? Self(ofEmpty: words[1].text))
        case "return": mistake = Self(ofBody: words[1].text, status: words[0].text)
        case "rewrite" where word.text == "-":
            mistake = Self("this is a path, and not a sign for no change", "leave the rule out, or write a location")
        case "rewrite":
            let isRedirect = last.isRedirectFlag
            // A path that stays here may have a space.
            mistake =
                !isRedirect && Self.capturesAfterSlash(words[0].text, word.text)
                ? Self("this is a path without a slash: the slash is before the group", "write /\(word.text)")
                : isRedirect || !word.text.contains(" ") ? Self(ofLocation: word.text) : Self(ofPath: word.text)
        // The last one decides where it goes; `=404` and names of locations begin with other characters.
        case "try_files" where last.bytes.count == 3 && (Int(last.text) ?? 0) > 299:
            mistake = Self("this is a path without a slash, and no status", "write =\(last.text)")
        case "error_page" where last.bytes.count > 1 && last.bytes.first == UInt8(ascii: "="):
            mistake = Self(
                "a space is missing after the sign: clients are redirected to \(last.text)",
                "write = \(last.text.dropFirst())"
            )
        default: mistake = Self(ofPath: last.text)
        }
        return mistake.map { LintFound(word, $0.reason, advice: $0.advice) }
    }

    /// Nil for what a Location may be.
    init?(ofLocation text: String) {
        let rest = text.drop { $0.isLetter || $0 == "+" || $0 == "-" }
        let scheme = text[..<rest.startIndex].lowercased()
        let isWeb = ["http", "https"].contains(scheme)
        if let scheme = text.prefixMatch(of: /\$(?:scheme|\{scheme\})(?!:\/\/):?\/*/) {
            self.init("this is not a URL", "write $scheme://\(text[scheme.range.upperBound...])")
        } else if let host = ["$host", "$http_host", "$server_name", "${host}"].first(where: text.hasPrefix) {
            self.init("\(host) without a scheme is a path", "write $scheme://\(text)")
        } else if text.hasPrefix(" ") || text.hasSuffix(" ") {
            self.init("the space at its \(text.hasPrefix(" ") ? "start" : "end") is a part of the target", "remove it")
        } else if text.contains(" ") {
            self.init("a Location has no spaces", "write \(text.replacing(" ", with: "%20"))")
        } else if isWeb, let found = rest.prefixMatch(of: /:\/(?!\/)|:(?![\/$])|\/\/:?\/*|:\/\/\/+|;\/+/) {
            let host = rest[found.range.upperBound...]
            self.init("this is not a URL", host.isEmpty ? nil : "write \(scheme)://\(host)")
        } else if isWeb, rest == "://" {
            self.init("this URL has no host", nil)
        } else if isWeb, rest.contains(/^:\/\/\$\{?(?:request_uri|uri|document_uri|is_args|args|query_string)\b/) {
            self.init("this URL has no host", "write \(scheme)://$host\(rest.dropFirst(3))")
        } else if isWeb, rest.wholeMatch(of: /:\/\/[^\/?#@$\[]*:(?![0-9]+([\/?#$].*)?$)[^$\/@][^\/@]*(\/.*)?/) != nil {
            self.init("the port of this URL is not a number", nil)
        } else if ["javascript", "data", "vbscript"].contains(scheme), rest.hasPrefix(":") {
            self.init("browsers do not follow a redirect to \(scheme):", nil)
        } else if !isWeb, rest.hasPrefix("://"), scheme != "ftp",
            let meant = Suggestion.closest(to: scheme, among: ["http", "https"])
        {
            self.init("no browser has the scheme \(scheme)", "write \(meant)\(rest)")
        } else if Self.beginsWithHost(text) {
            self.init("a host without a scheme is a path", "write $scheme://\(text)")
        } else {
            self.init(ofPath: text)
        }
    }

    /// Nil for what the path of a request may be.
    init?(ofPath text: String) {
        guard let first = text.utf8.first, first.isASCIILetter || first.isASCIIDigit, !text.contains(":") else {
            return nil
        }
        if let found = text.prefixMatch(of: /(https?)\/+/) {
            self.init("this is not a URL", "write \(found.1)://\(text[found.range.upperBound...])")
        } else {
            self.init("this is a path without a slash", "write /\(text)")
        }
    }

    private init?(ofEmpty text: String) {
        guard text.isEmpty else { return nil }
        self.init("an empty Location leads nowhere", "write where it leads")
    }

    /// Returns true if a target begins with the first group of an expression, which follows a slash and does not begin with one.
    private static func capturesAfterSlash(_ expression: String, _ target: String) -> Bool {
        guard target.firstMatch(of: /^\$(?:1(?![0-9])|\{1\})/) != nil, let open = expression.firstIndex(of: "(") else {
            return false
        }
        let group = expression[expression.index(after: open)...]
        let before = expression[..<open]
        return before.hasSuffix("/") && !before.contains(where: { "|\\".contains($0) })
            && !["?", "/", "|", ")", "\\"].contains { group.hasPrefix($0) }
    }

    /// Nil for a text that a client is to read.
    private init?(ofBody text: String, status: String) {
        guard let number = Int(status), number >= 400 || number == 304 || number == 305, !text.contains(" "),
            text.wholeMatch(of: /@\w+|https?:\/\/.*|(\/[^\/]+)+/) != nil
        else { return nil }
        self.init(
            "this text is the body of the answer: nothing leads to it",
            (400..<600).contains(number)
                ? "write error_page \(status) \(text) and return \(status)" : "write a status from 301 to 308"
        )
    }

    /// Returns true for a text whose first part is a name of hosts rather than of a page.
    private static func beginsWithHost(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isASCIILetter || first.isASCIIDigit, !text.contains(":") else {
            return false
        }
        let labels = text.prefix { $0 != "/" && $0 != "$" }.split(separator: ".", omittingEmptySubsequences: false)
        let pages = [
            "html", "htm", "php", "asp", "aspx", "jsp", "txt", "json", "xml", "css", "js", "png", "jpg", "svg", "ico",
            "pdf",
        ]
        guard labels.count > 1, let last = labels.last, !pages.contains(last.lowercased()) else { return false }
        return last.count > 1 && last.allSatisfy { $0.isLetter && $0.isASCII }
    }
}
