import ShuntCore
import ShuntRules

extension LintCheck {
    static let hstsHeader = onDirectives(
        "hsts-header",
        .note,
        "a server with TLS that does not require browsers to keep using it",
        explanation: """
            Without `Strict-Transport-Security` the first request of a browser may be a plain one, which an attacker on the way can \
            answer. Write `add_header Strict-Transport-Security "max-age=31536000" always;` once all hosts below the name speak TLS.
            """,
        example: "server { listen 443 ssl; return 204; }",
        names: ["server"]
    ) { tree, node in
        guard tree.isServer(node), tree.usesTLS(node), !tree.isOn("ssl_reject_handshake", in: node),
            !tree.isOn("security_headers", in: node)
        else { return nil }
        let headers = ["add_header", "more_set_headers"]
            .flatMap { name in
                tree.inherited(name, in: node) + tree.descendants(of: node).filter { tree.nodes[$0].name == name }
            }
        let isSent = headers.contains { header in
            tree.nodes[header].arguments.contains { $0.text.lowercased().hasPrefix("strict-transport-security") }
        }
        return isSent
            ? nil
            : ("browsers are not required to keep using TLS", "add the header Strict-Transport-Security, with always")
    }

    static let http2MisdirectedRequest = onDirectives(
        "http2-misdirected-request",
        .note,
        "a default server that refuses handshakes, and accepts HTTP/2 requests by another name",
        explanation: """
            A client may send requests for several hosts over one connection of HTTP/2. Its handshake named a host that is served; a \
            request on it that reaches this server is answered as if it were meant for it. Answer 421, and the client opens another \
            connection.
            """,
        example: """
            server {
                listen 443 ssl default_server;
                http2 on;
                ssl_reject_handshake on;
            }
            """,
        names: ["server"]
    ) { tree, node in
        guard tree.isServer(node), tree.usesTLS(node), tree.isOn("ssl_reject_handshake", in: node) else { return nil }
        let listens = tree.listens(of: node)
        let isDefault = listens.contains { $0.contains("default_server") || $0.contains("default") }
        let usesHTTP2 = tree.isOn("http2", in: node) || listens.contains { $0.contains("http2") }
        let blocks = tree.children(of: node, named: "location")
            .filter { ["/", "= /"].contains(tree.nodes[$0].arguments.map(\.text).joined(separator: " ")) }
        let answers = ([node] + blocks)
            .contains { block in
                tree.children(of: block, named: "return").contains { tree.nodes[$0].arguments.first?.text == "421" }
            }
        return isDefault && usesHTTP2 && !answers
            ? ("a request for another host on an open connection is answered here", "add location / { return 421; }")
            : nil
    }
}
