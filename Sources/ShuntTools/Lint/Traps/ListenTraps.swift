import Shunt
import ShuntPatterns

/// Traps about the ports of a server, and about what is between it and its clients.
extension LintSubject {
    func impossibleScheme() -> [LintFound] {
        func isTLS(_ node: RuleDocument.Node) -> Bool {
            node.arguments.contains { ["ssl", "quic"].contains($0.text) }
        }
        let listens = directives("listen").filter { $0.arguments.first?.text.contains(/(^|:)443$/) ?? false }
        // One listen with ssl has it for every server at its address.
        let plain = (listens.contains(where: isTLS) ? [] : listens)
            .compactMap { node -> LintFound? in
                guard node.parent >= 0, let port = node.arguments.first,
                    !tree.children(of: node.parent, named: "ssl_certificate").isEmpty,
                    tree.named["ssl"] == nil
                else { return nil }
                return LintFound(
                    port,
                    "the server speaks plain HTTP here, and its certificate is not used",
                    advice: "write listen \(port.text) ssl"
                )
            }
        return plain + impossibleTests()
    }

    /// Tests of the scheme or the port that no request of their server passes.
    private func impossibleTests() -> [LintFound] {
        numbers(of: "if")
            .compactMap { index -> LintFound? in
                guard let test = ListenTest(tree.nodes[index].arguments.map(\.text).joined(separator: " ")),
                    let server = tree.block("server", around: index)
                else { return nil }
                let listens = tree.listens(ofServer: server)
                let isOfPort = test.variable == "$server_port"
                // A proxy in front may report that it was asked by https, where the rules trust it.
                guard isOfPort || listens.allSatisfy(\.isTLS) else { return nil }
                let values = isOfPort ? listens.map(\.port) : [test.variable == "$https" ? "on" : "https"]
                guard !values.contains(where: { test.passes($0, checker) }) else { return nil }
                let reason =
                    isOfPort
                    ? "the server listens on \(Set(values).sorted().joined(separator: ", "))"
                    : "every listen of the server has ssl"
                return LintFound(
                    tree.nodes[index].position,
                    "no request passes this test: \(reason)",
                    advice: isOfPort
                        ? test.meantPort.map {
                            "write a server that listens on port \($0)\($0 == "443" ? " with ssl" : "")"
                        }
                        : "write a server that listens on port 80 for requests without TLS"
                )
            }
            .holdingEverywhere(among: directives("if").map(\.position))
    }

    func internalPort() -> [LintFound] {
        numbers(of: "return", "rewrite")
            .compactMap { index in
                guard let word = Self.redirect(tree.nodes[index]), word.bytes.first == UInt8(ascii: "/"),
                    let server = tree.block("server", around: index),
                    !tree.values(of: "set_real_ip_from", at: index).isEmpty,
                    tree.values(of: "absolute_redirect", at: index) != ["off"],
                    tree.values(of: "port_in_redirect", at: index) != ["off"],
                    let port = tree.listens(ofServer: server).first(where: { $0.port != ($0.isTLS ? "443" : "80") })?
                        .port
                else { return nil }
                return LintFound(
                    word,
                    "clients of the proxy are sent to port \(port)",
                    advice: "write absolute_redirect off;"
                )
            }
    }

    /// The target of a redirect; nil for another directive.
    static func redirect(_ node: RuleDocument.Node) -> Word? {
        let words = node.arguments
        guard words.count > 1 else { return nil }
        let isRedirect = node.name == "return" ? words[0].isRedirectStatus : words[words.count - 1].isRedirectFlag
        return isRedirect ? words[1] : nil
    }

    func proxyAddressRule() -> [LintFound] {
        numbers(of: "allow", "deny")
            .compactMap { index in
                let words = tree.nodes[index].arguments
                let proxies = tree.values(of: "set_real_ip_from", at: index).compactMap(Self.network)
                guard words.count == 1, let rule = Self.network(words[0].text),
                    let proxy = proxies.first(where: {
                        $0.prefixLength <= rule.prefixLength && $0.contains(rule.base)
                    })
                else { return nil }
                let header = tree.values(of: "real_ip_header", at: index).first ?? "X-Real-IP"
                let isTrusted = proxy.prefixLength == 0 && header != "proxy_protocol"
                if isTrusted, rule.prefixLength > 0, tree.nodes[index].name == "allow" {
                    return LintFound(
                        words[0],
                        "every client can have this address: set_real_ip_from trusts the \(header) of all",
                        advice: "write the addresses of the proxies in set_real_ip_from"
                    )
                    .rated(.warning)
                }
                return LintFound(
                    words[0],
                    "set_real_ip_from replaces these addresses before they are compared",
                    advice: "write the addresses of clients, or test $realip_remote_addr"
                )
            }
    }

    private static func network(_ text: String) -> AddressNetwork? {
        AddressNetwork.parse(Array(text.utf8).span)?.network
    }
}

/// A test of the scheme or the port in an `if`.
private struct ListenTest {
    let variable: String
    private let comparison: String
    private let value: String

    /// Nil for a test of something else.
    init?(_ text: String) {
        var text = text[...]
        if text.hasPrefix("(") { text = text.dropFirst() }
        if text.hasSuffix(")") { text = text.dropLast() }
        let words = text.split(separator: " ", maxSplits: 2)
        guard let first = words.first, ["$scheme", "$https", "$server_port"].contains(first), words.count != 2 else {
            return nil
        }
        variable = String(first)
        comparison = words.count > 1 ? String(words[1]) : ""
        // A parenthesis after a closing quote is a separate word.
        value = words.count > 2 ? String(words[2].reversed().drop { $0 == " " }.reversed()) : ""
    }

    /// The port that a test is for; nil where it names none.
    var meantPort: String? {
        guard comparison == "=" else { return nil }
        return value.allSatisfy(\.isNumber) ? value : ["http": "80", "https": "443"][value]
    }

    func passes(_ value: String, _ checker: ValueChecker) -> Bool {
        switch comparison {
        case "": !value.isEmpty && value != "0"
        case "=": value == self.value
        case "!=": value != self.value
        case "~", "~*": checker.automaton(self.value)?.accepts(value.utf8) ?? true
        case "!~", "!~*": checker.automaton(self.value).map { !$0.accepts(value.utf8) } ?? true
        default: true
        }
    }
}

extension RuleDocument {
    /// The ports of a server, and if they have TLS; port 80 without a `listen`.
    fileprivate func listens(ofServer server: Int) -> [(port: String, isTLS: Bool)] {
        let children = nodes[server].children.map { nodes[$0] }
        let isOn = children.contains { $0.name == "ssl" && $0.arguments.first?.text == "on" }
        let listens = children.filter { $0.name == "listen" }
            .map { listen in
                let words = listen.arguments.map(\.text)
                let port = words.first.map { $0.split(separator: ":").last.map(String.init) ?? $0 } ?? "80"
                return (
                    port.allSatisfy(\.isNumber) ? port : "80", isOn || words.contains("ssl") || words.contains("quic")
                )
            }
        return listens.isEmpty ? [("80", isOn)] : listens
    }

    /// The values of a directive that hold where another one is.
    fileprivate func values(of name: String, at index: Int) -> [String] {
        named[name] == nil
            ? [] : inherited(name, in: nodes[index].parent).compactMap { nodes[$0].arguments.first?.text }
    }
}
