import Synchronization

/// A value that will be there once; any number of tasks wait for it.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Sets the value; nothing happens the second time.
    @discardableResult
    func finish(_ result: Result<Value, any Error>) -> Bool {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>]? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        guard let waiting else { return false }
        for continuation in waiting { continuation.resume(with: result) }
        return true
    }

    /// Waits for the value; throws `CancellationError` as soon as the task is cancelled.
    package func wait() async throws -> Value {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, as: id, evenIfCancelled: false) }
        } onCancel: {
            let continuation = state.withLock { $0.waiting.removeValue(forKey: id) }
            continuation?.resume(throwing: CancellationError())
        }
    }

    /// Waits for the value, also in a task that is cancelled.
    func waitToTheEnd() async throws -> Value {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        return try await withCheckedThrowingContinuation { wait($0, as: id, evenIfCancelled: true) }
    }

    private func wait(_ continuation: CheckedContinuation<Value, any Error>, as id: Int, evenIfCancelled: Bool) {
        // A task that was cancelled before it came here finds no continuation to resume; the lock orders the two.
        let result = state.withLock { state -> Result<Value, any Error>? in
            if let result = state.result { return result }
            if !evenIfCancelled, Task.isCancelled { return .failure(CancellationError()) }
            state.waiting[id] = continuation
            return nil
        }
        if let result { continuation.resume(with: result) }
    }
}

extension Promise where Value == Void {
    /// Reports that it happened.
    package func finish() { finish(.success(())) }
}
