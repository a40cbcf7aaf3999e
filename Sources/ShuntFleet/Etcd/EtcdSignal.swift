#if Fleet
import Shunt
import Synchronization

/// Wakes everybody who waits for something to become otherwise.
final class EtcdSignal: Sendable {
    private struct State {
        var last = 0
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    func fire() { for continuation in state.withLock({ Array($0.waiting.values) }) { continuation.yield() } }

    /// Something for each time that it fires from now on; several times may be one.
    func times() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.last += 1
            state.waiting[state.last] = continuation
            return state.last
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.waiting[number] = nil } }
        return stream
    }

    /// Returns when it fires, or at a moment; at once if `isDone` is true already.
    func wait(until moment: Duration, _ clock: any StoreClock, unless isDone: () -> Bool) async {
        let times = times()
        guard !isDone() else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await clock.sleep(until: moment) }
            group.addTask { for await _ in times { break } }
            await group.next()
            group.cancelAll()
        }
    }
}
#endif
