#if Gateway
import Shunt
import ShuntRules

extension Listener {
    /// The listeners that the rules ask for by their `listen` directives.
    ///
    /// Names are left out: nothing is looked up. So are those for QUIC.
    static func all(of rules: RuleSet) -> [Listener] {
        rules.listens.compactMap { listen in
            switch listen.host {
            case .anyV4:
                Listener(.socket(SocketEndpoint(host: "0.0.0.0", port: listen.port)), isSecure: listen.isSecure)
            case .anyV6: Listener(.socket(SocketEndpoint(host: "::", port: listen.port)), isSecure: listen.isSecure)
            case .address(let address):
                Listener(.socket(SocketEndpoint(host: "\(address)", port: listen.port)), isSecure: listen.isSecure)
            case .path(let path): Listener(.unix(String(decoding: path, as: UTF8.self)), isSecure: listen.isSecure)
            case .name: nil
            }
        }
    }
}
#endif
