/// The clock of an assembly, whatever its type: the time since it was made, and waiting.
package struct ModuleClock: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    package init(_ clock: some Clock<Duration>) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The time since some fixed moment.
    package var now: Duration { read() }

    /// Returns when `now` is a moment; throws `CancellationError` when the task is cancelled before.
    package func sleep(until moment: Duration) async throws { try await wait(moment) }

    /// Runs work that is cancelled when it takes too long, with `CallError.timedOut`, and waits for it to end.
    package func limit<Value: Sendable>(
        _ limit: Duration,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let end = now + limit
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await sleep(until: end)
                return nil
            }
            defer { group.cancelAll() }
            // The first that ends decides how it ends; the work itself is the only one that has a value.
            guard let first = try await group.next(), let value = first else { throw CallError.timedOut(after: limit) }
            return value
        }
    }
}
