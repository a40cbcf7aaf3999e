import ShuntCore
import ShuntRules

extension LintCheck {
    static let errorLogOff = onDirectives(
        "error-log-off",
        .note,
        "error_log off",
        explanation: """
            `off` is the name of a file here, to which nginx writes its errors. Write `error_log /dev/null crit;` if that is the \
            intention.
            """,
        example: "error_log off;\nblock host a.example;",
        names: ["error_log"]
    ) { tree, node in
        tree.nodes[node].arguments.first?.text == "off"
            ? ("this writes errors into a file with the name \"off\"", "write error_log /dev/null crit;") : nil
    }

    static let lowKeepaliveRequests = onDirectives(
        "low-keepalive-requests",
        .note,
        "keepalive_requests below 1000",
        explanation:
            "Connections are closed after so few requests. HTTP/2 clients see requests fail at that moment. The default is 1000.",
        example: "server { keepalive_requests 100; }",
        names: ["keepalive_requests"]
    ) { tree, node in
        guard let count = tree.nodes[node].arguments.first.flatMap({ Int($0.text) }), count < 1000,
            tree.block("upstream", around: node) == nil
        else { return nil }
        return ("connections are closed after \(count) requests", "leave it at 1000")
    }

    static let proxyBufferingOff = onDirectives(
        "proxy-buffering-off",
        .note,
        "proxy_buffering off",
        explanation: """
            A slow client occupies the upstream's connection as long as it reads. If answers have to be streamed, let the upstream send \
            `X-Accel-Buffering: no`.
            """,
        example: "server { proxy_buffering off; }",
        names: ["proxy_buffering"]
    ) { tree, node in
        tree.nodes[node].arguments.first?.text == "off"
            ? ("slow clients occupy the upstream's connections", "let the upstream send X-Accel-Buffering: no") : nil
    }

    static let versionDisclosure = onDirectives(
        "version-disclosure",
        .warning,
        "server_tokens on",
        explanation:
            "Answers contain the version of nginx, which helps attackers find old ones. Write `server_tokens off;`.",
        example: "server { server_tokens on; }",
        names: ["server_tokens"]
    ) { tree, node in
        ["on", "build"].contains(tree.nodes[node].arguments.first?.text)
            ? ("answers contain the version of nginx", "write server_tokens off;") : nil
    }

    static let weakTLS = onDirectives(
        "weak-ssl-tls",
        .error,
        "versions of TLS and ciphers that are broken",
        explanation:
            "SSLv2, SSLv3, TLSv1 and TLSv1.1 are broken or withdrawn. Write `ssl_protocols TLSv1.2 TLSv1.3;`. So are ciphers with RC4, DES and MD5.",
        example: "server { ssl_protocols TLSv1 TLSv1.2; }",
        names: ["ssl_protocols", "ssl_ciphers"]
    ) { tree, node in
        if tree.nodes[node].name == "ssl_ciphers" {
            let words = tree.nodes[node].arguments.first?.text.split(separator: ":") ?? []
            let weak = words.filter { word in
                !word.hasPrefix("!") && !word.hasPrefix("-")
                    && ["RC4", "DES", "MD5", "NULL", "EXP", "aNULL", "LOW"].contains(where: { word.contains($0) })
            }
            return weak.isEmpty ? nil : ("\(weak.joined(separator: ", ")) can be broken", "remove them")
        }
        let weak = tree.nodes[node].arguments.map(\.text)
            .filter { ["SSLv2", "SSLv3", "TLSv1", "TLSv1.1"].contains($0) }
        return weak.isEmpty
            ? nil : ("\(weak.joined(separator: ", ")) can be broken", "write ssl_protocols TLSv1.2 TLSv1.3;")
    }

    static let resolverExternal = onDirectives(
        "resolver-external",
        .warning,
        "a resolver outside of the own network",
        explanation: """
            Answers of DNS over open networks can be forged, and then requests go to an attacker. Use a resolver in your network.
            """,
        example: "server { resolver 8.8.8.8; }",
        names: ["resolver"]
    ) { tree, node in
        for word in tree.nodes[node].arguments where !word.text.contains("=") {
            guard let address = address(word.text), !isLocal(address) else { continue }
            return ("\(word.text) is outside your network", "use a resolver in your network")
        }
        return nil
    }

    private static func address(_ text: String) -> InternetAddress? {
        if text.hasPrefix("[") { return InternetAddress(String(text.dropFirst().prefix { $0 != "]" })) }
        return InternetAddress(text) ?? InternetAddress(String(text.prefix { $0 != ":" }))
    }

    private static func isLocal(_ address: InternetAddress) -> Bool {
        let networks = [
            ("10.0.0.0", 8), ("172.16.0.0", 12), ("192.168.0.0", 16), ("127.0.0.0", 8), ("169.254.0.0", 16),
            ("100.64.0.0", 10), ("::1", 128), ("fc00::", 7), ("fe80::", 10),
        ]
        return networks.contains { text, length in
            InternetAddress(text).map { AddressNetwork($0, prefixLength: length).contains(address) } ?? false
        }
    }

    static let statusPageExposed = onDirectives(
        "status-page-exposed",
        .warning,
        "a status page that everybody may read",
        explanation: "`stub_status` shows how busy the server is. Restrict it with `allow` and `deny`.",
        example: "server { location /status { stub_status; } }",
        names: ["stub_status"]
    ) { tree, node in
        let blocks = tree.ancestors(of: node)
        func nearest(_ names: String...) -> [RuleDocument.Node] {
            for block in blocks {
                let own = tree.nodes[block].children.map { tree.nodes[$0] }.filter { names.contains($0.name) }
                if !own.isEmpty { return own }
            }
            return []
        }
        let listens = nearest("listen").compactMap { $0.arguments.first?.text }
        let isLocal = !listens.isEmpty && listens.allSatisfy { $0.hasPrefix("unix:") }
        if isLocal || !nearest("internal").isEmpty { return nil }
        let asks = ["auth_basic", "auth_request", "auth_jwt", "auth_oidc"]
            .contains { name in nearest(name).first.map { $0.arguments.first?.text != "off" } ?? false }
        let isAny = nearest("satisfy").first?.arguments.first?.text == "any"
        let rules = nearest("allow", "deny")
        // An address of anybody: the first rule for all of its kind decides.
        let families = listens.isEmpty ? [false] : Array(Set(listens.map { $0.hasPrefix("[") }))
        let isExposed = families.contains { isVersion6 in
            let all = ["all", isVersion6 ? "::/0" : "0.0.0.0/0"]
            let rule = rules.first { all.contains($0.arguments.first?.text ?? "") }
            switch rule?.name {
            case "deny": return false
            case "allow": return isAny || !asks
            default: return !asks
            }
        }
        return isExposed ? ("everybody may read this", "put allow and deny all; around it") : nil
    }

    static let proxySetHeaderRedefinition = LintCheck(
        "proxy-set-header-redefinition",
        .server,
        .warning,
        .structure,
        "a block whose proxy_set_header replaces the ones around it",
        explanation: "A block inherits the `proxy_set_header`s around it only if it has none itself. Repeat them.",
        example: """
            server {
                proxy_set_header X-Real-IP $remote_addr;
                location / { proxy_set_header X-A b; }
            }
            """
    ) { redefined($0, "proxy_set_header") }
}
