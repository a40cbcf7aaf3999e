#if Gateway
import Logging
import Synchronization

/// Reports if rules that are loaded again listen elsewhere than the rules of the start: it continues
/// listening where it did.
final class ListenChanges: Sendable {
    private let state = Mutex<(started: [Listener]?, told: [Listener])>((nil, []))

    /// Compares with the first rules, and reports once what is different.
    func tell(_ listeners: [Listener], _ logger: Logger) {
        let change: (added: [Listener], removed: [Listener])? = state.withLock { state in
            guard let started = state.started else {
                state = (listeners, listeners)
                return nil
            }
            guard Set(state.told) != Set(listeners) else { return nil }
            state.told = listeners
            return (listeners.filter { !started.contains($0) }, started.filter { !listeners.contains($0) })
        }
        guard let change else { return }
        if !change.added.isEmpty {
            let text = change.added.map(\.description).joined(separator: ", ")
            logger.warning("the rules listen at \(text), which takes a restart")
        }
        if !change.removed.isEmpty {
            let text = change.removed.map(\.description).joined(separator: ", ")
            logger.warning("the rules listen no more at \(text): connections there are closed")
        }
    }
}
#endif
