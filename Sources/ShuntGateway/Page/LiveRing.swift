#if Gateway
import Synchronization

/// The last events of one event loop: those that no one took are overwritten.
final class LiveRing: Sendable {
    /// The most events it keeps.
    static let capacity = 1_024

    private struct State {
        var events: [LiveEvent] = []
        var next = 0
        var overwritten = 0
    }

    /// The number of decisions between two drains of which every listener gets a sample.
    static let sample = 32

    private let state = Mutex(State())
    /// The number of further decisions before the next drain.
    private let room = Atomic<Int>(sample)
    private let skipped = Atomic<Int>(0)

    /// Returns true if the next decision is taken; one that is not is counted.
    ///
    /// To be called on the event loop that the ring is for.
    func takesNext() -> Bool {
        let left = room.load(ordering: .relaxed)
        guard left > 0 else {
            skipped.add(1, ordering: .relaxed)
            return false
        }
        room.store(left - 1, ordering: .relaxed)
        return true
    }

    func put(_ event: LiveEvent) {
        state.withLock { state in
            if state.events.count < Self.capacity {
                state.events.append(event)
            } else {
                state.events[state.next] = event
                state.next = (state.next + 1) % Self.capacity
                state.overwritten += 1
            }
        }
    }

    /// Takes the events out, the oldest first, with the number of those that were overwritten or not taken.
    func take() -> (events: [LiveEvent], lost: Int) {
        room.store(Self.sample, ordering: .relaxed)
        let skipped = skipped.exchange(0, ordering: .relaxed)
        let taken = state.withLock { state in
            defer { state = State() }
            return state
        }
        return (Array(taken.events[taken.next...] + taken.events[..<taken.next]), taken.overwritten + skipped)
    }
}
#endif
