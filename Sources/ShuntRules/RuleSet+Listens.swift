import ShuntCore

extension RuleSet {
    /// An address and port that servers of the rules listen on.
    package struct Listen: Sendable, Hashable {
        /// The address, a name that nobody looks up, or a Unix socket.
        package let host: SocketName.Host
        /// The port; 0 for a Unix socket.
        package let port: Int
        /// Whether clients use TLS there.
        package let isSecure: Bool
    }

    /// Where the servers listen, in the order of their appearance; none without servers.
    package var listens: [Listen] {
        program.listens.map { Listen(host: $0.host, port: Int($0.port), isSecure: $0.isSecure) }
    }

    /// Whether requests that arrive somewhere come by TLS.
    ///
    /// - Complexity: O(1).
    package func isSecure(at endpoint: RuleRequest.Endpoint?) -> Bool {
        if let isSecure = endpoint?.isSecure { return isSecure }
        guard !program.listens.isEmpty else { return false }
        return program.listens[Int(endpoint.flatMap { program.listen(at: $0) } ?? 0)].isSecure
    }
}
