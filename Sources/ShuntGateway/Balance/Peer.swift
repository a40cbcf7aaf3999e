#if Gateway
import Shunt
import Synchronization

/// A server of an upstream group at one address, and what all event loops have seen of it.
///
/// Its state outlives a reload that keeps the server.
final class Peer: Sendable {
    private struct State {
        /// Its weight in the rules that it was chosen by last.
        var weight: Int
        /// By how much it is its turn; the one with the most is next.
        var turn = 0
        /// Its weight, less after failures, and growing again.
        var effectiveWeight: Int
        /// The number of requests it has now.
        var connections = 0
        /// The number of recent failures.
        var failures = 0
        /// The time when it failed last, in seconds; nothing before the first time.
        var failed: Int64 = .min / 2
        /// The time when it was last tried after a failure, or failed, in seconds.
        var checked: Int64 = .min / 2
    }

    let address: PeerAddress
    private let state: Mutex<State>

    init(_ address: PeerAddress, weight: Int) {
        self.address = address
        state = Mutex(State(weight: weight, effectiveWeight: weight))
    }

    /// The number of requests it has now.
    var connections: Int { state.withLock(\.connections) }

    /// Returns true if it may be asked at a time.
    ///
    /// - Parameters:
    ///   - server: The server in the rules.
    ///   - now: The time, in seconds.
    /// - Returns: False if it is down, full, or has failed too often lately.
    func isUsable(as server: UpstreamGroup.Server, at now: Int64) -> Bool {
        if server.isDown { return false }
        return state.withLock { state in
            let isFailing = server.maximumFailures > 0 && state.failures >= server.maximumFailures
            if isFailing, now - state.checked <= Int64(server.failureTime) { return false }
            return !Self.isFull(state, server)
        }
    }

    /// Returns true if it has as many requests as a server of the rules may have.
    func isFull(as server: UpstreamGroup.Server) -> Bool { state.withLock { Self.isFull($0, server) } }

    private static func isFull(_ state: State, _ server: UpstreamGroup.Server) -> Bool {
        server.maximumConnections > 0 && state.connections >= server.maximumConnections
    }

    /// Adds its share to its turn.
    ///
    /// - Parameter server: The server in the rules.
    /// - Returns: By how much it is its turn now, and its share.
    func addShare(of server: UpstreamGroup.Server) -> (turn: Int, share: Int) {
        state.withLock { state in
            if state.weight != server.weight {
                (state.weight, state.effectiveWeight, state.turn) = (server.weight, server.weight, 0)
            }
            let share = state.effectiveWeight
            state.turn += share
            if share < server.weight { state.effectiveWeight += 1 }
            return (state.turn, share)
        }
    }

    /// Takes what all had as their shares from the turn of the chosen server.
    func takeTurn(of total: Int) { state.withLock { $0.turn -= total } }

    /// Notes that a request goes to it.
    func begin(as server: UpstreamGroup.Server, at now: Int64) {
        state.withLock { state in
            state.connections += 1
            if now - state.checked > Int64(server.failureTime) { state.checked = now }
        }
    }

    /// Notes that a request to it ended, of which nothing follows for the next ones.
    func end() { state.withLock { $0.connections -= 1 } }

    /// Notes how a request to it ended.
    func end(failed: Bool, as server: UpstreamGroup.Server, at now: Int64) {
        state.withLock { state in
            state.connections -= 1
            if failed {
                state.failures += 1
                (state.failed, state.checked) = (now, now)
                if server.maximumFailures > 0 { state.effectiveWeight -= server.weight / server.maximumFailures }
                state.effectiveWeight = max(0, state.effectiveWeight)
            } else if state.failed < state.checked {
                // It was tried again after its failures, and answered.
                state.failures = 0
            }
        }
    }
}

/// The place where a server of an upstream group listens.
struct PeerAddress: Sendable, Hashable {
    let place: UpstreamEndpoint.Place
    /// The name that the rules have for it, which certificates are checked for.
    let name: String
}
#endif
