#if Gateway
import Shunt

/// A server of an upstream group at one address, and what one event loop has seen of it.
///
/// Its state outlives a reload that keeps the server.
final class Peer {
    let address: PeerAddress
    /// The server in the rules.
    var server: UpstreamGroup.Server
    /// By how much it is its turn; the one with the most is next.
    var currentWeight = 0
    /// Its weight, less after failures, and growing again.
    var effectiveWeight: Int
    /// The number of requests it has now.
    var connections = 0
    /// The number of recent failures.
    var failures = 0
    /// The time when it failed last, in seconds; nothing before the first time.
    var accessed: Int64 = .min / 2
    /// The time when it was last tried after a failure, or failed, in seconds.
    var checked: Int64 = .min / 2

    init(_ address: PeerAddress, _ server: UpstreamGroup.Server) {
        self.address = address
        self.server = server
        effectiveWeight = server.weight
    }

    /// Returns true if it may be asked at a time.
    func isUsable(at now: Int64) -> Bool {
        if server.isDown { return false }
        if server.maximumFailures > 0, failures >= server.maximumFailures, now - checked <= Int64(server.failureTime) {
            return false
        }
        return !isFull
    }

    /// True if it has as many requests as it may have.
    var isFull: Bool { server.maximumConnections > 0 && connections >= server.maximumConnections }

    /// Notes that a request goes to it.
    func begin(at now: Int64) {
        connections += 1
        if now - checked > Int64(server.failureTime) { checked = now }
    }

    /// Notes how a request to it ended.
    func end(failed: Bool, at now: Int64) {
        connections -= 1
        if failed {
            failures += 1
            accessed = now
            checked = now
            if server.maximumFailures > 0 { effectiveWeight -= server.weight / server.maximumFailures }
            effectiveWeight = max(0, effectiveWeight)
        } else if accessed < checked {
            // It was tried again after its failures, and answered.
            failures = 0
        }
    }

    /// Takes what newer rules say of it.
    func adopt(_ server: UpstreamGroup.Server) {
        if server.weight != self.server.weight {
            effectiveWeight = server.weight
            currentWeight = 0
        }
        self.server = server
    }
}
#endif
