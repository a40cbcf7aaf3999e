import Synchronization

@testable import Shunt

/// The events of the system, and word of when they are listened to.
final class HeardEvents: FileEvents {
    private struct State {
        var isWatching = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let events = InotifyEvents()
    private let state = Mutex(State())

    func start(_ deliver: @escaping @Sendable ([FileEvent]) -> Void) throws(FileEventsError) {
        try events.start(deliver)
    }

    func watch(_ directories: Set<String>) throws(FileEventsError) -> Set<String> {
        let missing = try events.watch(directories)
        let waiting = state.withLock { state in
            state.isWatching = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
        return missing
    }

    func stop() { events.stop() }

    /// Returns when directories are being watched.
    func watching() async {
        await withCheckedContinuation { continuation in
            let isWatching = state.withLock { state in
                if !state.isWatching { state.waiting.append(continuation) }
                return state.isWatching
            }
            if isWatching { continuation.resume() }
        }
    }
}
