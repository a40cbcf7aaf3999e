import Synchronization

/// Lets calls at the same time share an attempt to load rules, one attempt after the other.
///
/// A call never shares an attempt that began before it. An attempt that takes too long while a newer call waits is given up:
/// its work cannot be stopped, but the result is dropped, and the next one begins. One that no one waits after may
/// take as long as it needs, so that a busy machine does not lose a good load.
final class ReloadAttempts: Sendable {
    /// The number of abandoned attempts that may still hold a thread; beyond it the last one is awaited.
    static let mostGivenUp = 4

    private struct Waiting {
        var number: Int
        var trigger: ReloadTrigger
        var continuation: CheckedContinuation<Answer, Never>
    }

    private struct Current {
        var number: Int
        var trigger: ReloadTrigger
        var start: Duration
        var waiting: [Waiting]
        /// True if the rules are swapped, or known not to be: nothing can be given up any more.
        var isDecided = false
        var timer: Task<Void, Never>?
    }

    private struct State {
        var waiting: [Waiting] = []
        var current: Current?
        /// True if a task makes attempts.
        var isServing = false
        var count = 0
        var givenUp = 0
    }

    enum Answer: Sendable {
        case report(ReloadReport)
        /// The attempt took longer than the limit while others waited.
        case givenUp(ReloadError)
        /// The caller's task was cancelled.
        case cancelled
    }

    private let state = Mutex(State())
    private let clock: any StoreClock
    private let limit: Duration?

    /// Makes the attempts of one store; `limit` is how long one may take while others wait, nil for ever.
    init(clock: any StoreClock, limit: Duration?) {
        self.clock = clock
        self.limit = limit
    }

    /// Waits for the next attempt to begin and end.
    func next(_ trigger: ReloadTrigger, of store: RuleStore) async -> Answer {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFirst = state.withLock { state in
                    state.waiting.append(Waiting(number: number, trigger: trigger, continuation: continuation))
                    defer { state.isServing = true }
                    return !state.isServing
                }
                // A separate task: an attempt serves others too and outlives the caller's cancellation.
                if isFirst { Task { await self.serve(store) } }
                watchOver(store)
                if Task.isCancelled { leave(number) }
            }
        } onCancel: {
            leave(number)
        }
    }

    /// Returns true if an attempt may put its rules into use.
    ///
    /// After that it cannot be given up.
    func decide(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.current?.number == number else { return false }
            state.current?.isDecided = true
            return true
        }
    }

    /// Makes attempts until no one waits for one.
    private func serve(_ store: RuleStore) async {
        while let (number, trigger) = begin() {
            guard let report = await store.attempt(number, trigger) else {
                state.withLock { $0.givenUp -= 1 }
                watchOver(store)
                return
            }
            for waiting in end() {
                var report = report
                report.trigger = waiting.trigger
                waiting.continuation.resume(returning: .report(report))
            }
        }
    }

    private func begin() -> (number: Int, trigger: ReloadTrigger)? {
        let now = clock.now
        return state.withLock { state in
            guard let first = state.waiting.first else {
                state.isServing = false
                return nil
            }
            state.count += 1
            // Who shares an attempt with an administrator that forces it, gets what that one asked for.
            let trigger = state.waiting.contains { $0.trigger == .force } ? .force : first.trigger
            state.current = Current(number: state.count, trigger: trigger, start: now, waiting: state.waiting)
            state.waiting = []
            return (state.count, trigger)
        }
    }

    private func end() -> [Waiting] {
        state.withLock { state in
            let current = state.current
            state.current = nil
            current?.timer?.cancel()
            return current?.waiting ?? []
        }
    }

    /// Sees to it that an attempt which someone waits after is given up in time.
    private func watchOver(_ store: RuleStore) {
        guard let limit else { return }
        state.withLock { state in
            guard let current = state.current, current.timer == nil, !current.isDecided, !state.waiting.isEmpty,
                state.givenUp < Self.mostGivenUp
            else { return }
            let clock = clock
            state.current?.timer = Task {
                do { try await clock.sleep(until: current.start + limit) } catch { return }
                await self.giveUp(current.number, of: store)
            }
        }
    }

    private func giveUp(_ number: Int, of store: RuleStore) async {
        let given = state.withLock { state -> Current? in
            guard let current = state.current, current.number == number, !current.isDecided else { return nil }
            // The caller that waited after it may have left.
            guard !state.waiting.isEmpty, state.givenUp < Self.mostGivenUp else {
                state.current?.timer = nil
                return nil
            }
            state.givenUp += 1
            state.current = nil
            return current
        }
        guard let given else { return }
        let failure = await store.giveUp(given.trigger, after: clock.now - given.start)
        for waiting in given.waiting { waiting.continuation.resume(returning: .givenUp(failure)) }
        await serve(store)
    }

    private func leave(_ number: Int) {
        let left = state.withLock { state -> Waiting? in
            if let index = state.waiting.firstIndex(where: { $0.number == number }) {
                return state.waiting.remove(at: index)
            }
            guard let index = state.current?.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.current?.waiting.remove(at: index)
        }
        left?.continuation.resume(returning: .cancelled)
    }
}
