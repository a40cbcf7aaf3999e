/// A test waited for something that did not come.
struct TimedOut: Error {}

/// Waits for work, at most for a while.
func within<Result: Sendable>(
    _ limit: Duration = .seconds(180),
    _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw TimedOut()
        }
        defer { group.cancelAll() }
        guard let result = try await group.next() else { throw TimedOut() }
        return result
    }
}
