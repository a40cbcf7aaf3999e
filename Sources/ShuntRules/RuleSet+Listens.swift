import ShuntCore
import ShuntPatterns

extension RuleSet {
    /// An address and port that servers of the rules listen on.
    package struct Listen: Sendable, Hashable {
        /// The address, a name that nobody looks up, or a Unix socket.
        package let host: SocketName.Host
        /// The port; 0 for a Unix socket.
        package let port: Int
        /// Whether clients use TLS there.
        package let isSecure: Bool
        /// Whether each connection begins with the address of its client.
        package let takesProxyProtocol: Bool
    }

    /// Where the servers listen, in the order of their appearance; none without servers.
    package var listens: [Listen] {
        program.tables.listens.map {
            Listen(
                host: $0.host,
                port: Int($0.port),
                isSecure: $0.isSecure,
                takesProxyProtocol: $0.takesProxyProtocol
            )
        }
    }

    /// Whether requests that arrive somewhere come by TLS.
    ///
    /// - Complexity: O(1).
    package func isSecure(at endpoint: RuleRequest.Endpoint?) -> Bool {
        if let isSecure = endpoint?.isSecure { return isSecure }
        guard !program.tables.listens.isEmpty else { return false }
        return program.tables.listens[endpoint.flatMap { program.listen(at: $0) } ?? .first].isSecure
    }

    /// What the servers say about TLS, in the order of the servers.
    package var tlsSettings: [TLSSettings] {
        var known: Set<TLSSettings> = []
        return program.tables.servers.compactMap { tls(of: $0) }.filter { known.insert($0).inserted }
    }

    /// What the server for a name says about TLS; nil where it says nothing.
    ///
    /// - Parameters:
    ///   - name: The name that a client asks for in its handshake; nil is the default server.
    ///   - endpoint: Where it asks.
    /// - Returns: What its server says, or the one of that place for names that nobody has.
    package func tlsSettings(for name: String?, at endpoint: RuleRequest.Endpoint?) -> TLSSettings? {
        guard !program.tables.listens.isEmpty else { return nil }
        let group = program.tables.listens[endpoint.flatMap { program.listen(at: $0) } ?? .first]
        var server = group.defaultServer
        if let name, !group.hasOneServer {
            let bytes = name.utf8.map(\.asciiLowercased)
            if let found = group.names.value(of: bytes.span) {
                server = ServerIndex(found)
            } else if case .match(let index) = group.patterns.firstMatch(
                bytes.span,
                from: 0,
                to: group.patterns.count,
                scratch: MatchScratch()
            ) {
                server = group.patternServers[index]
            }
        }
        return tls(of: program.tables.servers[server])
    }

    private func tls(of server: Server) -> TLSSettings? {
        let number = program.tables.settings[server.settings].tls
        return number.isNone ? nil : program.tables.tls[number]
    }
}
