#if Gateway
/// Why a gateway cannot listen.
public enum ListenFailure: Error, CustomStringConvertible {
    /// No listener was given, and the rules have no server whose `listen` could say where.
    case nowhere

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .nowhere: "nothing says where to listen: the rules have no server; use --listen ADDRESS:PORT"
        }
    }
}
#endif
