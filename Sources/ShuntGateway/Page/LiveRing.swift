#if Gateway
import Synchronization

/// The last events of one event loop: those that nobody took are overwritten.
final class LiveRing: Sendable {
    /// How many events it holds.
    static let capacity = 1_024

    private struct State {
        var events: [LiveEvent] = []
        var next = 0
        var overwritten = 0
    }

    private let state = Mutex(State())

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

    /// Takes the events out, the oldest first, with the number of those that were overwritten.
    func take() -> (events: [LiveEvent], overwritten: Int) {
        let taken = state.withLock { state in
            defer { state = State() }
            return state
        }
        return (Array(taken.events[taken.next...] + taken.events[..<taken.next]), taken.overwritten)
    }
}
#endif
