#if Fleet
import Shunt
import Synchronization

/// The status of a node in etcd, kept alive by a lease as long as the node lives.
///
/// A status that cannot be written is written later: the node does not wait for it.
final class EtcdPresence: Sendable {
    private struct State {
        var status: NodeStatus?
        var number = 0
        var task: Task<Void, Never>?
    }

    /// The time that a node counts as alive without news of it.
    static let leaseSeconds = 60
    /// The interval between two renewals, plus or minus a quarter.
    private static let interval = Duration.seconds(20)

    private let client: EtcdClient
    private let keys: EtcdKeys
    private let clock: any StoreClock
    private let state = Mutex(State())
    private let signal = EtcdSignal()

    init(_ client: EtcdClient, _ keys: EtcdKeys, clock: any StoreClock) {
        self.client = client
        self.keys = keys
        self.clock = clock
    }

    /// Reports something from now on.
    func report(_ status: NodeStatus) {
        state.withLock { state in
            state.status = status
            state.number += 1
            if state.task == nil { state.task = Task { await self.run() } }
        }
        signal.fire()
    }

    /// Ends it; the node counts as alive until the lease ends.
    func stop() { state.withLock { $0.task }?.cancel() }

    private func run() async {
        var lease: Int64?
        var written = 0
        var noted: NodeStatus?
        var failures = 0
        var renewal = clock.now
        while !Task.isCancelled {
            let (status, number) = state.withLock { ($0.status, $0.number) }
            guard let status else { return }
            var next: Duration
            do throws(EtcdError) {
                // A write does not make the lease longer.
                if let held = lease, clock.now >= renewal, try await !client.keepAlive(held) { lease = nil }
                if lease == nil || clock.now >= renewal {
                    renewal = clock.now + Self.interval * Double.random(in: 0.75...1.25)
                }
                if lease == nil || written != number {
                    let held = if let lease { lease } else { try await client.grant(seconds: Self.leaseSeconds) }
                    // Its report of a release keeps the time when it got it, whatever it has counted since.
                    let word = noted.flatMap { Self.isSame($0, status) ? $0 : nil } ?? status
                    try await write(status, held, noting: lease == held && word == noted ? nil : word)
                    (lease, noted, written) = (held, word, number)
                }
                failures = 0
                next = renewal
            } catch {
                if error.reason == .missing { lease = nil }
                failures += 1
                let most = error.needsAttention ? 60.0 : min(20, 0.5 * Double(1 << min(failures, 6)))
                next = clock.now + .seconds(most) * Double.random(in: 0.1...1)
            }
            await signal.wait(until: next, clock) { state.withLock { $0.number } != number }
        }
    }

    /// Returns true if two statuses report the same of the same release.
    private static func isSame(_ one: NodeStatus, _ other: NodeStatus) -> Bool {
        var one = one
        (one.at, one.counters) = (other.at, other.counters)
        return one == other
    }

    private func write(_ status: NodeStatus, _ lease: Int64, noting word: NodeStatus?) async throws(EtcdError) {
        var operations: [EtcdOperation] = [.put(keys.node(status.node), status.encoded, lease: lease)]
        // Without a lease, so that one who ends while it loads leaves that after it.
        if let word { operations.append(.put(keys.acknowledgements(word.sequence) + word.node, word.encoded)) }
        _ = try await client.transact(EtcdTransaction(success: operations))
    }
}
#endif
