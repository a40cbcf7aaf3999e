/// The work of one directive, apart from its matcher.
struct CaddyAction {
    /// The parts of the rules.
    struct Written {
        var settings: [ImportItem] = []
        var rules: [ImportedRule] = []
        var upstream: ImportItem?
        var remarks: [String] = []
        var differences: [String] = []
        /// True if the request has its answer.
        var isAnswer = false
    }

    /// True if the path may not be that of the request.
    let isChanged: Bool
    /// True if it is for some requests only.
    let hasTests: Bool
    let usesProxy: Bool

    private var uri: String { isChanged ? "$uri$is_args$args" : "$request_uri" }

    private func string(_ text: String) throws(Unsaid) -> String { try CaddyText.string(text, uri: uri) }

    /// The rules and settings for a directive.
    func action(_ directive: CaddyDirective) throws(Unsaid) -> Written {
        let words = Array(directive.arguments)
        let line = directive.line...directive.line
        guard !words.joined().contains("{$") else { throw Unsaid("a variable of the environment") }
        var written = Written()
        switch directive.name {
        case "redir": written.rules = [try redirect(words, line)]
        case "respond", "error": written.rules = [try response(directive.name, words, at: line)]
        case "abort": written.rules = [ImportedRule(line, .respond(444))]
        case "rewrite":
            guard words.count == 1 else { throw Unsaid("a rewrite without a target") }
            written.rules = [ImportedRule(line, .rewrite(try CaddyText.target(words[0]), .next))]
        case "uri":
            written.rules = [try change(words, line)]
            if words.first == "replace" { written.differences = ["here only the first in the path is replaced"] }
        case "try_files": written.rules = try files(words, line)
        case "reverse_proxy": return try proxy(directive, words)
        case "file_server": return try fileServer(directive, words)
        case "root", "header", "request_header", "request_body":
            guard !hasTests else { throw Unsaid("it is for some requests only") }
            written.settings = try settings(directive, words)
        case "tls" where CaddySite.uses("client_auth", directive.block ?? []):
            throw Unsaid("certificates of clients: write ssl_verify_client")
        case "tls", "encode", "log", "skip_log", "log_skip", "log_append", "tracing", "push":
            written.remarks = ["it decides nothing about a request"]
        case "basicauth", "basic_auth":
            throw Unsaid("passwords in the configuration: write auth_basic and a file of them")
        default: throw Unsaid("no rule here is like it")
        }
        written.isAnswer = ["redir", "respond", "error", "abort"].contains(directive.name)
        return written
    }

    // MARK: Answers

    private func redirect(_ words: [String], _ line: ClosedRange<Int>) throws(Unsaid) -> ImportedRule {
        let codes = ["permanent": 301, "temporary": 302]
        let status = words.count > 1 ? codes[words[1]] ?? Int(words[1]) : 302
        guard let target = words.first, let status, [301, 302, 303, 307, 308].contains(status) else {
            throw Unsaid("a redirect with another status")
        }
        return ImportedRule(line, .respond(status, try string(target)))
    }

