#if Gateway
import NIOCore
import Shunt

extension ConnectionHandler {
    /// Returns true if rules listen where the connection came in, in the same way.
    ///
    /// The sockets stay as they were when the gateway started. Without this the servers of another `listen` would answer at a
    /// socket whose own is gone.
    func isListened(by snapshot: RuleSnapshot) -> Bool {
        guard listenedVersion != snapshot.version else { return true }
        let address = context?.channel.localAddress?.ipAddress
        guard listener.isWanted(by: snapshot.ruleSet, at: address) else { return false }
        listenedVersion = snapshot.version
        return true
    }
}
#endif
