import Shunt

extension LintCheck {
    /// A check of directives of a server: their names, and what is wrong with one.
    static func onDirectives(
        _ id: String,
        severity: Diagnostic.Severity,
        names: [String],
        where isWrong: @escaping @Sendable (RuleDocument, Int) -> (message: String, advice: String)?
    ) -> LintCheck {
        LintCheck(
            id,
            group: .server,
            severity: severity,
            basis: .structure
        ) { subject in
            names.flatMap { subject.tree.named[$0] ?? [] }.sorted()
                .compactMap { node in
                    isWrong(subject.tree, node)
                        .map { LintFound(subject.tree.nodes[node].position, $0.message, advice: $0.advice) }
                }
        }
    }

    static let weakTLS = onDirectives(
        "weak-ssl-tls",
        severity: .error,
        names: ["ssl_protocols"]
    ) { tree, node in
        let weak = tree.nodes[node].arguments.map(\.text)
            .filter { ["SSLv2", "SSLv3", "TLSv1", "TLSv1.1"].contains($0) }
        return weak.isEmpty
            ? nil : ("\(weak.joined(separator: ", ")) can be broken", "write ssl_protocols TLSv1.2 TLSv1.3;")
    }

    static let proxySetHeaderRedefinition = LintCheck(
        "proxy-set-header-redefinition",
        group: .server,
        severity: .warning,
        basis: .structure
    ) { redefined($0, "proxy_set_header") }

    static let proxyHostHeader = LintCheck(
        "proxy-host-header",
        group: .server,
        severity: .warning,
        basis: .structure
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

    static let hstsHeader = onDirectives(
        "hsts-header",
        severity: .note,
        names: ["server"]
    ) { tree, node in
        let usesTLS = tree.children(of: node, named: "listen")
            .contains { tree.nodes[$0].arguments.contains { ["ssl", "quic"].contains($0.text) } }
        guard usesTLS, !tree.isOn("ssl_reject_handshake", in: node) else { return nil }
        let headers =
            tree.inherited("add_header", in: node)
            + tree.descendants(of: node).filter { tree.nodes[$0].name == "add_header" }
        let isSent = headers.contains { header in
            tree.nodes[header].arguments.contains { $0.text.lowercased().hasPrefix("strict-transport-security") }
        }
        return isSent
            ? nil
            : ("browsers are not required to keep using TLS", "add the header Strict-Transport-Security, with always")
    }
}
