package import ShuntCore
import ShuntPatterns

extension RuleSet {
    /// An address and port that servers of the rules listen on.
    package struct Listen: Sendable, Hashable {
        /// The address, a name that no one looks up, or a Unix socket.
        package let host: SocketName.Host
        /// The port; 0 for a Unix socket.
        package let port: Int
        /// True if clients use TLS there.
        package let isSecure: Bool
        /// True if each connection begins with the address of its client.
        package let takesProxyProtocol: Bool
        package let socket: ListenSocketOptions
        /// The first `listen` with the address.
        package let position: SourcePosition
    }

    /// The place where the servers listen, in the order of their appearance; none without servers.
    package var listens: [Listen] {
        program.tables.listens.map {
            Listen(
                host: $0.host,
                port: Int($0.port),
                isSecure: $0.isSecure,
                takesProxyProtocol: $0.takesProxyProtocol,
                socket: $0.socket,
                position: $0.position
            )
        }
    }

    /// Returns true if requests that arrive somewhere come by TLS.
    ///
    /// - Complexity: O(1).
    package func isSecure(at endpoint: RuleRequest.Endpoint?) -> Bool {
        if let isSecure = endpoint?.isSecure { return isSecure }
        guard !program.tables.listens.isEmpty else { return false }
        return program.tables.listens[endpoint.flatMap { program.listen(at: $0) } ?? .first].isSecure
    }

    /// The TLS settings of the servers, in order.
    package var tlsSettings: [TLSSettings] {
        var known: Set<TLSSettings> = []
        return program.tables.servers.compactMap { tls(of: $0) }.filter { known.insert($0).inserted }
    }

    /// Returns the TLS settings of the server for a name in a handshake; nil if it has none.
    ///
    /// Without a name, and for one that no server has, it is the default server of that place.
    package func tlsSettings(for name: String?, at endpoint: RuleRequest.Endpoint?) -> TLSSettings? {
        guard !program.tables.listens.isEmpty else { return nil }
        let listen = endpoint.flatMap { program.listen(at: $0) } ?? .first
        return tls(of: program.tables.servers[program.server(named: name.map { Array($0.utf8) }, at: listen)])
    }

    /// The number of the server for a name, among those of the rules; the default server of the address where none has the name.
    package func server(named name: [UInt8]?, at endpoint: RuleRequest.Endpoint?) -> Int {
        program.server(named: name, at: listen(at: endpoint)).position
    }

    private func tls(of server: Server) -> TLSSettings? {
        let number = program.tables.settings[server.settings].tls
        return number.isNone ? nil : program.tables.tls[number]
    }
}

extension Program {
    /// The server that a name in a TLS handshake or a Host stands for.
    func server(named name: [UInt8]?, at listen: TableIndex<ListenGroup>) -> ServerIndex {
        let group = tables.listens[listen]
        guard let name, !group.hasOneServer else { return group.defaultServer }
        let bytes = (name.last == UInt8(ascii: ".") ? name.dropLast() : name[...]).map(\.asciiLowercased)
        if let found = group.names.value(of: bytes.span) { return ServerIndex(found) }
        guard group.patterns.count > 0,
            case .match(let index) = group.patterns.firstMatch(
                bytes.span,
                from: 0,
                to: group.patterns.count,
                scratch: MatchScratch()
            )
        else { return group.defaultServer }
        return group.patternServers[index]
    }
}
