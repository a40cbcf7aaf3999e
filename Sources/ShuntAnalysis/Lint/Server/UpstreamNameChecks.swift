import ShuntCore
import ShuntRules

extension LintCheck {
    static let missingResolver = onDirectives(
        "missing-resolver",
        .warning,
        "names that are looked up while nginx runs, without a resolver",
        explanation: """
            A host in a variable, and a `server … resolve` of an upstream, are looked up at each request. Without a `resolver` such \
            requests fail with 502.
            """,
        example: "server { location / { set $to app.example.com; proxy_pass http://$to; } }",
        names: ["proxy_pass", "server"]
    ) { tree, node in
        let advice = "add a resolver in your network"
        if tree.nodes[node].name == "server" {
            guard let upstream = tree.block("upstream", around: node),
                tree.nodes[node].arguments.contains(where: { $0.text == "resolve" }),
                tree.inherited("resolver", in: upstream).isEmpty
            else { return nil }
            return ("nothing can look this name up", advice)
        }
        guard tree.inherited("resolver", in: tree.nodes[node].parent).isEmpty,
            let url = tree.nodes[node].arguments.first?.text, url.contains("$")
        else { return nil }
        let hosts = url.hasPrefix("$") ? hosts(of: url, in: tree) : hosts(of: authority(of: url), in: tree)
        // A name of the own network may be known to the system.
        let isOwn = !url.hasPrefix("$") && !authority(of: url).contains("$") && !isPublicName(host(of: url))
        let isKnown = isOwn || !hosts.isEmpty && hosts.allSatisfy { isFound($0, in: tree) }
        return isKnown ? nil : ("nothing can look the host up, for there is a variable here", advice)
    }

    /// The texts that a word with variables may come to; none where that is not known.
    private static func hosts(of text: String, in tree: RuleDocument, depth: Int = 0) -> [String] {
        guard let dollar = text.firstIndex(of: "$") else { return [text] }
        let rest = text[text.index(after: dollar)...]
        let isBraced = rest.hasPrefix("{")
        let name = rest.dropFirst(isBraced ? 1 : 0).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let after = rest[name.endIndex...].dropFirst(isBraced ? 1 : 0)
        let limit = 64
        guard depth < 4, !name.isEmpty else { return [] }
        var values = values(of: "$" + name, in: tree)
        for map in tree.named["map"] ?? [] where tree.nodes[map].arguments.last?.text == "$" + name {
            values += tree.nodes[tree.nodes[map].children].compactMap(\.arguments.last?.text)
        }
        guard !values.isEmpty, values.count <= limit else { return [] }
        var found: [String] = []
        for value in values {
            let texts = hosts(of: text[..<dollar] + value + after, in: tree, depth: depth + 1)
            guard !texts.isEmpty, found.count <= limit else { return [] }
            found += texts
        }
        return found
    }

    /// Returns true if nginx finds a host without a resolver: an upstream block, or an address.
    private static func isFound(_ text: String, in tree: RuleDocument) -> Bool {
        let authority = text.contains("://") ? authority(of: text) : String(text.prefix { $0 != "/" })
        let name = authority.hasPrefix("[") ? authority : String(authority.prefix { $0 != ":" })
        if name.hasPrefix("[") || name.hasPrefix("unix") || InternetAddress(name) != nil { return true }
        return (tree.named["upstream"] ?? []).contains { tree.nodes[$0].arguments.first?.text == name }
    }

    /// The host of a URL with its port.
    private static func authority(of url: String) -> String {
        guard let mark = url.firstRange(of: "://") else { return url }
        return String(url[mark.upperBound...].prefix { $0 != "/" })
    }

    static let staleDNSCache = onDirectives(
        "stale-dns-cache",
        .note,
        "a host that is looked up once, when nginx starts",
        explanation: """
            If its addresses change, requests go to the old ones until the next reload. Write the host into an upstream with `resolve`, \
            and name a `resolver`. Names of your network that never move can stay.
            """,
        example: "server { location / { proxy_pass https://api.example.com; } }",
        names: ["proxy_pass"]
    ) { tree, node in
        guard let url = tree.nodes[node].arguments.first?.text else { return nil }
        let name = host(of: url)
        let isVariable = name.hasPrefix("$")
        let names = isVariable ? values(of: name, in: tree) : [name]
        for name in names {
            let members = (tree.named["upstream"] ?? []).filter { tree.nodes[$0].arguments.first?.text == name }
                .flatMap { tree.children(of: $0, named: "server") }
            for member in members {
                let words = tree.nodes[member].arguments.map(\.text)
                guard let first = words.first, isPublicName(host(of: "http://" + first)), !words.contains("resolve")
                else { continue }
                return ("\(first) is looked up once, when nginx starts", "write resolve after it")
            }
            guard !isVariable, members.isEmpty, !url.contains("$"), isPublicName(name) else { continue }
            return ("\(name) is looked up once, when nginx starts", "put it into an upstream, with resolve")
        }
        return nil
    }

    /// The host of a URL, without its port.
    private static func host(of url: String) -> String {
        let bytes = Array(url.utf8)
        guard let address = ProxyAddress(bytes.span), !address.isSocket else { return "" }
        let host = String(decoding: bytes[address.host.indices], as: UTF8.self)
        return host.hasPrefix("[") ? "" : host
    }

    /// Returns true if a name is one of the open network: those of the own one rarely move.
    private static func isPublicName(_ name: String) -> Bool {
        let labels = name.lowercased().split(separator: ".")
        let own: Set<Substring> = [
            "internal", "local", "localhost", "localdomain", "lan", "home", "corp", "intranet", "private", "consul",
            "svc", "prod",
        ]
        guard labels.count > 1, let last = labels.last, !own.contains(last) else { return false }
        return !last.allSatisfy(\.isNumber) && !name.contains("$")
    }

    /// The values that a variable is set to somewhere.
    private static func values(of variable: String, in tree: RuleDocument) -> [String] {
        (tree.named["set"] ?? []).map { tree.nodes[$0].arguments.map(\.text) }
            .filter { $0.count == 2 && $0[0] == variable }.map { $0[1] }
    }

    static let proxyHostHeader = LintCheck(
        "proxy-host-header",
        .server,
        .warning,
        .structure,
        "the client chooses the Host that the upstream sees",
        explanation: """
            `proxy_set_header Host $http_host` and the like pass on what the client sent, also if the request's target names another host. \
            Upstreams build links from it, and caches keep them. Write `$host`.
            """,
        example: "server { proxy_set_header Host $http_x_forwarded_host; }"
    ) { subject in
        (subject.tree.named["proxy_set_header"] ?? [])
            .compactMap { node in
                let words = subject.tree.nodes[node].arguments
                guard words.count == 2, words[0].text.lowercased() == "host" else { return nil }
                let value = words[1].text.lowercased()
                guard let chosen = ["$http_", "$arg_", "$cookie_"].first(where: { value.contains($0) }) else {
                    return nil
                }
                var found = LintFound(words[1], "clients choose this Host", advice: "write $host")
                if chosen == "$http_", value == "$http_host" { found.severity = .note }
                return found
            }
    }
}
