#if Gateway
import Shunt
import ShuntRules

extension Listener {
    /// The listeners that the rules ask for by their `listen` directives.
    ///
    /// Names are left out: nothing is looked up. So are those for QUIC.
    static func all(of rules: RuleSet) -> [Listener] {
        rules.listens.compactMap { listen in
            let address: Listener.Address
            switch listen.host {
            case .anyV4: address = .socket(SocketEndpoint(host: "0.0.0.0", port: listen.port))
            case .anyV6: address = .socket(SocketEndpoint(host: "::", port: listen.port))
            case .address(let host): address = .socket(SocketEndpoint(host: "\(host)", port: listen.port))
            case .path(let path): address = .unix(String(decoding: path, as: UTF8.self))
            case .name: return nil
            }
            var listener = Listener(address, isSecure: listen.isSecure)
            listener.takesProxyProtocol = listen.takesProxyProtocol
            return listener
        }
    }
}
#endif
