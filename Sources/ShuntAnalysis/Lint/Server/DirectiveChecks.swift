import ShuntCore
import ShuntRules

extension LintCheck {
    /// A check of directives of nginx that Shunt passes over: what they are called, and what is wrong with one.
    static func onDirectives(
        _ id: String,
        _ severity: Diagnostic.Severity,
        _ summary: String,
        explanation: String,
        example: String,
        names: [String],
        where isWrong: @escaping @Sendable (RuleDocument, Int) -> (message: String, advice: String)?
    ) -> LintCheck {
        LintCheck(id, .server, severity, .structure, summary, explanation: explanation, example: example) { subject in
            names.flatMap { subject.tree.named[$0] ?? [] }.sorted()
                .compactMap { node in
                    isWrong(subject.tree, node)
                        .map { LintFound(subject.tree.nodes[node].position, $0.message, advice: $0.advice) }
                }
        }
    }
}

extension RuleDocument {
    /// Returns true if a directive is a server that listens: an upstream has directives of that name, too.
    func isServer(_ index: Int) -> Bool {
        nodes[index].name == "server" && nodes[index].directive.block != nil && block("upstream", around: index) == nil
    }

    /// The words of the `listen`s of a server.
    func listens(of server: Int) -> [[String]] {
        children(of: server, named: "listen").map { nodes[$0].arguments.map(\.text) }
    }

    /// Returns true if a server speaks TLS on one of its addresses.
    func usesTLS(_ server: Int) -> Bool {
        listens(of: server).contains { $0.contains("ssl") || $0.contains("quic") }
    }
}
