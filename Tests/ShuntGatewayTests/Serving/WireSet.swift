#if Gateway
import NginxOracle

/// A configuration, with connections to it and the answers of its upstreams.
struct WireSet: Sendable, CustomStringConvertible {
    /// A request as sent.
    struct Request: Sendable, Hashable {
        var line: String
        var headers: [String]
        var body = ""

        /// True if the answer has no body.
        var isHead: Bool { line.hasPrefix("HEAD ") }

        /// The bytes to the end of the head, and the two halves of the body.
        var parts: [String] {
            let head = ([line] + headers).joined(separator: "\r\n") + "\r\n\r\n"
            let half = body.count / 2
            return [head, String(body.prefix(half)), String(body.dropFirst(half))].filter { !$0.isEmpty }
        }

        var text: String { parts.joined() }

        /// The last request, after which both sides close.
        static let last = Request(line: "GET /end HTTP/1.1", headers: ["Host: a.test", "Connection: close"])
    }

    /// A connection of a client, with the answers that the upstreams have for it, in order.
    struct Connection: Sendable, Hashable {
        /// The number of the listener.
        var listener: Int
        /// The name in the handshake of TLS; nil for a connection without.
        var name: String?
        var requests: [Request]
        /// The bytes that are sent at a time; 0 for all.
        var step = 0
        /// The milliseconds before a body and before its second half.
        var pause = 0
        var answers: [WireUpstreams.Answer]
    }

    var seed: Int
    /// The directives within `http`; `@0@` stands for the port of a listener, `@A@` for an upstream, `@dir@` for the folder.
    var rules: [RuleNode]
    var connections: [Connection]

    /// The number of listeners that a configuration may name, the last two of which speak TLS.
    static let listeners = 4

    var requestCount: Int { connections.reduce(0) { $0 + $1.requests.count } }

    var description: String {
        let lines = connections.map { connection in
            let name = connection.name.map { " TLS \($0.isEmpty ? "without a name" : $0)" } ?? ""
            let requests = connection.requests.map { "    \($0.text.debugDescription)\n" }.joined()
            let answers = connection.answers.map { "    upstream: \($0)\n" }.joined()
            return
                "  @\(connection.listener)@\(name) step \(connection.step) pause \(connection.pause)\n\(requests)\(answers)"
        }
        return "seed \(seed)\n\(RuleNode.render(rules))\(lines.joined())"
    }
}
#endif
