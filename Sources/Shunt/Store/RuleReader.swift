import Synchronization

/// One thread's or one connection's view of a store: the current snapshot without a lock.
///
/// A reader keeps the snapshot it saw last and compares one number, which no one writes between reloads, to know whether
/// there is a newer one. Only then does it take the store's lock. The reference count that a reading touches belongs to
/// the reader, so that readers on several threads do not slow each other down.
///
/// Not thread safe: each thread, task or connection makes its own with `RuleStore.makeReader()`. An idle reader keeps
/// its last snapshot alive; `release()` lets go of it.
public final class RuleReader {
    /// The snapshot, after a reference count of the reader's own.
    private final class Lease {
        let snapshot: RuleSnapshot
        let generation: Int

        init(snapshot: RuleSnapshot, generation: Int) {
            self.snapshot = snapshot
            self.generation = generation
        }
    }

    private let slot: SnapshotSlot
    private var lease: Lease?

    init(_ slot: SnapshotSlot) { self.slot = slot }

    /// Calls `body` with the current snapshot, which stays alive for the length of the call.
    ///
    /// - Complexity: O(1): one load of a shared word, which only a reload writes.
    public func withSnapshot<Result, Failure: Error>(
        _ body: (RuleSnapshot) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let lease = currentLease()
        return try body(lease.snapshot)
    }

    /// The current snapshot, for those who keep it beyond a call.
    ///
    /// Keeping it touches the snapshot's own reference count, which all threads share; `withSnapshot(_:)` does not.
    public var snapshot: RuleSnapshot { currentLease().snapshot }

    /// Lets go of the snapshot; the next reading takes the current one.
    public func release() { lease = nil }

    private func currentLease() -> Lease {
        if let lease, lease.generation == slot.generation { return lease }
        let (snapshot, generation) = slot.read()
        let fresh = Lease(snapshot: snapshot, generation: generation)
        lease = fresh
        return fresh
    }
}

/// The place where a store keeps its snapshot.
///
/// The number of the generation is read by everybody and written by reloads only. It lies at the end of a separate
/// object, away from the reference count at its start.
final class SnapshotSlot: Sendable {
    private let content: Mutex<(snapshot: RuleSnapshot, generation: Int)>
    private let number = Atomic<Int>(1)

    init(_ snapshot: RuleSnapshot) { content = Mutex((snapshot, 1)) }

    /// The generation of the current snapshot.
    ///
    /// What was stored before a generation was published is seen by who reads its number.
    var generation: Int { number.load(ordering: .acquiring) }

    func read() -> (snapshot: RuleSnapshot, generation: Int) { content.withLock { $0 } }

    func replace(with snapshot: RuleSnapshot) {
        // The old snapshot is let go of outside the lock: freeing a large rule set takes a while.
        let old = content.withLock { content in
            let old = content.snapshot
            content = (snapshot, content.generation &+ 1)
            number.store(content.generation, ordering: .releasing)
            return old
        }
        withExtendedLifetime(old) {}
    }
}
