import Shunt
import Synchronization

/// A clock whose hands the test turns.
final class HandClock: StoreClock {
    private struct Sleeper {
        var moment: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Duration = .seconds(1000)
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var next = 0
        /// Those who wait until a task sleeps until a moment.
        var watchers: [(moment: Duration, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var now: Duration { state.withLock { $0.now } }
    var date: Timestamp { Timestamp(seconds: 1_700_000_000 + now.components.seconds) }

    func sleep(until moment: Duration) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isOver, isCancelled, told) = state.withLock { state in
                    let isCancelled = state.cancelled.remove(number) != nil
                    let isOver = state.now >= moment
                    if !isOver, !isCancelled {
                        state.sleepers[number] = Sleeper(moment: moment, continuation: continuation)
                    }
                    let told = state.watchers.filter { $0.moment == moment }
                    state.watchers.removeAll { $0.moment == moment }
                    return (isOver, isCancelled, told)
                }
                for watcher in told { watcher.continuation.resume() }
                if isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else if isOver {
                    continuation.resume()
                }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Turns the hands and wakes the tasks that are due.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.moment <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Returns when a task sleeps until exactly `duration` from now.
    func sleeper(in duration: Duration) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let moment = state.now + duration
                if state.sleepers.values.contains(where: { $0.moment == moment }) { return true }
                state.watchers.append((moment, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
