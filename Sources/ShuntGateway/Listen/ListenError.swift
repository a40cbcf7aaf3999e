#if Gateway
import Glibc

/// The reason why a gateway cannot listen.
public enum ListenError: Error, Hashable, CustomStringConvertible {
    /// No listener was named, and the rules have no server with a `listen`.
    case nowhere
    /// An address cannot be used: the address, the place that asks for it, and the cause.
    case refused(address: String, origin: String?, cause: String)

    init(_ listener: Listener, _ cause: String) {
        self = .refused(address: "\(listener.address)", origin: listener.origin, cause: cause)
    }

    /// The failure for the number of an error of the system.
    init(_ listener: Listener, _ number: Int32) {
        let cause =
            switch number {
            case EADDRINUSE: "address in use"
            case EADDRNOTAVAIL: "this machine does not have the address"
            case EACCES, EPERM: "permission denied"
            default: SystemCallError.text(number)
            }
        self.init(listener, cause)
    }

    /// The problem and the fix.
    public var description: String {
        switch self {
        case .nowhere: "there is no address to listen on: the rules have no server; use --listen ADDRESS:PORT"
        case .refused(let address, let origin, let cause):
            "cannot listen on \(address)\(origin.map { " (from \($0))" } ?? ""): \(cause)"
        }
    }
}
#endif
