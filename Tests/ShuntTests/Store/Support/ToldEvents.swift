import Shunt
import Synchronization

/// Events that the test makes up.
final class ToldEvents: FileEvents {
    private struct State {
        var deliver: (@Sendable ([FileEvent]) -> Void)?
        var late: [FileEvent] = []
        var watched: Set<String> = []
        var failure: FileEventsError?
        var isStopped = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var watched: Set<String> { state.withLock { $0.watched } }
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Makes the next `watch` fail, or succeed again.
    func fail(_ description: String?) {
        state.withLock { $0.failure = description.map(FileEventsError.init) }
    }

    func start(_ deliver: @escaping @Sendable ([FileEvent]) -> Void) throws(FileEventsError) {
        state.withLock { $0.deliver = deliver }
    }

    func watch(_ directories: Set<String>) throws(FileEventsError) -> Set<String> {
        let (failure, waiting) = state.withLock { state in
            state.watched = directories
            defer { state.waiting = [] }
            return (state.failure, state.waiting)
        }
        for continuation in waiting { continuation.resume() }
        if let failure { throw failure }
        return []
    }

    func stop() {
        state.withLock { $0.isStopped = true }
    }

    func tell(_ events: FileEvent...) {
        state.withLock { $0.deliver }?(events)
    }

    /// Keeps events back until they are asked for, as a busy machine does.
    func tellLate(_ events: FileEvent...) {
        state.withLock { $0.late += events }
    }

    func deliverPending() {
        let (late, deliver) = state.withLock { state in
            defer { state.late = [] }
            return (state.late, state.deliver)
        }
        if !late.isEmpty { deliver?(late) }
    }

    /// Returns when directories are watched.
    func watching() async {
        await withCheckedContinuation { continuation in
            let isWatching = state.withLock { state in
                if state.watched.isEmpty { state.waiting.append(continuation) }
                return !state.watched.isEmpty
            }
            if isWatching { continuation.resume() }
        }
    }
}