    private func response(_ name: String, _ words: [String], at line: ClosedRange<Int>) throws(Unsaid) -> ImportedRule {
        let isStatus = words.count == 1 && words[0].wholeMatch(of: #/[1-5]\d\d/#) != nil
        let body = isStatus ? nil : words.first
        let usual = name == "error" ? "500" : "200"
        guard let status = Int(isStatus ? words[0] : words.count > 1 ? words[1] : usual), 200...599 ~= status,
            name == "error" || !(300...399).contains(status)
        else { throw Unsaid("an answer with another status") }
        // The message of an error is for logs.
        return ImportedRule(line, .respond(status, name == "error" ? nil : try body.map(string)))
    }

    // MARK: Paths

    private func change(_ words: [String], _ line: ClosedRange<Int>) throws(Unsaid) -> ImportedRule {
        guard words.count > 1, words.allSatisfy({ !$0.contains("{") }) else {
            throw Unsaid("a change of the path with a placeholder")
        }
        let text = words[1]
        let literal = ImportedExpression.literal(text)
        let end = words.count > 2 ? words[2] : ""
        guard !end.contains("$") || words[0] == "path_regexp" else { throw Unsaid("a text with a $ in it") }
        let pattern: ImportedRule.Pattern
        let target: String
        switch words[0] {
        case "strip_prefix":
            let prefix = text.hasPrefix("/") ? literal : "/" + literal
            pattern = .init(expression: "^\(prefix)/?(.*)$", ignoresCase: true)
            target = "/$1"
        case "strip_suffix":
            pattern = .init(expression: "^(.+)\(literal)$", ignoresCase: true)
            target = "$1"
        case "replace" where words.count > 2:
            pattern = .init(expression: "^(.*?)\(literal)(.*)$")
            target = "$1\(end)$2"
        case "path_regexp" where words.count > 2:
            guard text.hasPrefix("^"), ImportedExpression.alternatives(text).count == 1,
                let groups = ImportedExpression.groupCount(text), groups < 9,
                end.wholeMatch(of: #/(?:[^$]|\$\d(?!\w)|\$\{\d\})*/#) != nil
            else { throw Unsaid("an expression that may match several times") }
            let hasEnd = text.hasSuffix("$") && !text.hasSuffix("\\$")
            pattern = .init(expression: hasEnd ? text : text + "(.*)$")
            target = hasEnd ? end : "\(end)$\(groups + 1)"
        default: throw Unsaid("the change \(words[0])")
        }
        return ImportedRule(line, .rewrite(target, .next), pattern: pattern)
    }

    /// The first of several files that exists, as rules one after another.
    private func files(_ words: [String], _ line: ClosedRange<Int>) throws(Unsaid) -> [ImportedRule] {
        var rules: [ImportedRule] = []
        var missing: [[ImportedTest]] = []
        for (index, word) in words.enumerated() {
            if word == "{path}" || word == "{path}/" {
                let kind: ImportedTest.Kind = word == "{path}" ? .file : .directory
                missing.append([.init("$request_filename", kind, isNegated: true)])
                continue
            }
            if word.hasPrefix("="), let status = Int(word.dropFirst()), index == words.count - 1 {
                rules.append(ImportedRule(line, .respond(status), tests: missing))
            } else {
                let target = try CaddyText.target(word)
                let file = "$document_root\(try CaddyText.string(String(word.prefix { $0 != "?" }), uri: "$uri"))"
                rules.append(ImportedRule(line, .rewrite(target, .next), tests: missing + [[.init(file, .file)]]))
            }
        }
        return rules
    }

    private func fileServer(_ directive: CaddyDirective, _ words: [String]) throws(Unsaid) -> Written {
        var written = Written(isAnswer: true)
        let line = directive.line...directive.line
        for option in [CaddyDirective(words: ["browse"], line: directive.line)].filter({ _ in words == ["browse"] })
            + (directive.block ?? [])
        {
            let values = Array(option.arguments)
            switch option.name {
            case "root" where !hasTests && values.count == 1 && !values[0].contains("$") && !values[0].contains("{"):
                written.settings.append(.directive(["root", values[0]], option.line))
            case "index" where !hasTests && !values.joined().contains("$"):
                written.settings.append(.directive(["index"] + values, option.line))
            case "hide" where values.allSatisfy({ !$0.contains("/") && !$0.contains("[") && !$0.contains("{") }):
                let names = values.map { ImportedExpression.literal($0).replacing("\\*", with: "[^/]*") }
                let expression = "/(?:\(names.joined(separator: "|")))(?:/|$)"
                written.rules.append(ImportedRule(line, .respond(404), tests: [[.init("$uri", .matches(expression))]]))
            case "precompressed", "disable_canonical_uris": written.remarks.append("without \(option.name)")
            default: throw Unsaid("the option \(option.name)")
            }
        }
        guard words.isEmpty || words == ["browse"] else { throw Unsaid("its options") }
        if hasTests { written.rules.append(ImportedRule(line, .stop)) }
        return written
    }

    // MARK: Settings

    private func settings(_ directive: CaddyDirective, _ words: [String]) throws(Unsaid) -> [ImportItem] {
        switch (directive.name, words.count) {
        case ("root", 1) where !words[0].contains("{") && !words[0].contains("$"):
            return [.directive(["root", words[0]], directive.line)]
        case ("header", _), ("request_header", _):
            var lines = words.isEmpty ? [] : [words]
            for line in directive.block ?? [] where line.words != ["defer"] { lines.append(line.words) }
            let isAnswer = directive.name == "header"
            var items: [ImportItem] = []
            for line in lines { items += try header(line, isAnswer: isAnswer, directive.line) }
            return items
        case ("request_body", 0):
            let sizes = directive.block ?? []
            guard sizes.count == 1, sizes[0].words.count == 2,
                let match = sizes[0].words[1].wholeMatch(of: #/(?i)(\d{1,9})([kmg]i?)?b?/#), let number = Int(match.1)
            else { break }
            let units = ["": 1, "k": 1000, "m": 1_000_000, "g": 1_000_000_000]
            let binary = ["ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30]
            let unit = (match.2 ?? "").lowercased()
            return [
                .directive(["client_max_body_size", "\(number * (units[unit] ?? binary[unit] ?? 1))"], directive.line)
            ]
        default: break
        }
        throw Unsaid("no rule here is like it")
    }

    private func header(_ words: [String], isAnswer: Bool, _ line: Int) throws(Unsaid) -> [ImportItem] {
        let sign = words.first?.first.flatMap { "+-?>".contains($0) ? $0 : nil }
        let name = String((words.first ?? "").drop { "+-?>".contains($0) })
        guard name.wholeMatch(of: #/[\w\-]+/#) != nil, words.count == (sign == "-" ? 1 : 2) else {
            throw Unsaid("a change of a header")
        }
        if sign == "-" {
            if !isAnswer { return [.directive(["proxy_set_header", name, ""], line)] }
            return usesProxy ? [.directive(["proxy_hide_header", name], line)] : []
        }
        let value = try string(words[1])
        guard isAnswer || sign == nil || sign == ">" else { throw Unsaid("a header in addition to another") }
        if !isAnswer { return [.directive(["proxy_set_header", name, value], line)] }
        // A header of an upstream would be sent as well.
        let hidden: [ImportItem] = usesProxy && sign != "+" ? [.directive(["proxy_hide_header", name])] : []
        guard sign != "?" || !usesProxy else { throw Unsaid("a header in the place of a missing one") }
        return hidden + [.directive(["add_header", name, value, "always"], line)]
    }

    // MARK: Upstreams

    private func proxy(_ directive: CaddyDirective, _ words: [String]) throws(Unsaid) -> Written {
        var written = Written(isAnswer: true)
        var addresses = words
        var method: String? = "random"
        for option in directive.block ?? [] {
            let values = Array(option.arguments)
            switch option.name {
            case "to": addresses += values
            case "header_up", "header_down":
                guard !hasTests else { throw Unsaid("a header for some requests only") }
                written.settings += try header(values, isAnswer: option.name == "header_down", option.line)
            case "lb_policy":
                let methods = ["random": "random", "least_conn": "least_conn", "ip_hash": "ip_hash", "round_robin": ""]
                method = values.count == 1 ? methods[values[0]] : nil
                if method == nil, addresses.count > 1 {
                    written.differences.append("the upstreams are taken in turn here")
                }
            case "flush_interval", "health_uri", "health_path", "health_port", "health_interval", "health_timeout",
                "health_status", "health_body", "health_headers", "fail_duration", "max_fails", "unhealthy_status",
                "unhealthy_latency", "unhealthy_request_count", "lb_retries", "lb_try_duration", "lb_try_interval",
                "buffer_requests", "buffer_responses", "max_buffer_size", "trusted_proxies":
                written.remarks.append("without \(option.name)")
            default: throw Unsaid("the option \(option.name)")
            }
        }
        let servers = try addresses.map { text throws(Unsaid) in
            guard
                let match = text.wholeMatch(of: #/(?:(https?):\/\/)?([A-Za-z0-9._\-]*|\[[0-9A-Fa-f:]+\])(?::(\d+))?/#),
                !match.2.isEmpty || match.3 != nil
            else { throw Unsaid("the upstream \(text)") }
            let port = match.3.map { ":\($0)" } ?? ""
            return (scheme: match.1.map(String.init) ?? "http", place: (match.2.isEmpty ? "localhost" : match.2) + port)
        }
        guard let first = servers.first, servers.allSatisfy({ $0.scheme == first.scheme }) else {
            throw Unsaid("its upstreams")
        }
        if first.scheme == "https" {
            written.differences.append("only proxy_ssl_verify checks the upstream's certificate")
        }
        var place = String(first.place)
        if servers.count > 1 {
            place = "upstream_\(directive.line)"
            let balance: [ImportItem] = (method ?? "").isEmpty ? [] : [.directive([method ?? ""])]
            let items = servers.map { ImportItem.directive(["server", String($0.place)]) }
            written.upstream = .block(["upstream", place], balance + items, directive.line)
        }
        if hasTests {
            let line = directive.line...directive.line
            written.rules = [ImportedRule(line, .proxy("\(first.scheme)://\(place)", path: nil))]
        } else {
            written.settings.append(.directive(["proxy_pass", "\(first.scheme)://\(place)"], directive.line))
        }
        return written
    }
}
