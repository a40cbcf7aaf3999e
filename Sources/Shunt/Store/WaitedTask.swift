import Dispatch
import Synchronization

/// Tasks that a thread waits for, which may not be one of Swift's tasks.
enum WaitedTask {
    /// Runs work in a task and waits for its end.
    static func value<Value: Sendable>(of work: @escaping @Sendable () async -> Value) -> Value {
        let done = DispatchSemaphore(value: 0)
        let result = Slot<Value>()
        Task.detached {
            let value = await work()
            result.value.withLock { $0 = value }
            done.signal()
        }
        while true {
            done.wait()
            if let value = result.value.withLock({ $0 }) { return value }
        }
    }

    /// Makes a result of work, with its typed error.
    static func result<Value: Sendable, Failure: Error>(
        of work: () async throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        do throws(Failure) {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }

    private final class Slot<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}
