import Shunt

extension LintSubject {
    func weakTLS() -> [LintFound] {
        directives("ssl_protocols")
            .compactMap { node in
                let weak = node.arguments.map(\.text).filter { ["SSLv2", "SSLv3", "TLSv1", "TLSv1.1"].contains($0) }
                guard !weak.isEmpty else { return nil }
                let message = "\(weak.joined(separator: ", ")) can be broken"
                return LintFound(node.position, message, advice: "write ssl_protocols TLSv1.2 TLSv1.3;")
            }
    }

    func proxyHostHeader() -> [LintFound] {
        directives("proxy_set_header").map(\.arguments)
            .compactMap { words in
                guard words.count == 2, words[0].text.lowercased() == "host" else { return nil }
                let value = words[1].text.lowercased()
                guard ["$http_", "$arg_", "$cookie_"].contains(where: value.contains) else { return nil }
                return LintFound(words[1], "clients choose this Host", advice: "write $host")
                    .rated(.note, if: value == "$http_host")
            }
    }

    func hstsHeader() -> [LintFound] {
        numbers(of: "server")
            .compactMap { server in
                let usesTLS = tree.children(of: server, named: "listen")
                    .contains { tree.nodes[$0].arguments.contains { ["ssl", "quic"].contains($0.text) } }
                guard usesTLS, !tree.isOn("ssl_reject_handshake", in: server) else { return nil }
                let headers =
                    tree.inherited("add_header", in: server)
                    + tree.descendants(of: server).filter { tree.nodes[$0].name == "add_header" }
                let isSent = headers.contains { header in
                    tree.nodes[header].arguments
                        .contains { $0.text.lowercased().hasPrefix("strict-transport-security") }
                }
                guard !isSent else { return nil }
                return LintFound(
                    tree.nodes[server].position,
                    "browsers are not required to keep using TLS",
                    advice: "add the header Strict-Transport-Security, with always"
                )
            }
    }
}
