import ShuntCore
import ShuntRules

extension LintCheck {
    static let errorLogOff = onDirectives(
        "error-log-off",
        .note,
        "error_log off",
        explanation:
            "`off` is the name of a file here. nginx writes its errors into it. Write `error_log /dev/null crit;` if that is meant.",
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
            A slow client holds the upstream's connection as long as it reads. Where answers have to be sent as they come, let the \
            upstream say so with `X-Accel-Buffering: no`.
            """,
        example: "server { proxy_buffering off; }",
        names: ["proxy_buffering"]
    ) { tree, node in
        tree.nodes[node].arguments.first?.text == "off"
            ? ("slow clients hold the upstream's connections", "let the upstream say X-Accel-Buffering: no") : nil
    }

    static let versionDisclosure = onDirectives(
        "version-disclosure",
        .warning,
        "server_tokens on",
        explanation:
            "Answers tell the version of nginx, which helps whoever looks for old ones. Write `server_tokens off;`.",
        example: "server { server_tokens on; }",
        names: ["server_tokens"]
    ) { tree, node in
        ["on", "build"].contains(tree.nodes[node].arguments.first?.text)
            ? ("answers tell the version of nginx", "write server_tokens off;") : nil
    }

    static let weakTLS = onDirectives(
        "weak-ssl-tls",
        .error,
        "versions of TLS that are broken",
        explanation: "SSLv2, SSLv3, TLSv1 and TLSv1.1 are broken or withdrawn. Write `ssl_protocols TLSv1.2 TLSv1.3;`.",
        example: "server { ssl_protocols TLSv1 TLSv1.2; }",
        names: ["ssl_protocols"]
    ) { tree, node in
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
            Answers of DNS over open networks can be forged, and then requests go to somebody else. Use a resolver of your own network.
            """,
        example: "server { resolver 8.8.8.8; }",
        names: ["resolver"]
    ) { tree, node in
        for word in tree.nodes[node].arguments where !word.text.contains("=") {
            guard let address = address(word.text), !isLocal(address) else { continue }
            return ("\(word.text) is not in the own network", "use a resolver of your own network")
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
        explanation: "`stub_status` tells how busy the server is. Let `allow` and `deny` stand around it.",
        example: "server { location /status { stub_status; } }",
        names: ["stub_status"]
    ) { tree, node in
        let blocks = tree.ancestors(of: node)
        func has(_ name: String, _ isRight: (DirectiveTree.Node) -> Bool) -> Bool {
            for block in blocks {
                let own = tree.children(of: block, named: name).map { tree.nodes[$0] }
                if !own.isEmpty { return own.contains(where: isRight) }
            }
            return false
        }
        let denies =
            has("deny") { $0.arguments.first?.text == "all" }
            && !has("allow") { ["all", "0.0.0.0/0", "::/0"].contains($0.arguments.first?.text) }
        let asks =
            has("auth_basic") { $0.arguments.first?.text != "off" }
            || has("auth_request") { $0.arguments.first?.text != "off" }
            || has("auth_jwt") { $0.arguments.first?.text != "off" }
            || has("auth_oidc") { $0.arguments.first?.text != "off" }
        let isInternal = blocks.contains { !tree.children(of: $0, named: "internal").isEmpty }
        let any = has("satisfy") { $0.arguments.first?.text == "any" }
        // With `satisfy any` the addresses alone are enough.
        let hasAddresses = has("allow") { _ in true } || has("deny") { _ in true }
        let isGuarded = any && hasAddresses ? denies : denies || asks
        let isLocal = has("listen") { $0.arguments.first?.text.hasPrefix("unix:") == true }
        return isGuarded || isInternal || isLocal
            ? nil : ("everybody may read this", "put allow and deny all; around it")
    }

    static let proxySetHeaderRedefinition = LintCheck(
        "proxy-set-header-redefinition",
        .server,
        .warning,
        .structure,
        "a block whose proxy_set_header takes the place of those around it",
        explanation: "A block inherits the `proxy_set_header`s around it only if it has none of its own. Repeat them.",
        example: """
            server {
                proxy_set_header X-Real-IP $remote_addr;
                location / { proxy_set_header X-A b; }
            }
            """
    ) { redefined($0, "proxy_set_header") }
}
