import Synchronization

/// A clock that a test turns by hand, so that nothing sleeps.
///
/// Pass it as `Assembly.Options.clock`, wait until something sleeps for the time you mean, and turn it.
public final class TurnedClock: Clock {
    /// A time of the clock.
    public struct Instant: InstantProtocol {
        fileprivate var offset: Duration

        /// The time a duration later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the duration until another time.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Returns true if one time is before another.
        public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private struct Sleeper {
        var end: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        var end: Duration
        var count: Int
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Duration.zero
        var next = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [Watcher] = []
    }

    private let state = Mutex(State())

    /// Makes a clock that shows zero.
    public init() {}

    /// The time.
    public var now: Instant { Instant(offset: state.withLock { $0.now }) }

    /// It shows any time.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Returns when the clock was turned to a time.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { begin(Sleeper(end: deadline.offset, continuation: $0), as: id) }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    private func begin(_ sleeper: Sleeper, as id: Int) {
        let (result, watchers) = state.withLock { state -> (Result<Void, any Error>?, [Watcher]) in
            if Task.isCancelled { return (.failure(CancellationError()), []) }
            if sleeper.end <= state.now { return (.success(()), []) }
            state.sleepers[id] = sleeper
            let watchers = state.watchers
            let due = watchers.filter { Self.isDue($0, state) }
            if !due.isEmpty { state.watchers = watchers.filter { !Self.isDue($0, state) } }
            return (nil, due)
        }
        if let result { sleeper.continuation.resume(with: result) }
        for watcher in watchers { watcher.continuation.resume() }
    }

    private static func isDue(_ watcher: Watcher, _ state: State) -> Bool {
        state.sleepers.values.count { $0.end == watcher.end } >= watcher.count
    }

    /// Returns as soon as something sleeps that a turn by this duration would wake at its end.
    ///
    /// - Parameters:
    ///   - duration: How long it still sleeps.
    ///   - count: How many have to.
    public func waitForSleeper(of duration: Duration, count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state -> Bool in
                let watcher = Watcher(end: state.now + duration, count: count, continuation: continuation)
                if Self.isDue(watcher, state) { return true }
                state.watchers.append(watcher)
                return false
            }
            if isDue { continuation.resume() }
        }
    }

    /// Turns the clock and wakes who slept until then, the first first.
    public func turn(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.end <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }.map(\.value)
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
