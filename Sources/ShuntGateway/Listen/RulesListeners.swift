#if Gateway
import Shunt

extension Listener {
    /// The listeners that the rules require by their `listen` directives.
    ///
    /// Names are left out: nothing is looked up. An address is left out, as in nginx, if a socket for
    /// every address has its port.
    static func all(of rules: RuleSet) -> [Listener] {
        let all = rules.listens.compactMap { Listener($0, of: rules) }
        return all.compactMap { listener in
            guard !all.contains(where: { $0.covers(listener) }) else { return nil }
            var listener = listener
            listener.others = all.filter { listener.covers($0) }
            return listener
        }
    }

    /// Returns true if rules have a `listen` that takes connections to an address in the same way.
    ///
    /// - Parameters:
    ///   - rules: Rules that were loaded after the gateway began to listen.
    ///   - address: The address that the client connected to; nil for a Unix socket.
    /// - Returns: Whether there is one; true for listeners that no rules asked for.
    func isWanted(by rules: RuleSet, at address: String?) -> Bool {
        guard isOfRules else { return true }
        var own = self
        if case .socket(let endpoint) = self.address, let address {
            own.address = .socket(SocketEndpoint(host: address, port: endpoint.port))
        }
        return rules.listens.contains { listen in
            guard let other = Listener(listen, of: rules) else { return false }
            return other.isSecure == isSecure && other.takesProxyProtocol == takesProxyProtocol
                && (other.address == self.address || other.address == own.address || other.covers(own))
        }
    }

    private init?(_ listen: RuleSet.Listen, of rules: RuleSet) {
        let address: Listener.Address
        switch listen.host {
        case .anyV4: address = .socket(SocketEndpoint(host: "0.0.0.0", port: listen.port))
        case .anyV6: address = .socket(SocketEndpoint(host: "::", port: listen.port))
        case .address(let host): address = .socket(SocketEndpoint(host: "\(host)", port: listen.port))
        case .path(let path): address = .unix(String(decoding: path, as: UTF8.self))
        case .name: return nil
        }
        self.init(address, isSecure: listen.isSecure)
        takesProxyProtocol = listen.takesProxyProtocol
        origin = rules.location(of: listen.position).map { "\($0)" }
        isOfRules = true
        takesIPv4 = listen.socket.takesIPv4
        isForQUIC = listen.socket.isForQUIC
        if let backlog = listen.socket.backlog { self.backlog = backlog }
    }

    /// Returns true if its socket takes the connections of another one's address.
    private func covers(_ other: Listener) -> Bool {
        guard case .socket(let own) = address, case .socket(let single) = other.address else { return false }
        return own.isForAll && !single.isForAll && own.port == single.port
            && own.host.contains(":") == single.host.contains(":")
    }
}
#endif
