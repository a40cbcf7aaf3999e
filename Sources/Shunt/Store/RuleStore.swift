import ShuntCore
import Synchronization

/// Keeps the rules in use and puts others in their place while requests flow.
///
/// A store is opened with a source. `reload()` loads what the source holds: off the hot path it reads, checks, compiles
/// and validates a whole new set, and only then swaps one reference. Any error keeps the set in use, and shows in
/// `status`, in the report and to the observers. `watch()` reloads whenever the source reports a change.
///
/// Thread safe. Hot paths read through a `RuleReader`, everybody else through `snapshot`.
public final class RuleStore: Sendable {
    /// The state of a store except for the snapshot; readers never touch it.
    struct State {
        var lastAttempt: (date: Timestamp, trigger: ReloadTrigger)
        var lastFailure: ReloadError?
        var consecutiveFailures = 0
        var loadCount = 0
        var unchangedCount = 0
        var failureCount = 0
        var recoveredCount = 0
        var copyFailure: String?
        var condition: String?
        var damper: Damper?
    }

    let slot: SnapshotSlot
    let state: Mutex<State>
    let attempts: ReloadAttempts
    let options: Options
    /// The place where the rules come from.
    public let source: any RuleSource

    init(source: any RuleSource, options: Options, snapshot: RuleSnapshot, state: State) {
        self.source = source
        self.options = options
        slot = SnapshotSlot(snapshot)
        attempts = ReloadAttempts(clock: options.clock, limit: options.loadLimit)
        self.state = Mutex(state)
    }

    /// The rules in use.
    ///
    /// Takes a lock for a few nanoseconds; hot paths use a reader.
    public var snapshot: RuleSnapshot { slot.read().snapshot }

    /// Makes a reader for one thread, task or connection.
    public func makeReader() -> RuleReader { RuleReader(slot) }

    /// The version in use and the last attempt, as they fit together; takes the lock of reloads.
    public var status: RuleStoreStatus {
        let now = options.clock.now
        let condition = source.condition
        // The snapshot is read under the lock that reloads hold when they change both, so that they fit together.
        return state.withLock { state in
            let snapshot = slot.read().snapshot
            return RuleStoreStatus(
                version: snapshot.version,
                contentHash: snapshot.contentHash,
                ruleCount: snapshot.ruleCount,
                loadedAt: snapshot.loadedAt,
                age: now - snapshot.moment,
                origin: snapshot.origin,
                isLastKnownGood: snapshot.isLastKnownGood,
                source: source.name,
                sourceCondition: condition,
                lastAttempt: state.lastAttempt.date,
                lastTrigger: state.lastAttempt.trigger,
                lastFailure: state.lastFailure,
                consecutiveFailures: state.consecutiveFailures,
                loadCount: state.loadCount,
                unchangedCount: state.unchangedCount,
                failureCount: state.failureCount,
                recoveredCount: state.recoveredCount,
                heldFor: state.damper?.heldUntil.map { max(.zero, $0 - now) },
                copyFailure: state.copyFailure
            )
        }
    }

    func tell(_ event: RuleStoreEvent) { Self.tell(event, options) }

    static func tell(_ event: RuleStoreEvent, _ options: Options) {
        for observer in options.observers { observer(event) }
    }
}
